/* SPDX-License-Identifier: MIT */
#include "analyses/sched/brief.h"

#include "analyses/common/tracepoint-fields.h"
#include "analyses/sched/gather.h"
#include "analyses/sched/latency.h"

static const struct cp_probe switches[] = {
	{ "sched:sched_switch", { NULL } },
	{ NULL, { NULL } },
};

struct cp_sched_brief {
	struct cp_sched sched;
	bool looked, watching;
};

struct cp_sched_brief *
cp_sched_brief_new(struct cp_run *run)
{
	struct cp_sched_brief *b = cp_run_alloc(run, sizeof(*b));

	cp_sched_init_brief(&b->sched, run);
	return b;
}

/* A pipe describes its events after the analysis has begun. */
void
cp_sched_brief_sample(struct cp_sched_brief *b, const struct cp_sample *s)
{
	if (!b->looked) {
		b->looked = true;
		b->watching = cp_probes_have(b->sched.run, switches);
	}
	if (b->watching)
		cp_sched_take(&b->sched);
}

void
cp_sched_brief_event(struct cp_sched_brief *b, const struct cp_sideband *e)
{
	if (b->watching)
		cp_sched_take(&b->sched);
}

bool
cp_sched_brief_show(struct cp_sched_brief *b, struct cp_brief_lines *found,
    struct cp_report *rep)
{
	return b->watching && cp_sched_finish(&b->sched) &&
	       cp_sched_latency_brief(&b->sched, found, rep);
}
