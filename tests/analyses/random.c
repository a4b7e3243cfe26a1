/* SPDX-License-Identifier: MIT */
/*
 * Random stacks with much recursion: what the analyses compute over the trie
 * equals what counting sample by sample gives.  Then 400,000 distinct stacks
 * of depth 30, which must be quick.
 */
#include <time.h>

#include "tests/analyses/host.h"
#include "tests/tap.h"

#define OPTIONS(...)                                                           \
	(const char *const[])                                                  \
	{                                                                      \
		__VA_ARGS__, NULL                                              \
	}
#define NAMES 12
#define SAMPLES 3000
#define DEPTH 20

static uint64_t seed = 42;

static unsigned
draw(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % below;
}

struct plain {
	unsigned depth, name[DEPTH]; /* outermost first */
	uint64_t weight;
};

static struct plain plain[SAMPLES];

static struct cp_run *
random_run(void)
{
	struct cp_run *run = host_new();

	host_event(run, "cycles");
	for (unsigned i = 0; i < SAMPLES; i++) {
		struct plain *p = &plain[i];
		char text[DEPTH * 4 + 1] = "";
		size_t n = 0;

		p->depth = 1 + draw(DEPTH);
		p->weight = 1 + draw(1000);
		for (unsigned d = 0; d < p->depth; d++) {
			p->name[d] = draw(NAMES - draw(NAMES - 1));
			n += (size_t)snprintf(text + n, sizeof(text) - n,
			    "%sf%c", d != 0 ? ";" : "", 'a' + p->name[d]);
		}
		host_sample(run, "x", host_stack(run, text), p->weight)->cpu =
		    i % 2;
	}
	return run;
}

/* The row of a table whose last column is text. */
static const struct cp_row *
row_of(const struct cp_report *rep, const char *slug, const char *text)
{
	const struct cp_section *s = cp_report_find(rep, slug);

	for (size_t i = 0; s != NULL && i < s->table.rows.len; i++) {
		const struct cp_row *r = &s->table.rows.data[i];

		if (strcmp(r->values[s->table.columns.len - 1].text, text) == 0)
			return r;
	}
	return NULL;
}

/* Whether the sample has name below caller (NAMES: below anything). */
static bool
has_call(const struct plain *p, unsigned caller, unsigned name)
{
	for (unsigned d = 0; d < p->depth; d++)
		if (p->name[d] == name &&
		    (caller == NAMES || (d != 0 && p->name[d - 1] == caller)))
			return true;
	return false;
}

static uint64_t
weight_of_call(unsigned caller, unsigned name)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < SAMPLES; i++)
		if (has_call(&plain[i], caller, name))
			sum += plain[i].weight;
	return sum;
}

static uint64_t
total(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < SAMPLES; i++)
		sum += plain[i].weight;
	return sum;
}

static uint64_t
self(unsigned name)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < SAMPLES; i++)
		if (plain[i].name[plain[i].depth - 1] == name)
			sum += plain[i].weight;
	return sum;
}

static bool
near(double a, double b)
{
	return a - b < 1e-12 && b - a < 1e-12;
}

static void
test_children(struct cp_run *run)
{
	unsigned right = 0;
	struct cp_report rep;
	double all = (double)total();

	ok(host_run(run, "hotspots",
	       OPTIONS("by=symbol", "children=1", "top=0"), &rep) == CP_OK,
	    "hotspots runs");
	for (unsigned n = 0; n < NAMES; n++) {
		const struct cp_row *r = row_of(
		    &rep, "hotspots", (char[]){ 'f', (char)('a' + n), 0 });

		right += r != NULL &&
			 near(r->values[0].value,
			     (double)weight_of_call(NAMES, n) / all) &&
			 near(r->values[1].value, (double)self(n) / all);
	}
	is_u64(right, NAMES, "children and self of all symbols");
	cp_report_free(&rep);
}

static void
test_calls(struct cp_run *run)
{
	unsigned right = 0;
	struct cp_report rep;

	ok(host_run(run, "hotspots",
	       OPTIONS("callers=fa", "callees=fb", "top=0"), &rep) == CP_OK,
	    "hotspots runs with callers");
	for (unsigned n = 0; n < NAMES; n++) {
		char name[] = { 'f', (char)('a' + n), 0 };
		const struct cp_row *caller = row_of(&rep, "callers", name);
		const struct cp_row *callee = row_of(&rep, "callees", name);

		right += (caller != NULL ? caller->values[2].u64 : 0) ==
			     weight_of_call(n, 0) &&
			 (callee != NULL ? callee->values[2].u64 : 0) ==
			     weight_of_call(1, n);
	}
	is_u64(right, NAMES, "callers and callees of all symbols");
	cp_report_free(&rep);
}

/* Weight at the node of a stack given as names, in either direction. */
static uint64_t
flame_self(const struct cp_tree *t, const struct plain *p, bool reverse)
{
	uint32_t node = 0;

	for (unsigned d = 0; d < p->depth; d++) {
		unsigned at = reverse ? p->depth - 1 - d : d;
		uint32_t i = node + 1;

		while (i < t->nodes.len &&
		       (t->nodes.data[i].parent != node ||
			   t->nodes.data[i].name[1] != 'a' + (int)p->name[at]))
			i++;
		if (i == t->nodes.len)
			return 0;
		node = i;
	}
	return t->nodes.data[node].self;
}

static uint64_t
plain_self(const struct plain *p)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < SAMPLES; i++)
		if (plain[i].depth == p->depth &&
		    memcmp(plain[i].name, p->name,
			p->depth * sizeof(p->name[0])) == 0)
			sum += plain[i].weight;
	return sum;
}

static void
test_flame(struct cp_run *run, bool reverse)
{
	const struct cp_tree *t;
	struct cp_report rep;
	unsigned right = 0;

	ok(host_run(run, "flame",
	       OPTIONS("no-comm=1", reverse ? "reverse=1" : NULL),
	       &rep) == CP_OK,
	    "flame runs");
	t = &cp_report_find(&rep, "flame")->tree;
	is_u64(t->nodes.data[0].total, total(), "the root has all weight");
	for (unsigned i = 0; i < SAMPLES; i += 10)
		right +=
		    flame_self(t, &plain[i], reverse) == plain_self(&plain[i]);
	is_u64(right, SAMPLES / 10, "every stack has its weight%s",
	    reverse ? ", reversed" : "");
	cp_report_free(&rep);
}

/* Distinct stacks of depth 30 that share their outer part at random. */
static void
many_stacks(struct cp_run *run, unsigned n)
{
	cp_frame_id frames[2000];
	cp_stack_id spine[2000][26], at;
	char name[16];

	for (unsigned i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		frames[i] = host_frame(run, name);
	}
	for (unsigned i = 0; i < 2000; i++) {
		at = 0;
		for (unsigned d = 0; d < 26; d++)
			spine[i][d] = at =
			    host_push(run, at, frames[draw(2000)]);
	}
	for (unsigned i = 0; i < n; i++) {
		at = spine[draw(2000)][25];
		for (unsigned d = 26; d < 30; d++)
			at = host_push(run, at, frames[draw(2000)]);
		host_sample(run, "x", at, 1);
	}
}

static double
seconds(clock_t from)
{
	return (double)(clock() - from) / CLOCKS_PER_SEC;
}

static void
test_many(void)
{
	struct cp_run *run = host_new();
	struct cp_report rep;
	clock_t from;
	double took;

	host_event(run, "cycles");
	many_stacks(run, 400000);
	printf("# %u nodes\n", cp_stack_count(run));
	from = clock();
	ok(host_run(run, "hotspots", OPTIONS("children=1"), &rep) == CP_OK,
	    "400,000 stacks are summed");
	took = seconds(from);
	/* Of CPU; looking at each stack for each stack takes minutes. */
	ok(took < 60, "hotspots took %.3f s", took);
	cp_report_free(&rep);
	from = clock();
	ok(host_run(run, "flame", NULL, &rep) == CP_OK, "and drawn");
	took = seconds(from);
	ok(took < 60, "flame took %.3f s", took);
	cp_report_free(&rep);
	host_free(run);
}

int
main(void)
{
	struct cp_run *run = random_run();

	test_children(run);
	test_calls(run);
	test_flame(run, false);
	test_flame(run, true);
	host_free(run);
	test_many();
	return done_testing();
}
