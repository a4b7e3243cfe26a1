/* SPDX-License-Identifier: MIT */
/* The heaviest threads of the event shown. */
#include "analyses/report/report.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyses/common/label.h"
#include "analyses/common/options.h"
#include "analyses/tasks/pools.h"

#define THREADS 5
#define SMALL 20 /* a process with less than one in SMALL is one of many */

struct thread {
	const struct cp_overview *r;
	struct cp_mass mass;
	uint64_t samples;
	uint32_t group; /* a group of `threads` */
};

static int
descending(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int
compare_threads(const void *va, const void *vb)
{
	const struct thread *a = va, *b = vb;
	const uint64_t *x = a->r->threads.all[a->group].v;
	const uint64_t *y = a->r->threads.all[b->group].v;
	int c = descending(a->mass.weight, b->mass.weight);

	if (c == 0)
		c = (x[CP_BY_TID] > y[CP_BY_TID]) -
		    (x[CP_BY_TID] < y[CP_BY_TID]);
	return c != 0 ? c : (a->group > b->group) - (a->group < b->group);
}

/*
 * Adds up the threads; returns their number.  Threads of a pool count as one.
 */
static size_t
sum_threads(struct cp_overview *r, struct thread *threads)
{
	struct cp_grouped rows = cp_groups_sort(&r->threads, r->by_thread);
	size_t n = 0;

	for (uint32_t g = 0; g < r->threads.n; g++) {
		struct thread *t = &threads[n];

		if (r->threads.all[g].v[CP_BY_EVENT] != r->event ||
		    rows.first[g] == rows.first[g + 1])
			continue;
		*t = (struct thread){ .r = r, .group = g };
		for (size_t i = rows.first[g]; i < rows.first[g + 1]; i++) {
			const struct cp_tally_row *row =
			    &rows.rows[rows.order[i]];

			t->samples += row->count;
			t->mass.weight += row->weight;
			t->mass.weight_sq += row->weight_sq;
		}
		n++;
	}
	qsort(threads, n, sizeof(*threads), compare_threads);
	return n;
}

/* Makes pools, and small processes of one name, one; their threads. */
static const uint32_t *
merge_threads(struct cp_overview *r)
{
	uint64_t *weight =
	    cp_run_alloc(r->run, (r->threads.n + 1) * sizeof(*weight));
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->by_thread, &rows);
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t g = (uint32_t)rows[i].a;

		if (r->threads.all[g].v[CP_BY_EVENT] != r->event)
			continue;
		weight[g] += rows[i].weight;
		all += rows[i].weight;
	}
	return cp_pools_merge_threads(&r->threads, weight, all / SMALL);
}

static bool
is_of_thread(const void *ctx, const struct cp_seen *seen)
{
	const struct thread *t = ctx;

	return cp_precision_group(&t->r->precision, seen) == t->group;
}

void
cp_overview_threads(struct cp_overview *r, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Samples"), CP_COUNT("Threads"), CP_TEXT("Command"),
		CP_TEXT("PID"), CP_TEXT("TID") };
	struct thread *threads =
	    cp_run_alloc(r->run, (r->threads.n + 1) * sizeof(*threads));
	const uint32_t *count = NULL;
	struct cp_table *t =
	    cp_report_table(rep, "threads", "Threads", CP_COLUMNS(columns));
	uint64_t rest = 0;
	size_t n, i;

	if (!cp_run_option_bool(r->run, "split-threads"))
		count = merge_threads(r);
	r->precision.alias = r->threads.alias;
	n = sum_threads(r, threads);
	for (i = 0; i < n && i < THREADS; i++) {
		uint32_t group = threads[i].group;
		uint32_t of = count != NULL ? count[group] : 1;
		struct cp_word number;
		char text[80];

		(void)snprintf(text, sizeof(text), "%.60s threads",
		    cp_word_count(&number, of));
		cp_table_add(t,
		    cp_cell_share(threads[i].mass,
			cp_precision_whole(
			    r->sure.view, r->all, is_of_thread, &threads[i])),
		    threads[i].samples, of,
		    cp_by_cell(&r->threads, CP_BY_COMM, group),
		    cp_by_cell(&r->threads, CP_BY_PID, group),
		    of < 2 ? cp_by_cell(&r->threads, CP_BY_TID, group)
			   : cp_cell_text(text));
	}
	for (; i < n; i++)
		rest += threads[i].mass.weight;
	if (n > THREADS)
		cp_table_rest(t, n - THREADS, rest);
	cp_table_whole(t, r->all.mass.weight);
}
