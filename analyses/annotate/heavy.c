/* SPDX-License-Identifier: MIT */
/*
 * analyses/annotate/heavy.c: finds the functions whose code a page has.
 *
 * They are few.  So the rows are summed up by function, and only those of these
 * functions are sorted by address.
 */
#include "analyses/annotate/annotate.h"

#include <float.h>

struct sums {
	struct cp_index functions; /* event, symbol */
	uint64_t *weight;          /* by function */
	uint32_t cap;
	uint32_t *function; /* by row; CP_NO_ID: without a name */
};

static void
sum_row(const struct cp_annotate *a, struct sums *s,
    const struct cp_tally_row *row, uint32_t *function)
{
	const struct cp_symbol *y =
	    cp_frame_function(a->run, (cp_frame_id)row->b);

	*function = CP_NO_ID;
	if (y == NULL)
		return;
	*function = cp_index_put(&s->functions, row->a, y->id);
	cp_grow_to(a->run, s->weight, &s->cap, *function);
	s->weight[*function] += row->weight;
}

/* Allows for rounding: in doubles 1.1 % of 1,000 is a little more than 11. */
bool
cp_annotate_is_heavy(
    const struct cp_annotate *a, uint64_t weight, uint32_t event)
{
	double whole = (double)cp_groups_whole(&a->groups, event).mass.weight;

	return (double)weight >= a->share * whole * (1 - 4 * DBL_EPSILON);
}

static bool
is_heavy(const struct cp_annotate *a, const struct sums *s, uint32_t function)
{
	return function != CP_NO_ID &&
	       cp_annotate_is_heavy(a, s->weight[function],
		   (uint32_t)s->functions.all[function].a);
}

bool *
cp_annotate_heavy(
    const struct cp_annotate *a, const struct cp_tally_row *rows, size_t n)
{
	bool *heavy = cp_run_alloc(a->run, n + 1);
	struct sums s = { 0 };

	cp_index_init(&s.functions, a->run);
	s.function = cp_run_alloc(a->run, (n + 1) * sizeof(*s.function));
	for (size_t i = 0; i < n; i++)
		sum_row(a, &s, &rows[i], &s.function[i]);
	for (size_t i = 0; i < n; i++)
		heavy[i] = is_heavy(a, &s, s.function[i]);
	cp_run_free(a->run, s.function, (n + 1) * sizeof(*s.function));
	cp_index_free(&s.functions);
	return heavy;
}
