/* SPDX-License-Identifier: MIT */
#include "analyses/diff/slices.h"

#include <math.h>
#include <string.h>

/* Slices of a run at most; at least half as many, as lengths double. */
#define SLICES 128u
#define FIRST_WIDTH (UINT64_C(1) << 20) /* ns */

static void
clock_clear(struct cp_diff_clock *c)
{
	cp_tally_clear(c->rows);
	c->first = CP_NO_TIME;
	c->width = FIRST_WIDTH;
}

void
cp_diff_slices_init(struct cp_diff_slices *s, struct cp_run *run)
{
	*s = (struct cp_diff_slices){ .run = run,
		.timed = { cp_tally_new(run), cp_tally_new(run), 0, 0 },
		.ticks = { cp_tally_new(run), cp_tally_new(run), 0, 0 } };
	cp_diff_slices_clear(s);
}

void
cp_diff_slices_clear(struct cp_diff_slices *s)
{
	clock_clear(&s->timed);
	clock_clear(&s->ticks);
	s->untimed = 0;
}

/* Makes slices twice as wide. */
static void
widen(struct cp_diff_clock *c)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(c->rows, &rows);
	struct cp_tally *wider = c->spare, *old = c->rows;

	for (size_t i = 0; i < n; i++)
		cp_tally_add(wider,
		    (rows[i].a & ~UINT64_C(0xffffffff)) |
			(uint32_t)rows[i].a / 2,
		    rows[i].b, rows[i].weight);
	cp_tally_clear(old);
	c->spare = old;
	c->rows = wider;
	c->width *= 2;
}

void
cp_diff_slices_add(
    struct cp_diff_slices *s, const struct cp_sample *sample, uint64_t weight)
{
	bool timed = sample->time != CP_NO_TIME;
	struct cp_diff_clock *c = timed ? &s->timed : &s->ticks;
	uint64_t time = timed ? sample->time : FIRST_WIDTH * s->untimed++;
	uint64_t since;

	if (c->first == CP_NO_TIME)
		c->first = time;
	since = time > c->first ? time - c->first : 0;
	while (since / c->width >= SLICES)
		widen(c);
	cp_tally_add(c->rows, (uint64_t)sample->event << 32 | since / c->width,
	    cp_stack_frame(s->run, sample->stack), weight);
}

/* -------------------------------------------------------------- dispersion */

/* Computes the dispersion of longer slices, j of the given ones each. */
static double
dispersion_at(const double *part, uint32_t n, uint32_t joined, double unit)
{
	double sum = 0, squares = 0, before = 0;
	uint32_t m = n / joined;

	for (uint32_t i = 0; i < m; i++) {
		double here = 0;

		for (uint32_t k = 0; k < joined; k++)
			here += part[i * joined + k];
		if (i != 0)
			squares += (here - before) * (here - before);
		sum += here;
		before = here;
	}
	if (!(sum > 0))
		return 1;
	return squares / (2 * (m - 1)) / (sum / m * unit);
}

double
cp_diff_dispersion(
    const double *part, uint32_t n, double mean_weight, uint32_t least)
{
	double most = 1;

	if (!(mean_weight > 0))
		return 1;
	for (uint32_t joined = 1; n / joined >= least; joined *= 2)
		most = fmax(most, dispersion_at(part, n, joined, mean_weight));
	return most;
}

/* ----------------------------------------------------------------- reading */

/* The rows of the slices for one event. */
struct grid {
	const struct cp_tally_row *rows;
	size_t n;
	uint32_t event;
	uint32_t slices;  /* number of complete slices */
	uint32_t symbols; /* number of symbols */
	uint32_t *symbol; /* by frame: number + 1; 0: not seen */
	/* by symbol: start of its rows; the last is the end */
	size_t *start;
	uint32_t *order; /* order of rows */
};

static bool
is_of(const struct grid *g, size_t i)
{
	return g->rows[i].a >> 32 == g->event;
}

static uint32_t
slice_of(const struct grid *g, size_t i)
{
	return (uint32_t)g->rows[i].a;
}

/*
 * Finds the complete slices: the last one is not over.  Returns the last frame.
 */
static uint64_t
measure(struct grid *g)
{
	uint64_t frames = 0;

	for (size_t i = 0; i < g->n; i++) {
		if (!is_of(g, i))
			continue;
		if (slice_of(g, i) > g->slices)
			g->slices = slice_of(g, i);
		if (g->rows[i].b > frames)
			frames = g->rows[i].b;
	}
	return frames;
}

/* Sorts rows by symbol. */
static void
put_in_order(struct grid *g, struct cp_diff_profiles *p)
{
	for (size_t i = 0; i < g->n; i++) {
		uint32_t *s = &g->symbol[g->rows[i].b];

		if (!is_of(g, i))
			continue;
		if (*s == 0)
			*s = cp_diff_symbol_number(
				 p, (cp_frame_id)g->rows[i].b) +
			     1;
		if (*s <= g->symbols)
			g->start[*s + 1]++;
	}
	for (uint32_t s = 1; s <= g->symbols; s++)
		g->start[s + 1] += g->start[s];
	for (size_t i = 0; i < g->n; i++)
		if (is_of(g, i) && g->symbol[g->rows[i].b] <= g->symbols)
			g->order[g->start[g->symbol[g->rows[i].b]]++] =
			    (uint32_t)i;
}

/* Computes the cost of a symbol, or of all, in each slice; returns the sum. */
static double
slices_of(const struct grid *g, size_t from, size_t to, double *part)
{
	double sum = 0;

	memset(part, 0, SLICES * sizeof(*part));
	for (size_t k = from; k < to; k++) {
		const struct cp_tally_row *row = &g->rows[g->order[k]];

		if ((uint32_t)row->a >= g->slices)
			continue;
		part[(uint32_t)row->a] += (double)row->weight;
		sum += (double)row->weight;
	}
	return sum;
}

/* Raises each function's dispersion to the bursts that all functions show. */
static void
moderate(struct cp_diff_profile *pr)
{
	for (uint32_t s = 0; s < pr->n_symbols; s++) {
		if (pr->dispersion[s] > 0)
			pr->dispersion[s] = fmax(pr->dispersion[s],
			    (pr->dispersion[s] + pr->typical) / 2);
		pr->slow[s] = fmax(pr->slow[s], pr->dispersion[s]);
	}
}

static void
find_dispersions(const struct grid *g, struct cp_diff_profile *pr)
{
	double unit = pr->weight > 0 ? pr->weight_sq / pr->weight : 0;
	double part[SLICES], sum = 0, all = 0;

	for (uint32_t s = 0; s < g->symbols; s++) {
		double here = slices_of(g, g->start[s], g->start[s + 1], part);

		if (!(here > 0))
			continue;
		pr->dispersion[s] = cp_diff_dispersion(
		    part, g->slices, unit, CP_DIFF_MIN_SLICES);
		pr->slow[s] = cp_diff_dispersion(
		    part, g->slices, unit, CP_DIFF_MIN_SLOW_SLICES);
		sum += pr->dispersion[s] * here;
		all += here;
	}
	pr->typical = all > 0 ? sum / all : 1;
	slices_of(g, 0, g->start[g->symbols], part);
	pr->whole =
	    cp_diff_dispersion(part, g->slices, unit, CP_DIFF_MIN_SLICES);
	moderate(pr);
}

static double
weight_of(const struct cp_diff_clock *c, uint32_t event)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(c->rows, &rows);
	double weight = 0;

	for (size_t i = 0; i < n; i++)
		if (rows[i].a >> 32 == event)
			weight += (double)rows[i].weight;
	return weight;
}

/* In a sum of captures some may have times of an event, and others not. */
static const struct cp_tally *
rows_of(const struct cp_diff_slices *s, uint32_t event)
{
	return weight_of(&s->timed, event) >= weight_of(&s->ticks, event)
		   ? s->timed.rows
		   : s->ticks.rows;
}

void
cp_diff_slices_read(const struct cp_diff_slices *s, struct cp_diff_profiles *p,
    struct cp_diff_profile *pr, uint32_t event)
{
	struct grid g = { .event = event, .symbols = p->keys.n };
	uint64_t frames;

	g.n = cp_tally_rows(rows_of(s, event), &g.rows);
	frames = measure(&g);
	pr->n_symbols = g.symbols;
	pr->dispersion =
	    cp_run_alloc(p->run, (pr->n_symbols + 1) * sizeof(*pr->dispersion));
	pr->slow =
	    cp_run_alloc(p->run, (pr->n_symbols + 1) * sizeof(*pr->slow));
	g.symbol = cp_run_alloc(p->run, (frames + 1) * sizeof(*g.symbol));
	g.start =
	    cp_run_alloc(p->run, ((size_t)g.symbols + 3) * sizeof(*g.start));
	g.order = cp_run_alloc(p->run, (g.n + 1) * sizeof(*g.order));
	put_in_order(&g, p);
	find_dispersions(&g, pr);
}
