/* SPDX-License-Identifier: MIT */
/*
 * filter-check: reports filters that match nothing, after the capture was read.
 *
 * An empty report looks like good news.  So a filter that matches nothing in
 * the capture is an error that lists what there is, nearest first.  If only one
 * of several words matches nothing, that is a warning.  With several captures
 * it is a warning, too: one may lack what another has.
 */
#include "base/match/nearest.h"
#include "run/api.h"
#include "run/event-name.h"

/* Bytes for the list of candidates in a diagnostic. */
#define ROOM 150

struct check {
	struct cp_run *run;
	struct cp_arena arena; /* memory for the texts of candidates */
	cp_candidates there;
	bool several, missed;
};

static void
add(struct check *c, const char *name)
{
	if (name != NULL && name[0] != '\0')
		*cp_vec_push(&c->there) = name;
}

static void
add_number(struct check *c, uint64_t number)
{
	char text[24];
	int n = snprintf(text, sizeof(text), "%" PRIu64, number);

	add(c, cp_arena_strndup(&c->arena, text, (size_t)n));
}

/*
 * Reports that nothing matches the word; all: the whole filter matches nothing.
 */
static void
miss(struct check *c, const char *option, const char *word, bool all)
{
	struct cp_buf b;

	cp_buf_init(&b, 4096);
	cp_nearest_list(&b, word, &c->there, ROOM);
	cp_diag(c->run->diags,
	    all && !c->several ? CP_D_NO_MATCH : CP_D_PART_MATCH,
	    "--%s %.40s; %s%s", option, word,
	    b.len == 0          ? "the samples have none"
	    : c->there.len == 1 ? "there is: "
				: "there are: ",
	    cp_buf_text(&b));
	cp_buf_free(&b);
	c->missed |= all;
}

/*
 * Reports the words of a choice that matched nothing; the candidates are those
 * of the option.
 */
static void
check_choice(
    struct check *c, const struct cp_choice *choice, const char *option)
{
	bool all = !cp_choice_hit(choice);

	for (size_t i = 0; i < choice->words.len; i++)
		if (!choice->words.data[i].hit)
			miss(
			    c, option, choice->words.data[i].pattern.text, all);
}

/* ------------------------------------------------------------- candidates */

static void
check_events(struct check *c)
{
	struct cp_run *run = c->run;

	cp_events_choose(run, &run->filter.events);
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (!cp_run_evsel(run, i)->dummy)
			add(c, cp_run_evsel(run, i)->name);
	check_choice(c, &run->filter.events, "event");
}

/* Candidates include threads that were not sampled. */
static void
check_comms(struct check *c)
{
	const struct cp_session *s = &c->run->session;

	for (size_t i = 0; i < s->thread.len; i++) {
		const struct cp_thread *t = &s->thread.data[i];

		(void)cp_choice_names(&c->run->filter.comms, t->comm,
		    cp_run_string(c->run, t->comm), NULL);
		add(c, cp_run_string(c->run, t->comm));
	}
	check_choice(c, &c->run->filter.comms, "comm");
}

static void
check_dsos(struct check *c)
{
	struct cp_run *run = c->run;

	for (uint32_t i = 1; i <= cp_run_dso_count(run); i++) {
		const struct cp_dso *d = cp_run_dso(run, i);

		if (d == NULL)
			continue;
		(void)cp_choice_names(&run->filter.dsos, i,
		    cp_run_string(run, d->name),
		    cp_run_string(run, d->short_name));
		add(c, cp_run_string(run, d->short_name));
	}
	check_choice(c, &run->filter.dsos, "dso");
}

static void
check_cgroups(struct check *c)
{
	const struct cp_map64 *m = &c->run->session.cgroups;

	for (size_t i = 0; m->slots != NULL && i <= m->mask; i++)
		if (m->slots[i].value != 0)
			add(c, cp_run_string(c->run, m->slots[i].value));
	check_choice(c, &c->run->filter.cgroups, "cgroup");
}

/* Only symbols of samples that passed the other filters are known. */
static void
check_symbols(struct check *c)
{
	const struct cp_run *run = c->run;

	for (size_t i = 0; i < run->symbol.len; i++)
		if (run->symbol.data[i] != NULL)
			add(c, run->symbol.data[i]->name);
	if (run->filter.symbols.asked.len != 0)
		check_choice(c, &run->filter.symbols, "symbol");
}

/* ---------------------------------------------------------------- numbers */

static void
range_text(const struct cp_range *r, char *text, size_t size)
{
	if (r->from == r->to)
		snprintf(text, size, "%" PRIu32, r->from);
	else
		snprintf(text, size, "%" PRIu32 "-%" PRIu32, r->from, r->to);
}

/* Candidates are the numbers in the capture. */
static void
check_ranges(struct check *c, const struct cp_range *r, size_t n,
    const char *option, bool hit)
{
	char text[32];

	if (hit)
		return;
	for (size_t i = 0; i < n; i++) {
		range_text(&r[i], text, sizeof(text));
		miss(c, option, text, true);
	}
}

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
check_tasks(struct check *c, const struct cp_range *r, size_t n,
    const char *option, uint32_t (*id_of)(const struct cp_thread *))
{
	const struct cp_session *s = &c->run->session;
	bool hit = false;

	for (size_t i = 0; i < s->thread.len; i++) {
		uint32_t id = id_of(&s->thread.data[i]);

		if (id != CP_NO_ID)
			add_number(c, id);
		hit |= in_ranges(r, n, id);
	}
	check_ranges(c, r, n, option, hit);
}

static void
check_pids(struct check *c)
{
	const struct cp_filter *f = &c->run->filter;

	check_tasks(c, f->pids.data, f->pids.len, "pid", pid_of);
}

static void
check_tids(struct check *c)
{
	const struct cp_filter *f = &c->run->filter;

	check_tasks(c, f->tids.data, f->tids.len, "tid", tid_of);
}

static void
check_cpus(struct check *c)
{
	const struct cp_filter *f = &c->run->filter;
	uint32_t n = c->run->rec.info.nr_cpus_avail;
	bool hit = in_ranges(f->cpus.data, f->cpus.len, CP_NO_ID);

	for (uint32_t i = 0; i < n || i < f->cpus_seen.len; i++) {
		bool seen = i < f->cpus_seen.len && f->cpus_seen.data[i];

		if (seen)
			add_number(c, i);
		hit |=
		    (seen || i < n) && in_ranges(f->cpus.data, f->cpus.len, i);
	}
	check_ranges(c, f->cpus.data, f->cpus.len, "cpu", hit);
}

static void
check_time(struct check *c)
{
	struct cp_run *run = c->run;
	const struct cp_quality *q = &run->quality;
	uint64_t from, to, first = cp_run_start(run);

	if (q->first_time == CP_NO_TIME || first > q->first_time)
		return;
	cp_run_window(run, &from, &to);
	if (from <= q->last_time && to >= q->first_time && from <= to)
		return;
	c->missed = true;
	cp_diag(run->diags, c->several ? CP_D_PART_MATCH : CP_D_NO_MATCH,
	    "--time %.40s; the samples lie in +%.3fs..+%.3fs, on the "
	    "capture's clock %.6f,%.6f",
	    run->options->time, (double)(q->first_time - first) / 1e9,
	    (double)(q->last_time - first) / 1e9, (double)q->first_time / 1e9,
	    (double)q->last_time / 1e9);
}

/* Each filter matches something, but no sample passes all of them. */
static void
check_together(struct check *c)
{
	const struct cp_run *run = c->run;

	/* Context switches may have passed; they are not counted as samples. */
	if (c->missed || run->want_all || run->switches ||
	    run->quality.samples_kept != 0)
		return;
	c->missed = true;
	cp_diag(run->diags, c->several ? CP_D_PART_MATCH : CP_D_NO_MATCH,
	    "the filters together leave none of %" PRIu64 " samples",
	    run->quality.samples);
}

/* Runs a check if its option was given, with an empty list of candidates. */
static void
run_check(struct check *c, bool given, void (*check)(struct check *))
{
	c->there.len = 0;
	if (given)
		check(c);
}

void
cp_filter_check(struct cp_run *run)
{
	const struct cp_filter *f = &run->filter;
	struct check c = { .run = run,
		.several = run->tasks.len != 0 &&
			   run->tasks.data[0].analysis->captures > 1 };

	if (!f->any || run->quality.samples == 0)
		return;
	run_check(&c, f->events.words.len != 0, check_events);
	run_check(&c, f->comms.words.len != 0, check_comms);
	run_check(&c, f->pids.len != 0, check_pids);
	run_check(&c, f->tids.len != 0, check_tids);
	run_check(&c, f->cpus.len != 0, check_cpus);
	run_check(&c, f->dsos.words.len != 0, check_dsos);
	run_check(&c, f->cgroups.words.len != 0, check_cgroups);
	run_check(&c, f->symbols.words.len != 0, check_symbols);
	run_check(&c, f->timed, check_time);
	check_together(&c);
	run->missed += c.missed;
	cp_vec_free(&c.there);
	cp_arena_free(&c.arena);
}
