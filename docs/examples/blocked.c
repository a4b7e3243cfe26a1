/* SPDX-License-Identifier: MIT */
/*
 * blocked: how long each thread ran and was blocked, and its longest wait with
 * who ended it.  An example of spans: what threads did is known to the host.
 */
#include <coldperf/plugin.h>
#include <coldperf/spans.h>

struct thread {
	uint64_t ns[CP_SPAN_KINDS], longest;
	uint32_t waker; /* index, CP_NO_ID: not known */
};

struct blocked {
	struct cp_run *run;
	const struct cp_spans *spans;
	struct thread *thread; /* by index */
	uint32_t cap;
};

/* A span is told when nothing can change it any more. */
static void
on_span(void *ctx, const struct cp_span *s)
{
	struct blocked *b = ctx;
	uint64_t ns = s->end - s->start;
	struct thread *t;

	cp_grow_to(b->run, b->thread, &b->cap, s->thread->index);
	t = &b->thread[s->thread->index];
	t->ns[s->kind] += ns;
	if (s->kind != CP_SPAN_BLOCKED || ns <= t->longest)
		return;
	t->longest = ns;
	t->waker = s->woken ? s->thread->waker.thread : CP_NO_ID;
}

static int
blocked_begin(struct cp_run *run, void *state)
{
	struct blocked *b = state;

	b->run = run;
	b->spans = cp_run_spans(run, on_span, b);
	return CP_OK;
}

static const char *
name_of(const struct blocked *b, uint32_t index)
{
	if (index == CP_NO_ID)
		return "";
	return cp_run_string(b->run,
	    cp_sched_thread_name(b->spans, cp_spans_thread(b->spans, index)));
}

static int
blocked_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TIME("Blocked"),
		CP_TIME("Running"), CP_TIME("Longest"), CP_TEXT("Ended by"),
		CP_TEXT("TID"), CP_TEXT("Command") };
	struct blocked *b = state;
	struct cp_table *t = cp_report_table(rep, "blocked",
	    "Threads by how long they were blocked", CP_COLUMNS(columns));

	for (uint32_t i = 0; i < b->spans->n_threads && i < b->cap; i++) {
		const struct thread *x = &b->thread[i];

		cp_table_add(t, x->ns[CP_SPAN_BLOCKED], x->ns[CP_SPAN_RUNNING],
		    x->longest, x->longest != 0 ? name_of(b, x->waker) : "",
		    cp_cell_id(cp_spans_thread(b->spans, i)->tid),
		    name_of(b, i));
	}
	cp_table_sort(t, "Blocked");
	cp_table_sort(t, "Command");
	cp_table_top(t, cp_run_option_u64(run, "top"), "Blocked");
	return CP_OK;
}

static const struct cp_option blocked_options[] = {
	{ "top", "N", "20", "show the N threads blocked longest, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(blocked) = {
	.abi = CP_ABI,
	.name = "blocked",
	.summary = "how long threads were blocked, and who ended it",
	.wants = CP_WANT_SAMPLES | CP_WANT_RAW | CP_WANT_ALL,
	.options = blocked_options,
	.state_size = sizeof(struct blocked),
	.begin = blocked_begin,
	.finish = blocked_finish,
};
