/* SPDX-License-Identifier: MIT */
#include "analyses/waits/brief.h"

#include "analyses/common/record-hint.h"
#include "analyses/tasks/notes.h"
#include "analyses/waits/tables.h"
#include "analyses/waits/watch.h"

static const struct cp_probe switches[] = {
	{ "sched:sched_switch", { NULL } },
	{ NULL, { NULL } },
};

struct cp_offcpu_brief {
	struct cp_run *run;
	struct cp_waitclasses classes;
	struct cp_waitwatch watch;
};

struct cp_offcpu_brief *
cp_offcpu_brief_new(struct cp_run *run)
{
	struct cp_offcpu_brief *b = cp_run_alloc(run, sizeof(*b));

	b->run = run;
	cp_waitwatch_init(&b->watch, run, 1);
	/* Cannot fail: only a file could have errors. */
	if (cp_waitclasses_init(&b->classes, run, NULL) != CP_OK)
		return NULL;
	return b;
}

/* A pipe describes its events after the analysis has begun. */
uint32_t
cp_offcpu_brief_wants(const struct cp_run *run)
{
	return cp_run_evsel_count(run) == 0 || cp_probes_have(run, switches)
		   ? CP_WANT_RAW | CP_WANT_ALL
		   : 0;
}

/* Half of the switches: of one thread, or some CPUs, by a tracepoint. */
static void
note_unknown(struct cp_report *rep)
{
	cp_report_note(rep,
	    "threads were seen to leave their CPUs and not to come back, so "
	    "nobody knows how long they waited: switches of all threads (-a) "
	    "tell");
}

struct cp_waitwatch *
cp_offcpu_brief_watch(struct cp_offcpu_brief *b)
{
	return &b->watch;
}

struct cp_waitclasses *
cp_offcpu_brief_classes(struct cp_offcpu_brief *b)
{
	return &b->classes;
}

bool
cp_offcpu_brief_finish(struct cp_offcpu_brief *b, struct cp_report *rep)
{
	const struct cp_spans *s = b->watch.state;

	if (s->seen[CP_SCHED_OUT] + s->seen[CP_SCHED_IN] != 0 ||
	    cp_probes_have(b->run, switches))
		cp_recipe_sampled(b->run, cp_sched_probes, rep);
	if (!cp_waitwatch_finish(&b->watch))
		return false;
	if (!cp_waits_know(&b->watch.waits)) {
		note_unknown(rep);
		return false;
	}
	cp_waits_name(&b->watch.waits);
	return true;
}

void
cp_offcpu_brief_show(struct cp_offcpu_brief *b, struct cp_report *rep)
{
	cp_waits_show_states(
	    &b->watch.waits, cp_waitwatch_sees_wakes(&b->watch), rep);
	cp_waits_show_classes(&b->watch.waits, &b->classes, rep);
}
