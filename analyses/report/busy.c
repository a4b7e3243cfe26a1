/* SPDX-License-Identifier: MIT */
/* CPUs that were busy all the time, for a while. */
#include "analyses/report/report.h"

#include <stdlib.h>

#include "analyses/common/event.h"
#include "analyses/common/label.h"

#define SLICES 64u
#define FIRST_WIDTH UINT64_C(10000000)

/* A key: event, CPU, slice. */
#define KEY(event, cpu, slice)                                                 \
	((uint64_t)(event) << 48 | (uint64_t)((cpu)&0xffffffff) << 8 | (slice))

struct cp_busy {
	struct cp_run *run;
	struct cp_tally *at, *spare; /* KEY, frame */
	uint64_t base, width, last;
};

/* A span of slices in which one CPU was busy. */
struct span {
	uint32_t cpu, from, to; /* to: one after the last */
	uint64_t samples;
	uint32_t all;  /* busy slices of this CPU, those elsewhere, too */
	uint32_t cpus; /* that have samples */
	uint32_t busy; /* of these, in the whole span */
};

struct function {
	uint64_t inside, outside;
};

struct cp_busy *
cp_busy_new(struct cp_run *run)
{
	struct cp_busy *b = cp_run_alloc(run, sizeof(*b));

	b->run = run;
	b->at = cp_tally_new(run);
	b->spare = cp_tally_new(run);
	return b;
}

/* Joins pairs of slices. */
static void
widen(struct cp_busy *b)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(b->at, &rows);
	struct cp_tally *old = b->at;

	for (size_t i = 0; i < n; i++)
		cp_tally_add(b->spare,
		    (rows[i].a & ~UINT64_C(0xff)) | (rows[i].a & 0xff) / 2,
		    rows[i].b, rows[i].weight);
	b->at = b->spare;
	b->spare = old;
	cp_tally_clear(old);
	b->width *= 2;
}

void
cp_busy_sample(struct cp_busy *b, const struct cp_sample *s)
{
	uint64_t t;

	/* An unknown interval shows no busy CPU. */
	if (s->time == CP_NO_TIME || s->cpu == CP_NO_ID ||
	    cp_event_interval(cp_run_evsel(b->run, s->event)) <= 0)
		return;
	if (b->width == 0) {
		b->base = s->time;
		b->width = FIRST_WIDTH;
	}
	t = s->time > b->base ? s->time - b->base : 0;
	if (t >> 62 != 0)
		return;
	while (t / b->width >= SLICES)
		widen(b);
	b->last = t > b->last ? t : b->last;
	/* Task 0 is the idle task. */
	if (s->pid == 0)
		return;
	cp_tally_add(b->at, KEY(s->event, s->cpu, t / b->width),
	    cp_stack_frame(b->run, s->stack), 1);
}

static int
compare_keys(const void *va, const void *vb)
{
	const struct cp_tally_row *a = va, *b = vb;

	return (a->a > b->a) - (a->a < b->a);
}

/* Finds the longest busy span of one CPU, if it is longer than best. */
static void
look_at(const uint64_t slice[static SLICES], uint32_t cpu, uint32_t n,
    double full, struct span *best)
{
	double least = full * cp_threshold(CP_T_SATURATED);
	struct span s = { .cpu = cpu };
	bool better = false;
	uint32_t all = 0;

	for (uint32_t i = 0; i < n; i++) {
		if ((double)slice[i] < least) {
			s = (struct span){
				.cpu = cpu, .from = i + 1, .to = i + 1
			};
			continue;
		}
		all++;
		s.to = i + 1;
		s.samples += slice[i];
		if (s.to - s.from > best->to - best->from) {
			*best = s;
			better = true;
		}
	}
	if (better)
		best->all = all;
}

/* Finds the longest span in rows of one event, sorted by CPU and slice. */
static struct span
longest(const struct cp_tally_row *rows, size_t n, uint32_t slices, double full)
{
	struct span best = { 0 };

	for (size_t i = 0; i < n;) {
		uint64_t slice[SLICES] = { 0 };
		uint64_t cpu = rows[i].a >> 8;

		for (; i < n && rows[i].a >> 8 == cpu; i++)
			slice[rows[i].a & 0xff] += rows[i].weight;
		look_at(slice, (uint32_t)cpu, slices, full, &best);
	}
	return best;
}

/* Counts the CPUs that were as busy in the span. */
static void
count_busy(
    struct span *s, const struct cp_tally_row *rows, size_t n, double full)
{
	double least = full * cp_threshold(CP_T_SATURATED);

	for (size_t i = 0; i < n;) {
		uint64_t sum = 0, cpu = rows[i].a >> 8;

		for (; i < n && rows[i].a >> 8 == cpu; i++)
			if ((rows[i].a & 0xff) >= s->from &&
			    (rows[i].a & 0xff) < s->to)
				sum += rows[i].weight;
		s->cpus++;
		s->busy += (double)sum >= least * (s->to - s->from);
	}
}

/*
 * Finds the function whose share in the span exceeds its share elsewhere the
 * most.
 */
static const char *
find_function(struct cp_busy *b, const struct span *s,
    const struct cp_tally_row *rows, size_t n, struct function *out,
    struct function *all)
{
	struct function *of = NULL;
	struct cp_index names;
	const char *name = NULL;
	uint32_t cap = 0;
	double most = 0;

	cp_index_init(&names, b->run);
	for (size_t i = 0; i < n; i++) {
		const struct cp_symbol *sym =
		    cp_frame_symbol(b->run, (cp_frame_id)rows[i].b);
		uint32_t slice = rows[i].a & 0xff, k;
		bool in = (uint32_t)(rows[i].a >> 8) == s->cpu &&
			  slice >= s->from && slice < s->to;

		*(in ? &all->inside : &all->outside) += rows[i].weight;
		if (sym == NULL)
			continue;
		k = cp_index_put(&names, cp_run_intern(b->run, sym->name), 0);
		cp_grow_to(b->run, of, &cap, k);
		*(in ? &of[k].inside : &of[k].outside) += rows[i].weight;
	}
	for (uint32_t k = 0; k < names.n; k++) {
		double more =
		    cp_share((double)of[k].inside, (double)all->inside) -
		    cp_share((double)of[k].outside, (double)all->outside);

		if (more <= most)
			continue;
		most = more;
		*out = of[k];
		name = cp_run_string(b->run, (cp_string_id)names.all[k].a);
	}
	return name;
}

/* True if the slices cover what the capture does, or --time. */
static bool
covers(const struct cp_busy *b)
{
	const struct cp_quality *q = cp_run_quality(b->run);
	uint64_t from, to, end = b->base + b->last;

	cp_run_window(b->run, &from, &to);
	if (from < q->first_time)
		from = q->first_time;
	if (to > q->last_time)
		to = q->last_time;
	return (b->base < from || b->base - from < b->width) &&
	       (to < end || to - end < b->width);
}

static void
tell(struct cp_busy *b, const struct span *s, const struct cp_tally_row *rows,
    size_t n, struct cp_accounts *a)
{
	struct function f = { 0 }, all = { 0 };
	const char *name = find_function(b, s, rows, n, &f, &all);
	struct cp_word cpu;
	const char *who = cp_account_phrase(a,
	    &(struct cp_account){ .name = s->busy <= 1         ? CP_A_THIS_CPU
					  : s->busy == s->cpus ? CP_A_ALL_CPUS
							       : CP_A_SOME_CPUS,
		.what = cp_word_id(&cpu, s->cpu),
		.n = s->cpus,
		.m = s->busy });
	struct cp_account x = { .name = CP_A_SATURATED_FROM,
		.what = who,
		.when = b->base + s->from * b->width,
		.until = b->base + s->to * b->width,
		.typical = (s->all - (s->to - s->from)) * b->width,
		.share = cp_percent_of_counts(f.inside, all.inside),
		.next = cp_percent_of_counts(f.outside, all.outside) };

	if (s->busy <= 1)
		x.about =
		    cp_account_phrase(a, CP_ACCOUNT(CPU, .what = cpu.text));
	if (s->from == 0 && s->to == b->last / b->width && covers(b))
		x.name = CP_A_SATURATED;
	else if (name != NULL && all.outside != 0 &&
		 x.share.lo - x.next.hi >=
		     100 * cp_threshold(CP_T_SATURATED_FUNCTION))
		x.where = name;
	cp_accounts_add(a, &x);
}

void
cp_busy_show(struct cp_busy *b, uint32_t event, struct cp_accounts *a)
{
	double interval = cp_event_interval(cp_run_evsel(b->run, event));
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(b->at, &rows), of_event = 0;
	struct cp_tally_row *own = cp_run_alloc(b->run, n * sizeof(*own));
	struct span s;

	if (interval <= 0 || b->width == 0)
		return;
	for (size_t i = 0; i < n; i++)
		if (rows[i].a >> 48 == (event & 0xffff))
			own[of_event++] = rows[i];
	qsort(own, of_event, sizeof(*own), compare_keys);
	/* The last slice is incomplete, so it is not used. */
	s = longest(own, of_event, (uint32_t)(b->last / b->width),
	    (double)b->width / interval);
	if ((double)((s.to - s.from) * b->width) >=
		cp_threshold(CP_T_SATURATED_SPAN) &&
	    (double)s.samples >= cp_threshold(CP_T_SATURATED_SAMPLES)) {
		count_busy(&s, own, of_event, (double)b->width / interval);
		tell(b, &s, own, of_event, a);
	}
}
