/* SPDX-License-Identifier: MIT */
/*
 * advise: which questions the capture answers, by which commands, and what to
 * record for the others: analyses/common/advice.def, row by row.
 *
 * A question is answered if the events of its row were recorded, or what says
 * the same: records of switches, data sources of other events.  What was
 * sampled that had to be counted one by one, a missing call graph, and a scope
 * of some threads where others decide, make it an answer in part.  Commands
 * that need more than events are named if it is there: pairs, who woke whom,
 * code of a run-time compiler.
 */
#include <coldperf/pairs.h>
#include <coldperf/plugin.h>
#include <coldperf/spans.h>

#include <stdio.h>
#include <string.h>

#include "analyses/common/advice.h"
#include "analyses/common/event.h"
#include "analyses/common/hw-events.h"

#define CHAINS (UINT64_C(1) << 5 | UINT64_C(1) << 11) /* chain, branches */
#define ACCESS 0x1e /* of data_src: a load, a store ... */

struct advise {
	const struct cp_spans *spans;
	struct cp_pairs *pairs;
	bool paired, accesses, jit; /* there are some */
};

/* What the events of a row are in the capture. */
struct found {
	unsigned wanted, there, silent, sampled;
	bool chains;
	char missing[300];
};

static bool
is_event(const struct cp_run *run, uint32_t i, const char *name, size_t n)
{
	const struct cp_evsel *e = cp_run_evsel(run, i);
	enum cp_role role = cp_counted_of(run, i).role;

	if ((n == 6 && memcmp(name, "cycles", n) == 0) ||
	    (n == 9 && memcmp(name, "cpu-clock", 9) == 0))
		return role == CP_ROLE_CYCLES || cp_event_measures_time(e);
	if (n == 12 && memcmp(name, "instructions", n) == 0)
		return role == CP_ROLE_INSTRUCTIONS;
	return strncmp(e->name, name, n) == 0 &&
	       strchr(",/:", e->name[n]) != NULL;
}

/* Looks for one event of the row; each switch of a thread must be there. */
static void
look(const struct cp_run *run, const char *name, size_t n, struct found *f)
{
	bool there = false, silent = true;
	size_t used = strlen(f->missing);

	f->wanted++;
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);

		if (!is_event(run, i, name, n))
			continue;
		there = true;
		silent &= e->samples == 0;
		f->chains |= (e->sample_type & CHAINS) != 0;
		f->sampled +=
		    e->tracepoint && (e->freq || e->sample_period > 1);
	}
	f->there += there;
	f->silent += there && silent;
	if (!there && used + n + 3 < sizeof(f->missing))
		(void)snprintf(f->missing + used, sizeof(f->missing) - used,
		    "%s%.*s", used != 0 ? ", " : "", (int)n, name);
}

/* Branch stacks, unless they are call stacks: --call-graph lbr. */
static bool
branches(const struct cp_evsel *e)
{
	return e->branch_type != 0 && (e->branch_type & UINT64_C(1) << 11) == 0;
}

static bool
is_of_switches(const struct cp_advice *a)
{
	return strstr(a->options, "sched:sched_switch") != NULL;
}

static struct found
find(
    const struct cp_run *run, const struct advise *d, const struct cp_advice *a)
{
	enum cp_sched_source source = cp_spans_source(d->spans);
	struct found f = { .missing = "" };
	const char *name;
	size_t n;

	if (strcmp(a->commands, "mem") == 0) /* by whatever event */
		return (struct found){ .there =
					   d->accesses && a->question != NULL };
	if (strcmp(a->commands, "pair") == 0)
		return (struct found){ .there = d->paired };
	if (strcmp(a->name, "jit") == 0 && !d->jit)
		return f;
	for (unsigned i = 0; (name = cp_advice_event(a, i, &n)) != NULL; i++)
		look(run, name, n, &f);
	if (f.wanted == 0) /* -b */
		for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
			f.there += branches(cp_run_evsel(run, i));
	if (is_of_switches(a) && source == CP_SCHED_BY_RECORDS) {
		bool woken = d->spans->seen[CP_SCHED_WAKE] != 0;

		(void)snprintf(f.missing, sizeof(f.missing), "%s%s",
		    strstr(a->options, "-g") != NULL ? "stacks of the switches"
						     : "",
		    woken                              ? ""
		    : strstr(a->options, "-g") != NULL ? ", wake-ups"
						       : "wake-ups");
		f.there = 1;
		f.silent = 0;
		f.chains = true;
	} else if (is_of_switches(a) && source == CP_SCHED_BY_NOTHING)
		f.there = 0;
	return f;
}

/* What makes an answer one in part; "": nothing. */
static void
doubts(const struct cp_run *run, const struct cp_advice *a,
    const struct found *f, char *text, size_t size)
{
	enum cp_scope scope = cp_run_scope(run);

	(void)snprintf(text, size, "%s%s%s%s%s%s",
	    f->missing[0] != '\0' ? "without " : "", f->missing,
	    f->silent == f->wanted && f->wanted != 0
		? "; recorded, but nothing happened"
		: "",
	    f->sampled != 0 ? "; sampled: not each one is there" : "",
	    strstr(a->options, "-g") != NULL && !f->chains ? "; no call chains"
							   : "",
	    a->all && (scope == CP_SCOPE_TASKS || scope == CP_SCOPE_CPUS)
		? "; of some threads or CPUs: what others did is not known"
		: "");
	if (text[0] == ';')
		memmove(text, text + 2, strlen(text + 2) + 1);
}

/* Returns false if no command of the row can answer. */
static bool
commands(char *text, size_t size, const struct advise *d, const char *list)
{
	size_t used = 0, n;

	for (text[0] = '\0'; *list != '\0'; list += n + (list[n] == ' ')) {
		n = strcspn(list, " ");
		if ((strncmp(list, "critical", n) == 0 &&
			d->spans->seen[CP_SCHED_WAKE] == 0) ||
		    (strncmp(list, "pair", n) == 0 && !d->paired) ||
		    used + n + 3 > size)
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%.*s",
		    used != 0 ? ", " : "", (int)n, list);
	}
	return used != 0;
}

static void
on_pair(void *ctx, const struct cp_pair_told *pair)
{
	(void)pair;
	((struct advise *)ctx)->paired = true;
}

static int
advise_begin(struct cp_run *run, void *state)
{
	struct advise *d = state;

	d->spans = cp_run_spans(run, NULL, NULL);
	d->pairs = cp_pairs_new(run, on_pair, d);
	return d->pairs != NULL ? CP_OK : CP_FAIL;
}

static int
advise_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	const struct cp_dso *o =
	    s->stack != 0
		? cp_run_dso(run,
		      cp_frame_get(run, cp_stack_frame(run, s->stack))->dso)
		: NULL;
	struct advise *d = state;

	d->jit |=
	    s->kept && o != NULL &&
	    (o->kind == CP_DSO_ANON || o->kind == CP_DSO_JIT ||
		strncmp(cp_run_string(run, o->short_name), "jitted-", 7) == 0);
	d->accesses |= (s->data_src & ACCESS) != 0;
	return cp_pairs_sample(d->pairs, s);
}

static int
advise_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	cp_pairs_sideband(((struct advise *)state)->pairs, e);
	return CP_OK;
}

static int
advise_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Question"),
		CP_TEXT("coldperf"), CP_PROSE("What it lacks for that") };
	static const struct cp_column_spec columns_2[] = { CP_TEXT("Question"),
		CP_TEXT("coldperf capture"), CP_PROSE("Or, for ten seconds") };
	struct cp_table *now, *next;
	struct advise *d = state;
	char names[120];

	cp_pairs_finish(d->pairs);
	now = cp_report_table(
	    rep, "answers", "What this capture answers", CP_COLUMNS(columns));
	next = cp_report_table(rep, "record",
	    "What to record for the others, or for all of an answer",
	    CP_COLUMNS(columns_2));
	for (int i = 0; i < CP_ADVICE_COUNT; i++) {
		const struct cp_advice *a = &cp_advice[i];
		struct found f = find(run, d, a);
		char text[600] = "";

		/* Events of a group are worth nothing alone. */
		if (strchr(a->options, '{') != NULL && f.there != f.wanted)
			f.there = 0;
		if (!commands(names, sizeof(names), d, a->commands))
			f.there = 0;
		if (f.there != 0) {
			doubts(run, a, &f, text, sizeof(text));
			if (a->question == NULL && text[0] != '\0')
				continue;
			cp_table_add(now, a->question != NULL
					      ? a->question
					      : "from begin to end");
			cp_table_cells(now, names);
			cp_table_cells(now, text);
		}
		if (a->question == NULL || (f.there != 0 && text[0] == '\0'))
			continue;
		cp_table_add(next, a->question);
		(void)snprintf(text, sizeof(text), "--for %s", a->name);
		cp_table_cells(next, text);
		(void)snprintf(text, sizeof(text),
		    "perf record %s -a -- sleep 10", a->options);
		cp_table_cells(next, text);
	}
	cp_report_note(rep,
	    "capture --for also says what this machine and this user can "
	    "record; contrib/coldperf-capture.sh for is for hosts without "
	    "coldperf");
	return CP_OK;
}

CP_ANALYSIS_DEFINE(advise) = {
	.abi = CP_ABI,
	.name = "advise",
	.summary = "which questions a capture answers, and what to record",
	.state_size = sizeof(struct advise),
	.wants = CP_WANT_SAMPLES | CP_WANT_RAW | CP_WANT_ALL,
	.begin = advise_begin,
	.sample = advise_sample,
	.event = advise_event,
	.finish = advise_finish,
};
