/* SPDX-License-Identifier: MIT */
#include "analyses/diff/dispersion.h"

#include <math.h>
#include <string.h>

/* Slices of a run at most; at least half as many, as lengths double. */
#define SLICES 128u
#define FIRST_WIDTH (UINT64_C(1) << 20) /* ns */
/* Beside fewer others a function shows no bursts in a program's own time. */
#define LEAST_OTHERS 0.02
/* The part of a run that a phase has at least. */
#define LEAST_PHASE 0.045

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
		.wall = { cp_tally_new(run), cp_tally_new(run), 0, 0 },
		.cpu = { cp_tally_new(run), cp_tally_new(run), 0, 0 } };
	cp_diff_slices_clear(s);
}

void
cp_diff_slices_clear(struct cp_diff_slices *s)
{
	clock_clear(&s->wall);
	clock_clear(&s->cpu);
	s->samples = 0;
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

static void
clock_add(struct cp_diff_clock *c, const struct cp_sample *sample,
    uint64_t time, cp_frame_id frame, uint64_t weight)
{
	uint64_t since;

	if (c->first == CP_NO_TIME)
		c->first = time;
	since = time > c->first ? time - c->first : 0;
	while (since / c->width >= SLICES)
		widen(c);
	cp_tally_add(c->rows, (uint64_t)sample->event << 32 | since / c->width,
	    frame, weight);
}

void
cp_diff_slices_add(
    struct cp_diff_slices *s, const struct cp_sample *sample, uint64_t weight)
{
	cp_frame_id frame = cp_stack_frame(s->run, sample->stack);

	clock_add(&s->cpu, sample, FIRST_WIDTH * s->samples++, frame, weight);
	if (sample->time != CP_NO_TIME)
		clock_add(&s->wall, sample, sample->time, frame, weight);
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

/*
 * Returns how many times a function that costs `here` of `all` was seen: in so
 * many slices, of which a burst may fill two.  A phase of a certain length is
 * no burst that may as well not have come: each of its samples counts.
 */
static double
occurrences_of(
    const double *part, uint32_t n, double unit, double here, double all)
{
	double slices = 0, phases = 0;

	for (uint32_t i = 0; i < n; i++) {
		slices += part[i] > 0;
		phases += part[i] > 0 && (i == 0 || !(part[i - 1] > 0));
	}
	return phases > 0 && here > LEAST_PHASE * phases * all
		   ? here / unit
		   : fmax(phases, slices / 2);
}

/* What one clock shows of each function, and of all together. */
struct seen {
	double *dispersion, *slow, *cost, *occurrences; /* by symbol */
	double whole, all;
};

static struct seen
look(struct cp_diff_profiles *p, const struct cp_diff_profile *pr,
    const struct cp_diff_clock *c, uint32_t event)
{
	struct grid g = { .event = event, .symbols = pr->n_symbols };
	size_t size = (g.symbols + 1) * sizeof(double);
	double unit = pr->weight > 0 ? pr->weight_sq / pr->weight : 0;
	struct seen see = { .dispersion = cp_run_alloc(p->run, size),
		.slow = cp_run_alloc(p->run, size),
		.cost = cp_run_alloc(p->run, size),
		.occurrences = cp_run_alloc(p->run, size) };
	double part[SLICES];
	uint64_t frames;

	g.n = cp_tally_rows(c->rows, &g.rows);
	frames = measure(&g);
	g.symbol = cp_run_alloc(p->run, (frames + 1) * sizeof(*g.symbol));
	g.start =
	    cp_run_alloc(p->run, ((size_t)g.symbols + 3) * sizeof(*g.start));
	g.order = cp_run_alloc(p->run, (g.n + 1) * sizeof(*g.order));
	put_in_order(&g, p);
	for (uint32_t s = 0; s < g.symbols; s++) {
		see.cost[s] = slices_of(&g, g.start[s], g.start[s + 1], part);
		if (!(see.cost[s] > 0))
			continue;
		see.all += see.cost[s];
		see.dispersion[s] = cp_diff_dispersion(
		    part, g.slices, unit, CP_DIFF_MIN_SLICES);
		see.slow[s] = cp_diff_dispersion(
		    part, g.slices, unit, CP_DIFF_MIN_SLOW_SLICES);
		see.occurrences[s] = occurrences_of(
		    part, g.slices, unit, see.cost[s], pr->weight);
	}
	slices_of(&g, 0, g.start[g.symbols], part);
	see.whole =
	    cp_diff_dispersion(part, g.slices, unit, CP_DIFF_MIN_SLICES);
	return see;
}

/*
 * Bursts show in both clocks.  By the wall clock the neighbours of a busy host
 * make bursts, too: they take the CPU away.  By the program's own, its CPU
 * time, everything together has none, because a slice is so much CPU time, and
 * a function of share s shows 1 - s of its own.
 */
static void
take_lesser(struct seen *wall, const struct seen *cpu, uint32_t n)
{
	double sum = 0;

	for (uint32_t s = 0; s < n; s++) {
		double others = cpu->all > 0 ? 1 - cpu->cost[s] / cpu->all : 0;

		if (others > LEAST_OTHERS && cpu->cost[s] > 0) {
			wall->dispersion[s] = fmin(wall->dispersion[s],
			    fmax(1, cpu->dispersion[s] / others));
			wall->slow[s] =
			    fmin(wall->slow[s], fmax(1, cpu->slow[s] / others));
		}
		sum += wall->dispersion[s] * wall->cost[s];
	}
	if (wall->all > 0)
		wall->whole = fmin(wall->whole, fmax(1, sum / wall->all));
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

void
cp_diff_slices_read(const struct cp_diff_slices *s, struct cp_diff_profiles *p,
    struct cp_diff_profile *pr, uint32_t event)
{
	struct seen own, see;
	double sum = 0;

	pr->n_symbols = p->keys.n;
	own = see = look(p, pr, &s->cpu, event);
	/* In a sum of captures some may have times of an event, others not. */
	if (2 * weight_of(&s->wall, event) >= pr->weight) {
		see = look(p, pr, &s->wall, event);
		take_lesser(&see, &own, pr->n_symbols);
	}
	pr->dispersion = see.dispersion;
	pr->slow = see.slow;
	pr->occurrences = own.occurrences;
	pr->whole = see.whole;
	for (uint32_t i = 0; i < pr->n_symbols; i++)
		sum += see.dispersion[i] * see.cost[i];
	pr->typical = see.all > 0 ? sum / see.all : 1;
	/* Raises each function's to the bursts that all functions show. */
	for (uint32_t i = 0; i < pr->n_symbols; i++) {
		if (pr->dispersion[i] > 0)
			pr->dispersion[i] = fmax(pr->dispersion[i],
			    (pr->dispersion[i] + pr->typical) / 2);
		pr->slow[i] = fmax(pr->slow[i], pr->dispersion[i]);
	}
}
