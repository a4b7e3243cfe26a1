/* SPDX-License-Identifier: MIT */
/*
 * compare: the rate of each thing in slow windows and in normal time.
 *
 * The likelihood ratio of two Poisson rates, divided by the dispersion of the
 * blocks of normal time, is the square of Student's t with as many degrees of
 * freedom as there are blocks, but one.  A block is as long as a window, so
 * that what comes in bursts, or wanders, differs between blocks, too.  Holm's
 * correction is over all that is asked.
 */
#include "analyses/explain/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyses/causes/places.h"
#include "analyses/common/chance.h"
#include "analyses/common/label.h"

#define FEW 8.0 /* expected counts below it tell nothing */

/* Sums by question and block. */
struct sums {
	struct cp_explain *e;
	struct cp_index rows;    /* (kind, name) */
	struct cp_tally *blocks; /* row, block */
	struct cp_tally *times;  /* row: spans */
	uint32_t *seen;          /* by row: the last stack that had it */
	uint32_t seen_cap;
};

static uint32_t
row_of(struct sums *s, enum cp_explain_kind kind, const char *name)
{
	uint32_t i =
	    cp_index_put(&s->rows, kind, cp_run_intern(s->e->run, name));

	cp_grow_to(s->e->run, s->seen, &s->seen_cap, i);
	return i;
}

/* A function, or the object of one without a name. */
static const char *
code_name(struct cp_run *run, cp_frame_id id)
{
	const struct cp_symbol *y = cp_frame_symbol(run, id);
	const struct cp_frame *f = cp_frame_get(run, id);

	return y != NULL ? y->name : cp_word_object(run, f->dso);
}

static void
add_stack(struct sums *s, const struct cp_tally_row *r, uint32_t turn)
{
	struct cp_run *run = s->e->run;
	cp_stack_id stack = (cp_stack_id)r->a;

	if (stack != 0)
		cp_tally_add(s->blocks,
		    row_of(s, CP_EXPLAIN_SELF,
			code_name(run, cp_stack_frame(run, stack))),
		    r->b, r->weight);
	for (; stack != 0; stack = cp_stack_parent(run, stack)) {
		cp_frame_id id = cp_stack_frame(run, stack);
		uint32_t i;

		if (cp_frame_symbol(run, id) == NULL)
			continue;
		i = row_of(s, CP_EXPLAIN_UNDER, code_name(run, id));
		if (s->seen[i] == turn)
			continue;
		s->seen[i] = turn;
		cp_tally_add(s->blocks, i, r->b, r->weight);
	}
}

/* "disk, fsync < save": the class, and where in the program. */
static const char *
wait_name(struct cp_explain *e, cp_stack_id stack)
{
	struct cp_where w = cp_place_where(e->run, stack);
	char text[400];
	cp_string_id where = w.own != 0 ? w.own : w.call;

	(void)snprintf(text, sizeof(text), "%.100s%s%.280s",
	    cp_run_string(e->run, cp_waitclass(&e->classes, stack)),
	    where != 0 ? " in " : "", cp_run_string(e->run, where));
	return cp_run_string(e->run, cp_run_intern(e->run, text));
}

static const char *
thread_name(const struct cp_explain *e, uint32_t thread)
{
	if (thread >= e->state->n_threads)
		return "interrupts";
	return cp_run_string(e->run,
	    cp_sched_thread_name(e->state, cp_spans_thread(e->state, thread)));
}

static const char *
name_of(struct cp_explain *e, enum cp_explain_kind kind, uint32_t id)
{
	struct cp_word word;

	switch (kind) {
	case CP_EXPLAIN_CPU:
		return cp_run_string(
		    e->run, cp_run_intern(e->run, cp_word_id(&word, id)));
	case CP_EXPLAIN_SAMPLED: return cp_run_string(e->run, id);
	case CP_EXPLAIN_CGROUP: {
		const char *path = cp_run_cgroup(e->run, e->cgroups.all[id].a);

		return path != NULL ? path : "(unknown)";
	}
	case CP_EXPLAIN_FAULTS: return cp_run_event_name(e->run, id);
	case CP_EXPLAIN_WAIT: return wait_name(e, id);
	case CP_EXPLAIN_RAN:
	case CP_EXPLAIN_WAKER: return thread_name(e, id);
	default: return "";
	}
}

static void
add_up(struct sums *s)
{
	struct cp_explain *e = s->e;
	bool spans = cp_spans_source(e->state) != CP_SCHED_BY_NOTHING;
	struct cp_tally *stacks = cp_tally_new(e->run); /* stack, block */
	const struct cp_tally_row *rows;
	size_t n;

	for (size_t i = 0; i < e->n_counted; i++) {
		const struct cp_tally_row *r = &e->counted[i];
		enum cp_explain_kind kind =
		    (enum cp_explain_kind)((r->a & ~CP_EXPLAIN_TIMES) >> 32);
		bool times = (r->a & CP_EXPLAIN_TIMES) != 0;

		if (r->b >= e->n_bins || e->block[r->b] == 0 ||
		    kind == CP_EXPLAIN_QUEUE ||
		    (kind == CP_EXPLAIN_SAMPLED && spans))
			continue;
		if (kind == CP_EXPLAIN_STACK)
			cp_tally_add(
			    stacks, (uint32_t)r->a, e->block[r->b], r->weight);
		else
			cp_tally_add(times ? s->times : s->blocks,
			    row_of(s, kind, name_of(e, kind, (uint32_t)r->a)),
			    times ? 0 : e->block[r->b], r->weight);
	}
	n = cp_tally_rows(stacks, &rows);
	for (size_t i = 0; i < n; i++)
		add_stack(s, &rows[i], (uint32_t)i + 1);
}

/* ------------------------------------------------------------------- tests */

/* n * log(n / expected), 0 for none. */
static double
part(double n, double expected)
{
	return n > 0 ? n * log(n / expected) : 0;
}

/* square: the sum of squares over the blocks of normal time. */
static void
test(const struct cp_explain *e, struct cp_explain_row *r, double square)
{
	/* A span is one observation, however long it is. */
	double unit = r->kind <= CP_EXPLAIN_FAULTS ? 1
		      : r->times > 0 ? (r->slow + r->normal) / r->times
				     : (double)INFINITY;
	double slow = r->slow / unit, normal = r->normal / unit;
	double blocks = e->n_blocks, mean = normal / blocks;
	double share = e->slow_bins / (e->slow_bins + e->normal_bins);
	double all = slow + normal, dispersion = 1, gain, error;

	r->gain = r->slow / e->slow_bins - r->normal / e->normal_bins;
	r->ratio = r->normal > 0
		       ? r->slow / e->slow_bins / (r->normal / e->normal_bins)
		       : (double)INFINITY;
	r->lo = 1;
	r->hi = 0;
	r->p = (double)NAN;
	if (all < FEW || blocks < 2)
		return;
	if (mean > 0)
		dispersion = (square / unit / unit - blocks * mean * mean) /
			     (blocks - 1) / mean;
	dispersion = dispersion > 1 ? dispersion : 1;
	gain = 2 * (part(slow, all * share) + part(normal, all * (1 - share)));
	r->p = cp_t_tail(sqrt(gain > 0 ? gain / dispersion : 0), blocks - 1);
	if (!(slow > 0) || !(normal > 0))
		return;
	error = 1.96 * sqrt(dispersion * (1 / slow + 1 / normal));
	r->lo = r->ratio * exp(-error);
	r->hi = r->ratio * exp(error);
}

static int
compare_chances(const void *va, const void *vb)
{
	const struct cp_explain_row *a = va, *b = vb;
	bool na = isnan(a->p), nb = isnan(b->p);

	if (na || nb)
		return na - nb;
	if (a->p != b->p)
		return a->p < b->p ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

/* Holm's correction; rows are sorted by it. */
static void
correct(struct cp_explain *e)
{
	double *p = cp_run_alloc(e->run, (e->n_rows + 1) * sizeof(*p));

	qsort(e->row, e->n_rows, sizeof(*e->row), compare_chances);
	for (uint32_t i = 0; i < e->n_rows; i++)
		p[i] = e->row[i].p;
	cp_holm(p, NULL, e->n_rows,
	    cp_run_alloc(e->run, CP_HOLM_SCRATCH((size_t)e->n_rows)));
	for (uint32_t i = 0; i < e->n_rows; i++)
		e->row[i].p = p[i];
}

void
cp_explain_compare(struct cp_explain *e)
{
	struct sums s = { .e = e,
		.blocks = cp_tally_new(e->run),
		.times = cp_tally_new(e->run) };
	const struct cp_tally_row *rows;
	double *square;
	size_t n;

	cp_index_init(&s.rows, e->run);
	add_up(&s);
	n = cp_tally_rows(s.blocks, &rows);
	e->n_rows = s.rows.n;
	e->row =
	    cp_run_alloc(e->run, (e->n_rows + (size_t)1) * sizeof(*e->row));
	square =
	    cp_run_alloc(e->run, (e->n_rows + (size_t)1) * sizeof(*square));
	for (uint32_t i = 0; i < e->n_rows; i++) {
		e->row[i].kind = (enum cp_explain_kind)s.rows.all[i].a;
		e->row[i].name = (cp_string_id)s.rows.all[i].b;
	}
	for (size_t i = 0; i < n; i++) {
		double w = (double)rows[i].weight;

		if (rows[i].b == CP_EXPLAIN_SLOW) {
			e->row[rows[i].a].slow += w;
			continue;
		}
		e->row[rows[i].a].normal += w;
		square[rows[i].a] += w * w;
	}
	n = cp_tally_rows(s.times, &rows);
	for (size_t i = 0; i < n; i++)
		e->row[rows[i].a].times += (double)rows[i].weight;
	for (uint32_t i = 0; i < e->n_rows; i++)
		test(e, &e->row[i], square[i]);
	correct(e);
}
