/* SPDX-License-Identifier: MIT */
#include "analyses/waits/brief.h"

#include "analyses/common/record-hint.h"
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
	bool looked, watching;
};

struct cp_offcpu_brief *
cp_offcpu_brief_new(struct cp_run *run)
{
	struct cp_offcpu_brief *b = cp_run_alloc(run, sizeof(*b));

	b->run = run;
	cp_waitwatch_init(&b->watch, run, 1);
	/* Cannot fail: only a file could have errors. */
	if (cp_waitclasses_init(&b->classes, run, NULL) != CP_OK)
		b->looked = true;
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

void
cp_offcpu_brief_sample(struct cp_offcpu_brief *b, const struct cp_sample *s)
{
	if (!b->looked) {
		b->looked = true;
		b->watching |= cp_probes_have(b->run, switches);
	}
	if (b->watching)
		cp_waitwatch_sample(&b->watch, s);
}

void
cp_offcpu_brief_event(struct cp_offcpu_brief *b, const struct cp_sideband *e)
{
	b->watching |=
	    e->kind == CP_SIDE_SWITCH_OUT || e->kind == CP_SIDE_SWITCH_IN;
	if (b->watching)
		cp_waitwatch_event(&b->watch, e);
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
	if (b->watching)
		cp_recipe_sampled(b->run, cp_sched_probes, rep);
	if (!b->watching || !cp_waitwatch_finish(&b->watch))
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
