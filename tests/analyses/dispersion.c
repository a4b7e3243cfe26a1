/* SPDX-License-Identifier: MIT */
/*
 * The 95 % intervals of shares hold the true share: this run's in 93 to 97 of
 * 100 simulated runs, the program's in 90 or more of 100 with phases of some
 * 20 samples.
 *
 * A run is simulated in continuous time: each group of CPUs works through
 * phases of random length, in each of which one function runs; ticks fall at
 * regular times, with a random first one.  The run's share is the time that a
 * function took, the program's is what its phases are drawn from.
 *
 * With the argument "table" all shapes are simulated and printed as Markdown:
 * bench/intervals.sh.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/precision/dispersion.h"
#include "tests/analyses/host.h"
#include "tests/analyses/draw.h"
#include "tests/tap.h"

#define FUNCTIONS 4
static const double share_of[FUNCTIONS] = { 0.6, 0.25, 0.12, 0.03 };

struct shape {
	const char *name;
	double phase;    /* mean length in ticks; 0: each sample by itself */
	unsigned cpus;   /* of a group: they work in step */
	unsigned groups; /* each works through phases of its own */
	unsigned ticks;  /* of a CPU */
	bool even;       /* phases of nearly equal length */
	double mixed;    /* so much of a phase is as in all others */
	bool random;     /* the times of the ticks are random */
	bool apart;      /* CPUs tick at different times */
	double weights;  /* how much they vary */
	bool checked;    /* in make check */
};

static const struct shape shapes[] = {
	{ .name = "independent",
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 10000,
	    .checked = true },
	{ .name = "independent, 1,000", .cpus = 1, .groups = 1, .ticks = 1000 },
	{ .name = "independent, 200", .cpus = 1, .groups = 1, .ticks = 200 },
	{ .name = "weights vary",
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 4000,
	    .weights = 1 },
	{ .name = "phases of 1",
	    .phase = 1,
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 10000 },
	{ .name = "phases of 5",
	    .phase = 5,
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 10000 },
	{ .name = "phases of 20",
	    .phase = 20,
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 10000,
	    .checked = true },
	{ .name = "phases of 20, 2,000",
	    .phase = 20,
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 2000 },
	{ .name = "phases of 18 to 22",
	    .phase = 20,
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 10000,
	    .even = true },
	{ .name = "phases of 20, half mixed",
	    .phase = 20,
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 10000,
	    .mixed = 0.5 },
	{ .name = "phases of 100, nine tenths mixed",
	    .phase = 100,
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 10000,
	    .mixed = 0.9 },
	{ .name = "phases of 100",
	    .phase = 100,
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 10000 },
	{ .name = "phases of 200",
	    .phase = 200,
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 20000 },
	{ .name = "8 threads, phases of 20",
	    .phase = 20,
	    .cpus = 1,
	    .groups = 8,
	    .ticks = 1250,
	    .apart = true },
	{ .name = "16 CPUs in step",
	    .cpus = 16,
	    .groups = 1,
	    .ticks = 625,
	    .checked = true },
	{ .name = "16 CPUs in step, phases of 20",
	    .phase = 20,
	    .cpus = 16,
	    .groups = 1,
	    .ticks = 1250,
	    .checked = true },
	{ .name = "16 CPUs in step that tick apart",
	    .phase = 20,
	    .cpus = 16,
	    .groups = 1,
	    .ticks = 1250,
	    .apart = true },
	{ .name = "4 x 4 CPUs in step, phases of 5",
	    .phase = 5,
	    .cpus = 4,
	    .groups = 4,
	    .ticks = 1250 },
	{ .name = "random ticks, phases of 20",
	    .phase = 20,
	    .cpus = 1,
	    .groups = 1,
	    .ticks = 10000,
	    .random = true },
};

/* ------------------------------------------------------------- simulation */

struct simulated {
	struct cp_tick *tick;
	uint8_t *function;
	double *weight;
	unsigned n;
	double took[FUNCTIONS], whole; /* time, exactly */
};

static uint8_t
function_draw(void)
{
	double u = draw();

	for (uint8_t f = 0; f < FUNCTIONS - 1; f++) {
		if (u < share_of[f])
			return f;
		u -= share_of[f];
	}
	return FUNCTIONS - 1;
}

static double
length_draw(const struct shape *s)
{
	return s->even ? s->phase * (0.9 + 0.2 * draw())
		       : -log(draw()) * s->phase;
}

static double
gap_draw(const struct shape *s)
{
	return s->random ? -log(draw()) : 1;
}

static void
sample_add(const struct shape *s, struct simulated *to, double time,
    unsigned cpu, uint8_t function)
{
	to->tick[to->n] =
	    (struct cp_tick){ .time = (uint64_t)(time * 1e6), .lane = cpu };
	to->function[to->n] = function;
	to->weight[to->n++] =
	    1 + floor(1e4 * (s->weights > 0 ? -log(draw()) : 1));
}

/* Without phases a function runs for so short that chance has no say. */
static void
took_add(const struct shape *s, struct simulated *to, uint8_t function,
    double length)
{
	double mixed = s->phase > 0 ? s->mixed : 1;

	for (unsigned f = 0; f < FUNCTIONS; f++)
		to->took[f] += length * mixed * share_of[f];
	to->took[function] += length * (1 - mixed);
}

/* The phases of one CPU of a group, from its seed on. */
static void
cpu_simulate(const struct shape *s, struct simulated *to, unsigned cpu,
    uint64_t phases, double offset)
{
	double at = s->random ? gap_draw(s) : offset, end = 0;
	uint64_t other = seed;
	uint8_t function = 0;
	unsigned n = 0;

	seed = phases;
	while (end < s->ticks) {
		double from = end;

		end += s->phase > 0 ? length_draw(s) : 1;
		function = function_draw();
		took_add(s, to, function, fmin(end, s->ticks) - from);
		phases = seed;
		seed = other;
		for (; at < end && at < s->ticks; at += gap_draw(s), n++)
			sample_add(s, to, at, cpu,
			    draw() < s->mixed ? function_draw() : function);
		other = seed;
		seed = phases;
	}
	seed = other;
	to->whole += s->ticks;
}

static int
compare_ticks(const void *va, const void *vb)
{
	const struct cp_tick *a = va, *b = vb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->lane > b->lane) - (a->lane < b->lane);
}

/* In order of time; function and weight go along through the lane's place. */
static void
sort(struct simulated *to)
{
	uint8_t *function = cp_xcalloc(1, to->n);
	double *weight = cp_xcalloc(1, to->n * sizeof(*weight));
	unsigned *next = cp_xcalloc(256, sizeof(*next));

	memcpy(function, to->function, to->n);
	memcpy(weight, to->weight, to->n * sizeof(*weight));
	for (unsigned i = to->n; i-- > 0;)
		next[to->tick[i].lane] = i;
	qsort(to->tick, to->n, sizeof(*to->tick), compare_ticks);
	for (unsigned i = 0; i < to->n; i++) {
		unsigned from = next[to->tick[i].lane]++;

		to->function[i] = function[from];
		to->weight[i] = weight[from];
	}
	free(function);
	free(weight);
	free(next);
}

static void
simulate(const struct shape *s, struct simulated *to)
{
	double offset = draw();

	to->n = 0;
	to->whole = 0;
	memset(to->took, 0, sizeof(to->took));
	for (unsigned g = 0; g < s->groups; g++) {
		uint64_t phases = (uint64_t)(draw() * 0x1p62);

		for (unsigned c = 0; c < s->cpus; c++)
			cpu_simulate(s, to, g * s->cpus + c, phases,
			    s->apart ? draw() : offset);
	}
	sort(to);
}

/* --------------------------------------------------------------- coverage */

struct outcome {
	unsigned run, program, of;
	double width;
};

static bool
holds(const struct simulated *sim, const bool *has, double dispersion,
    double truth, double *width)
{
	struct cp_whole whole = { .dispersion = dispersion };
	struct cp_mass part = { 0 };
	double lo, hi;

	for (unsigned i = 0; i < sim->n; i++) {
		double w = sim->weight[i];

		whole.mass.weight += (uint64_t)w;
		whole.mass.weight_sq += w * w;
		part.weight += has[i] ? (uint64_t)w : 0;
		part.weight_sq += has[i] ? w * w : 0;
	}
	cp_interval(part, whole, &lo, &hi);
	*width = hi - lo;
	return lo <= truth && truth <= hi;
}

static void *
of_run(void *run, size_t size)
{
	return cp_run_alloc(run, size);
}

static void
count(const struct simulated *sim, struct outcome *o)
{
	struct cp_run *run = host_new();
	struct cp_series series;
	bool *has = cp_xcalloc(sim->n, sizeof(*has));
	uint32_t *label = cp_xcalloc(sim->n, sizeof(*label));
	double width;

	for (unsigned i = 0; i < sim->n; i++)
		label[i] = sim->function[i];
	cp_series_init(&series, of_run, run, sim->tick, sim->n);
	cp_series_common(&series, label, FUNCTIONS);
	for (unsigned f = 0; f < FUNCTIONS; f++) {
		struct cp_dispersion d;

		unsigned n = 0;

		for (unsigned i = 0; i < sim->n; i++)
			n += has[i] = sim->function[i] == f;
		/* It has no row. */
		if (n == 0)
			continue;
		d = cp_series_dispersion(&series, has);
		o->of++;
		o->run +=
		    holds(sim, has, d.run, sim->took[f] / sim->whole, &width);
		o->program += holds(sim, has, d.program, share_of[f], &width);
		o->width += width;
	}
	free(has);
	free(label);
	host_free(run);
}

static struct outcome
measure(const struct shape *s, unsigned runs)
{
	unsigned most = s->cpus * s->groups * s->ticks * 2 + 1000;
	struct simulated sim = { .tick = cp_xcalloc(most, sizeof(*sim.tick)),
		.function = cp_xcalloc(most, 1),
		.weight = cp_xcalloc(most, sizeof(*sim.weight)) };
	struct outcome o = { 0 };

	for (unsigned i = 0; i < runs; i++) {
		simulate(s, &sim);
		count(&sim, &o);
	}
	free(sim.tick);
	free(sim.function);
	free(sim.weight);
	return o;
}

static void
table(unsigned runs)
{
	printf("| runs of | this run %% | the program %% | mean width |\n"
	       "|---|---|---|---|\n");
	for (size_t i = 0; i < CP_ARRAY_LEN(shapes); i++) {
		struct outcome o;

		seed = 42 + i;
		o = measure(&shapes[i], runs);
		printf("| %s | %.1f | %.1f | %.3f |\n", shapes[i].name,
		    100.0 * o.run / o.of, 100.0 * o.program / o.of,
		    o.width / o.of);
	}
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "table") == 0) {
		table(500);
		return 0;
	}
	for (size_t i = 0; i < CP_ARRAY_LEN(shapes); i++) {
		const struct shape *s = &shapes[i];
		struct outcome o;

		if (!s->checked)
			continue;
		seed = 42 + i;
		o = measure(s, 200);
		ok(o.run >= o.of * 0.93 && o.run <= o.of * 0.97,
		    "%s: %u of %u hold this run's", s->name, o.run, o.of);
		ok(o.program >= o.of * 0.90, "%s: %u hold the program's",
		    s->name, o.program);
	}
	return done_testing();
}
