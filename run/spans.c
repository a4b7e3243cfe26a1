/* SPDX-License-Identifier: MIT */
/* spans: coldperf/spans.h for a run. */
#include "run/api.h"
#include "run/facts/facts.h"

/* A bit of cp_attr.flags: records of context switches. */
enum { CONTEXT_SWITCH = 26 };

static const struct cp_spans *
listen(struct cp_run *run, struct cp_span_listener who)
{
	if (run->spans == NULL)
		run->spans = cp_taskstate_new(run);
	if (who.fn != NULL)
		cp_taskstate_listen(run->spans, who);
	return &run->spans->pub;
}

const struct cp_spans *
cp_run_spans(struct cp_run *run, cp_span_fn fn, void *ctx)
{
	return listen(run, (struct cp_span_listener){ fn, ctx, false });
}

const struct cp_spans *
cp_run_spans_whole(struct cp_run *run, cp_span_fn fn, void *ctx)
{
	return listen(run, (struct cp_span_listener){ fn, ctx, true });
}

uint32_t
cp_run_parallelism(struct cp_run *run, const struct cp_sample *s)
{
	return run->spans != NULL ? cp_taskstate_parallelism(run->spans, s) : 0;
}

void
cp_run_spans_sample(struct cp_run *run, const struct cp_sample *s)
{
	struct cp_taskstate *ts = run->spans;
	size_t n = run->rec.evsels.all.len;

	if (CP_UNLIKELY(!ts->watching && ts->looked_at != n)) {
		bool records = false;

		for (size_t i = ts->looked_at; i < n; i++)
			records |= cp_attr_flag(
			    &run->rec.evsels.all.data[i]->attr, CONTEXT_SWITCH);
		cp_taskstate_look(ts, records);
	}
	if (ts->watching)
		cp_taskstate_sample(ts, s);
	else
		ts->pub.event.kind = CP_SCHED_NONE;
}
