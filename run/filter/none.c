/* SPDX-License-Identifier: MIT */
/*
 * none: reports why the filters keep no sample.
 *
 * A filter that no sample passes is named, with the values of samples, nearest
 * first.  Threads and objects that were never sampled are not offered, because
 * they would match nothing, either.  If each filter alone passes some samples,
 * the first is named that removes all samples left by those before it.
 */
#include "run/filter/miss.h"

static const char *const option[CP_FILTERS] = {
	[CP_FILTER_EVENT] = "event",
	[CP_FILTER_CPU] = "cpu",
	[CP_FILTER_PID] = "pid",
	[CP_FILTER_TID] = "tid",
	[CP_FILTER_COMM] = "comm",
	[CP_FILTER_CGROUP] = "cgroup",
	[CP_FILTER_TIME] = "time",
	[CP_FILTER_PAYLOAD] = "filter",
	[CP_FILTER_DSO] = "dso",
	[CP_FILTER_SYMBOL] = "symbol",
	[CP_FILTER_FOCUS] = "focus",
};

/* ------------------------------------------------------------- candidates */

static void
add_dso(struct cp_filter_misses *c, uint32_t number, uint32_t n)
{
	const struct cp_dso *d = cp_run_dso(c->run, number);

	cp_filter_candidate(c,
	    d != NULL ? cp_run_string(c->run, d->short_name) : "[unknown]", n);
}

static void
add_seen(struct cp_filter_misses *c, enum cp_filter_kind kind, uint64_t number,
    uint32_t n)
{
	struct cp_run *run = c->run;

	if (kind == CP_FILTER_EVENT)
		cp_filter_candidate(
		    c, cp_run_evsel(run, (uint32_t)number)->name, n);
	else if (kind == CP_FILTER_COMM || kind == CP_FILTER_CGROUP)
		cp_filter_candidate(
		    c, cp_run_string(run, (cp_string_id)number), n);
	else if (kind == CP_FILTER_DSO)
		add_dso(c, (uint32_t)number, n);
	else if (kind == CP_FILTER_SYMBOL || kind == CP_FILTER_FOCUS)
		cp_filter_candidate_code(c, (cp_frame_id)number, n);
	else if (number != CP_NO_ID)
		cp_filter_candidate_number(c, number);
}

/* ------------------------------------------------------ one filter alone */

static void
miss_words(struct cp_filter_misses *c, enum cp_filter_kind kind,
    const struct cp_choice *choice)
{
	for (size_t i = 0; i < choice->words.len; i++)
		cp_filter_miss(
		    c, option[kind], choice->words.data[i].pattern.text, true);
}

/* Writes "+1.500s", or a text if there is no such time. */
static const char *
moment_text(const struct cp_run *run, uint64_t time, char *text, size_t size)
{
	if (time == CP_NO_TIME)
		return "none";
	snprintf(text, size, "+%.6fs",
	    (double)(int64_t)(time - cp_run_start(run)) / 1e9);
	return text;
}

static void
miss_time(struct cp_filter_misses *c)
{
	const struct cp_run *run = c->run;
	const struct cp_filter_tally *t = &run->filter.tally;
	char before[32], after[32], more[128];

	if (run->filter.placed != 0) {
		cp_filter_miss_windows(c, run->filter.placed);
		return;
	}
	snprintf(more, sizeof(more),
	    "; the last before: %s, the first after: %s",
	    moment_text(run, t->before, before, sizeof(before)),
	    moment_text(run, t->after, after, sizeof(after)));
	cp_filter_miss_time(c, cp_filter_miss_id(c), more);
}

static void
miss_payload(struct cp_filter_misses *c)
{
	const struct cp_filter_tally *t = &c->run->filter.tally;

	c->missed = true;
	cp_diag(c->run->diags, cp_filter_miss_id(c),
	    "--filter leaves none of %" PRIu64 " samples", t->samples);
}

static void
miss_alone(struct cp_filter_misses *c, enum cp_filter_kind kind)
{
	const struct cp_filter *f = &c->run->filter;
	const struct cp_map64 *m;

	m = &c->run->filter.tally.seen[kind];
	c->there.len = 0;
	for (size_t i = 0; m->slots != NULL && i <= m->mask; i++)
		if (m->slots[i].value != 0)
			add_seen(c, kind, m->slots[i].key, m->slots[i].value);
	for (size_t i = 0; kind == CP_FILTER_FOCUS && i < c->run->symbol.len;
	     i++)
		cp_filter_candidate_code(c, (cp_frame_id)i, 0);
	switch (kind) {
	case CP_FILTER_EVENT: miss_words(c, kind, &f->events); break;
	case CP_FILTER_COMM: miss_words(c, kind, &f->comms); break;
	case CP_FILTER_CGROUP: miss_words(c, kind, &f->cgroups); break;
	case CP_FILTER_DSO: miss_words(c, kind, &f->dsos); break;
	case CP_FILTER_SYMBOL: miss_words(c, kind, &f->symbols); break;
	case CP_FILTER_FOCUS: miss_words(c, kind, &f->focus); break;
	case CP_FILTER_TIME: miss_time(c); break;
	case CP_FILTER_PAYLOAD: miss_payload(c); break;
	case CP_FILTER_CPU:
		cp_filter_miss_ranges(
		    c, option[kind], f->cpus.data, f->cpus.len);
		break;
	case CP_FILTER_PID:
		cp_filter_miss_ranges(
		    c, option[kind], f->pids.data, f->pids.len);
		break;
	default:
		cp_filter_miss_ranges(
		    c, option[kind], f->tids.data, f->tids.len);
	}
}

/* --------------------------------------------------------- all together */

/* Names the first filter that removes all samples left by those before it. */
static void
miss_together(struct cp_filter_misses *c)
{
	const struct cp_run *run = c->run;
	const struct cp_filter_tally *t = &run->filter.tally;
	uint64_t left = t->samples;

	for (unsigned i = 0; i < run->filter.n_given; i++) {
		enum cp_filter_kind k = run->filter.given[i];

		if (t->left[k] != 0) {
			left = t->left[k];
			continue;
		}
		c->missed = true;
		cp_diag(run->diags, cp_filter_miss_id(c),
		    "the filters together leave none of %" PRIu64
		    " samples: --%s none of the %" PRIu64
		    " that the others leave",
		    t->samples, option[k], left);
		return;
	}
}

/* The filters of functions are tested only if all others passed. */
static bool
was_asked(const struct cp_filter_tally *t, unsigned kind)
{
	return kind < CP_FILTER_SYMBOL || t->asked_symbols != 0;
}

void
cp_filter_none(struct cp_filter_misses *c)
{
	const struct cp_filter *f = &c->run->filter;

	for (unsigned i = 0; i < f->n_given; i++)
		if (f->tally.alone[f->given[i]] == 0 &&
		    was_asked(&f->tally, f->given[i]))
			miss_alone(c, f->given[i]);
	if (!c->missed)
		miss_together(c);
}
