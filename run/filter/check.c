/* SPDX-License-Identifier: MIT */
/*
 * check: reports filters that match nothing, after the capture was read.
 *
 * An empty report looks like good news.  So a filter that matches nothing in
 * the capture is an error that lists the existing names, nearest first.  If
 * only one of several words matches nothing, that is a warning.  With several
 * captures it is a warning, too: one may lack what another has.
 */
#include "run/filter/miss.h"
#include "run/api.h"

/*
 * Reports the words of a choice that matched nothing; the candidates are those
 * of the option.
 */
static void
check_choice(struct cp_filter_misses *c, const struct cp_choice *choice,
    const char *option)
{
	bool all = !cp_choice_hit(choice);

	for (size_t i = 0; i < choice->words.len; i++)
		if (!choice->words.data[i].hit)
			cp_filter_miss(
			    c, option, choice->words.data[i].pattern.text, all);
}

/* ------------------------------------------------------------- candidates */

static void
check_events(struct cp_filter_misses *c)
{
	struct cp_run *run = c->run;

	cp_events_choose(run, &run->filter.events);
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (!cp_run_evsel(run, i)->dummy)
			cp_filter_candidate(c, cp_run_evsel(run, i)->name, 0);
	check_choice(c, &run->filter.events, "event");
}

/* Candidates include threads that were not sampled. */
static void
check_comms(struct cp_filter_misses *c)
{
	const struct cp_session *s = &c->run->session;

	for (size_t i = 0; i < s->thread.len; i++) {
		const struct cp_thread *t = &s->thread.data[i];

		(void)cp_choice_name(&c->run->filter.comms, t->comm,
		    cp_run_string(c->run, t->comm));
		cp_filter_candidate(c, cp_run_string(c->run, t->comm), 0);
	}
	check_choice(c, &c->run->filter.comms, "comm");
}

static void
check_dsos(struct cp_filter_misses *c)
{
	struct cp_run *run = c->run;

	for (uint32_t i = 1; i <= cp_run_dso_count(run); i++) {
		const struct cp_dso *d = cp_run_dso(run, i);

		if (d == NULL)
			continue;
		(void)cp_filter_pass_object(run, i);
		cp_filter_candidate(c, cp_run_string(run, d->short_name), 0);
	}
	check_choice(c, &run->filter.dsos, "dso");
}

static void
check_cgroups(struct cp_filter_misses *c)
{
	const struct cp_map64 *m = &c->run->session.cgroups;

	for (size_t i = 0; m->slots != NULL && i <= m->mask; i++)
		if (m->slots[i].value != 0)
			cp_filter_candidate(
			    c, cp_run_string(c->run, m->slots[i].value), 0);
	check_choice(c, &c->run->filter.cgroups, "cgroup");
}

/* Only symbols of samples that passed the other filters are known. */
static void
check_symbols(struct cp_filter_misses *c)
{
	const struct cp_run *run = c->run;

	for (size_t i = 0; i < run->symbol.len; i++)
		cp_filter_candidate_code(c, (cp_frame_id)i, 0);
	if (run->filter.symbols.asked.len != 0)
		check_choice(c, &run->filter.symbols, "symbol");
	if (run->filter.focus.asked.len != 0)
		check_choice(c, &run->filter.focus, "focus");
}

/* ---------------------------------------------------------------- numbers */

static bool
in_ranges(const struct cp_range *r, size_t n, uint32_t v)
{
	for (size_t i = 0; i < n; i++)
		if (v >= r[i].from && v <= r[i].to)
			return true;
	return false;
}

static uint32_t
tid_of(const struct cp_thread *t)
{
	return t->tid;
}

static uint32_t
pid_of(const struct cp_thread *t)
{
	return t->pid;
}

static void
check_tasks(struct cp_filter_misses *c, const struct cp_range *r, size_t n,
    const char *option, uint32_t (*id_of)(const struct cp_thread *))
{
	const struct cp_session *s = &c->run->session;
	bool hit = false;

	for (size_t i = 0; i < s->thread.len; i++) {
		uint32_t id = id_of(&s->thread.data[i]);

		if (id != CP_NO_ID)
			cp_filter_candidate_number(c, id);
		hit |= in_ranges(r, n, id);
	}
	if (!hit)
		cp_filter_miss_ranges(c, option, r, n);
}

static void
check_pids(struct cp_filter_misses *c)
{
	const struct cp_filter *f = &c->run->filter;

	check_tasks(c, f->pids.data, f->pids.len, "pid", pid_of);
}

static void
check_tids(struct cp_filter_misses *c)
{
	const struct cp_filter *f = &c->run->filter;

	check_tasks(c, f->tids.data, f->tids.len, "tid", tid_of);
}

/* Of switches only the number of CPUs is known. */
static void
check_cpus(struct cp_filter_misses *c)
{
	const struct cp_filter *f = &c->run->filter;
	const struct cp_map64 *seen = &f->tally.seen[CP_FILTER_CPU];
	bool hit = f->tally.alone[CP_FILTER_CPU] != 0;

	for (uint32_t i = 0; i < c->run->rec.info.nr_cpus_avail; i++)
		hit |= in_ranges(f->cpus.data, f->cpus.len, i);
	for (size_t i = 0; seen->slots != NULL && i <= seen->mask; i++)
		if (seen->slots[i].value != 0 && seen->slots[i].key != CP_NO_ID)
			cp_filter_candidate_number(c, seen->slots[i].key);
	if (!hit)
		cp_filter_miss_ranges(c, "cpu", f->cpus.data, f->cpus.len);
}

static void
check_time(struct cp_filter_misses *c)
{
	struct cp_run *run = c->run;
	const struct cp_filter *f = &run->filter;
	const struct cp_quality *q = &run->quality;
	uint64_t first = cp_run_start(run);

	/* Captures of a snapshot's that --time leaves nothing of. */
	if (f->outside != 0)
		cp_filter_miss_windows(c, f->outside);
	if (f->placed != 0 || q->first_time == CP_NO_TIME ||
	    first > q->first_time ||
	    cp_run_keeps_some(run, q->first_time, q->last_time))
		return;
	cp_filter_miss_time(
	    c, c->several ? CP_D_PART_MATCH : CP_D_NO_MATCH, "");
}

/* Runs a check if its option was given, with an empty list of candidates. */
static void
run_check(struct cp_filter_misses *c, bool given,
    void (*check)(struct cp_filter_misses *))
{
	c->there.len = 0;
	if (given)
		check(c);
}

/* Threads may have been kept by their switches, which are no samples. */
static bool
may_keep_more(struct cp_run *run)
{
	bool more = run->want_all || run->want_sideband || run->tap != NULL;

	if (more && run->switches)
		return true;
	for (uint32_t i = 0; run->want_all && i < cp_run_evsel_count(run); i++)
		if (cp_run_evsel(run, i)->type == CP_TYPE_TRACEPOINT)
			return true;
	return false;
}

static void
check_each(struct cp_filter_misses *c)
{
	const struct cp_filter *f = &c->run->filter;

	run_check(c, f->events.words.len != 0, check_events);
	run_check(c, f->comms.words.len != 0, check_comms);
	run_check(c, f->pids.len != 0, check_pids);
	run_check(c, f->tids.len != 0, check_tids);
	run_check(c, f->cpus.len != 0, check_cpus);
	run_check(c, f->dsos.words.len != 0, check_dsos);
	run_check(c, f->cgroups.words.len != 0, check_cgroups);
	run_check(c, f->symbols.words.len != 0 || f->focus.words.len != 0,
	    check_symbols);
	run_check(c, f->timed, check_time);
}

void
cp_filter_check(struct cp_run *run)
{
	struct cp_filter_misses c = { .run = run,
		.several = run->tasks.len != 0 &&
			   run->tasks.data[0].analysis->captures > 1 };

	if (!run->filter.any || run->quality.samples == 0)
		return;
	if (run->quality.samples_kept != 0 || may_keep_more(run))
		check_each(&c);
	else
		cp_filter_none(&c);
	run->missed += c.missed;
	cp_vec_free(&c.there);
	cp_arena_free(&c.arena);
}
