/* SPDX-License-Identifier: MIT */
#include "analyses/syscalls/brief.h"

#include "analyses/common/label.h"
#include "analyses/summary/thresholds.h"
#include "analyses/syscalls/syscalls.h"

/* Calls of one name. */
struct named {
	const char *name;
	struct cp_calls calls;
};

static bool
recorded(const struct cp_run *run)
{
	return cp_brief_recorded(run, cp_syscalls_probes);
}

static void *
begin(struct cp_run *run)
{
	struct cp_syscalls *c = cp_run_alloc(run, sizeof(*c));

	cp_syscalls_init(c, run);
	return c;
}

static void
sample(void *state, const struct cp_sample *s)
{
	cp_syscalls_sample(state, s);
}

static void
event(void *state, const struct cp_sideband *e)
{
	cp_syscalls_sideband(state, e);
}

static void
add(struct cp_run *run, struct cp_calls *to, const struct cp_calls *from)
{
	to->started += from->started;
	to->errors += from->errors;
	cp_quantiles_merge(run, &to->took, &from->took);
}

static struct named *
sum_by_name(struct cp_syscalls *c, uint32_t *n, struct cp_calls *all)
{
	struct named *sums = cp_run_alloc(c->run, c->rows.n * sizeof(*sums));
	struct cp_index names;

	cp_index_init(&names, c->run);
	*all = (struct cp_calls){ 0 };
	for (uint32_t i = 0; i < c->rows.n; i++) {
		const char *name = cp_syscalls_name(c, c->rows.all[i].b);
		uint32_t k =
		    cp_index_put(&names, cp_run_intern(c->run, name), 0);

		sums[k].name = name;
		add(c->run, &sums[k].calls, &c->row[i]);
		add(c->run, all, &c->row[i]);
	}
	*n = names.n;
	return sums;
}

static void
show_failing(const struct named *s, struct cp_brief_lines *l)
{
	double share =
	    cp_share((double)s->calls.errors, (double)s->calls.started);
	struct cp_word a, b, part;

	cp_brief_line(l, "%.64s failed most often: %s of %s call%s", s->name,
	    cp_word_count(&a, s->calls.errors),
	    cp_word_count(&b, s->calls.started), cp_word_s(s->calls.started));
	if (share >= cp_threshold(CP_T_CALL_ERRORS) &&
	    (double)s->calls.started >= cp_threshold(CP_T_CALLS))
		cp_brief_found(l, "system calls",
		    "%.64s failed %s of the time, of %s calls: coldperf "
		    "syscalls",
		    s->name, cp_word_percent(&part, share, 1), b.text);
}

/* Calls without an end took some time, but nobody knows how much. */
static void
show_times(const struct cp_calls *all, uint32_t kinds, struct named *longest,
    struct cp_brief_lines *l)
{
	struct cp_word a, b, p99;

	(void)cp_word_count(&a, all->started);
	if (all->took.n == 0) {
		cp_brief_line(l,
		    "%s call%s of %u kind%s; no end of a call is in the "
		    "capture",
		    a.text, cp_word_s(all->started), kinds, cp_word_s(kinds));
		return;
	}
	cp_brief_line(l, "%s call%s of %u kind%s took %s in sum", a.text,
	    cp_word_s(all->started), kinds, cp_word_s(kinds),
	    cp_word_time(&b, all->took.sum));
	cp_brief_line(l, "%.64s took most: %s in %s call%s, 99 of 100 up to %s",
	    longest->name, cp_word_time(&a, longest->calls.took.sum),
	    cp_word_count(&b, longest->calls.started),
	    cp_word_s(longest->calls.started),
	    cp_word_time(&p99, cp_quantiles_at(&longest->calls.took, 0.99)));
}

static void
show(void *state, struct cp_brief_lines *l)
{
	struct cp_syscalls *c = state;
	struct named *longest = NULL, *failing = NULL;
	struct cp_calls all;
	uint32_t n;
	struct named *s;

	cp_syscalls_finish(c);
	s = sum_by_name(c, &n, &all);

	for (uint32_t i = 0; i < n; i++) {
		if (longest == NULL ||
		    s[i].calls.took.sum > longest->calls.took.sum)
			longest = &s[i];
		if (failing == NULL ||
		    s[i].calls.errors > failing->calls.errors)
			failing = &s[i];
	}
	if (longest != NULL)
		show_times(&all, n, longest, l);
	if (failing != NULL && failing->calls.errors != 0)
		show_failing(failing, l);
}

const struct cp_brief_part cp_syscalls_brief = {
	.command = "syscalls",
	.what = "system calls",
	.record = CP_ADVICE_syscalls,
	.recorded = recorded,
	.all = true,
	.begin = begin,
	.sample = sample,
	.event = event,
	.show = show,
};
