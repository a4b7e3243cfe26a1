/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/threads.c: the states of each thread over its lifetime in the
 * capture, and its wakers.
 */
#include "analyses/sched/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyses/common/label.h"

/* Orders by number of wake-ups, then by first appearance. */
static bool
wakes_more(const struct cp_tally_row *a, const struct cp_tally_row *b)
{
	return a->weight > b->weight || (a->weight == b->weight && a->b < b->b);
}

/*
 * Finds each thread's most frequent waker, as index + 1 of a row of the tally.
 */
static uint32_t *
wakers_main(struct cp_sched *s, const struct cp_tally_row **rows)
{
	size_t n;
	uint32_t *most =
	    cp_run_alloc(s->run, (s->tasks->n_threads + 1) * sizeof(*most));

	cp_sched_wakers_flush(s);
	n = cp_tally_rows(s->wakers, rows);
	for (size_t i = 0; i < n; i++) {
		const struct cp_tally_row *r = &(*rows)[i];
		uint32_t *m = &most[r->a];

		if (*m == 0 || wakes_more(r, &(*rows)[*m - 1]))
			*m = (uint32_t)i + 1;
	}
	return most;
}

static void
waker_text(struct cp_sched *s, const struct cp_tally_row *r, uint64_t all,
    char *out, size_t size)
{
	uint32_t waker = (uint32_t)r->b;
	const struct cp_sched_thread *t;
	struct cp_word word;
	const char *share =
	    cp_word_percent(&word, (double)r->weight, (double)all);

	if (waker == CP_SCHED_INTERRUPT) {
		snprintf(out, size, "an interrupt, %s", share);
	} else if (waker == CP_SCHED_IDLE) {
		snprintf(out, size, "an idle CPU, %s", share);
	} else {
		t = cp_spans_thread(s->tasks, waker);
		snprintf(out, size, "%.40s:%" PRIu32 ", %s",
		    cp_run_string(s->run, cp_sched_thread_name(s->tasks, t)),
		    t->tid, share);
	}
}

static void
thread_row(struct cp_sched *s, const struct cp_sched_thread *t,
    const struct cp_tally_row *waker, struct cp_table *table)
{
	const struct cp_sched_sum *sum = cp_sched_sum(s, t->index);
	const struct cp_runqueue_thread *r =
	    cp_runqueue_thread(&s->queue, t->index);
	char text[128] = "";

	cp_table_add(table,
	    cp_run_string(s->run, cp_sched_thread_name(s->tasks, t)),
	    cp_cell_id(cp_sched_thread_pid(s->tasks, t)), cp_cell_id(t->tid),
	    cp_sched_life(s, t), sum->ns[CP_SPAN_RUNNING],
	    sum->ns[CP_SPAN_PREEMPTED], sum->ns[CP_SPAN_WOKEN],
	    sum->ns[CP_SPAN_BLOCKED], sum->ns[CP_SPAN_UNKNOWN], r->voluntary,
	    r->involuntary, r->migrations, r->unknown, sum->wakeups);
	if (waker != NULL)
		waker_text(s, waker, sum->wakeups, text, sizeof(text));
	cp_table_cells(table, text);
}

/* Sorts by time waited, longest first. */
struct order {
	uint64_t waited, ran;
	uint32_t index;
};

static int
compare(const void *va, const void *vb)
{
	const struct order *a = va, *b = vb;
	int c = (a->waited < b->waited) - (a->waited > b->waited);

	if (c == 0)
		c = (a->ran < b->ran) - (a->ran > b->ran);
	return c != 0 ? c : (a->index > b->index) - (a->index < b->index);
}

void
cp_sched_threads(struct cp_sched *s, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = {
		CP_COLUMN("Command", CP_COL_TEXT, 0, "comm"), CP_TEXT("PID"),
		CP_TEXT("TID"),
		CP_COLUMN("Lifetime", CP_COL_TIME, 0, "lifetime_ns"),
		CP_COLUMN("Running", CP_COL_TIME, 0, "running_ns"),
		CP_COLUMN("Displaced", CP_COL_TIME, 0, "displaced_ns"),
		CP_COLUMN("Woken", CP_COL_TIME, 0, "woken_ns"),
		CP_COLUMN("Blocked", CP_COL_TIME, 0, "blocked_ns"),
		CP_COLUMN("Unknown", CP_COL_TIME, 0, "unknown_ns"),
		CP_COUNT("Voluntary"), CP_COUNT("Involuntary"),
		CP_COUNT("Migrations"), CP_COUNT("Unknown waits"),
		CP_COLUMN("Wake-ups", CP_COL_COUNT, 0, "wakeups"),
		CP_TEXT("Mostly by")
	};
	struct cp_table *t = cp_report_table(rep, "threads",
	    "What threads did, by how long they waited for a CPU",
	    CP_COLUMNS(columns));
	struct order *order =
	    cp_run_alloc(s->run, (s->tasks->n_threads + 1) * sizeof(*order));
	const struct cp_tally_row *rows;
	const uint32_t *most = wakers_main(s, &rows);
	size_t n = 0, shown;

	for (uint32_t i = 0; i < s->tasks->n_threads; i++) {
		const struct cp_sched_sum *sum = cp_sched_sum(s, i);

		if (!cp_sched_shows(s, cp_spans_thread(s->tasks, i)))
			continue;
		order[n++] = (struct order){ .index = i,
			.waited =
			    sum->ns[CP_SPAN_WOKEN] + sum->ns[CP_SPAN_PREEMPTED],
			.ran = sum->ns[CP_SPAN_RUNNING] };
	}
	qsort(order, n, sizeof(*order), compare);
	cp_table_brief(t, s->text_rows);
	shown = s->top != 0 && s->top < n ? (size_t)s->top : n;
	for (size_t i = 0; i < shown; i++) {
		uint32_t k = order[i].index;

		thread_row(s, cp_spans_thread(s->tasks, k),
		    most[k] != 0 ? &rows[most[k] - 1] : NULL, t);
	}
	if (shown < n)
		cp_table_rest(t, n - shown, 0);
}
