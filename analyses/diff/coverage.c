/* SPDX-License-Identifier: MIT */
#include "analyses/diff/coverage.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WORD 64
#define MAX_CPUS 65536

/* A word of a command line, without the shell's quotes. */
struct word {
	char text[MAX_WORD]; /* as much as an option needs */
	const char *start, *next;
};

/* Reads the next word; false: there is none. */
static bool
word_next(struct word *w)
{
	const char *s = w->next;
	bool quoted = false;
	size_t n = 0;

	while (*s == ' ')
		s++;
	if (*s == '\0')
		return false;
	w->start = s;
	for (; *s != '\0' && (quoted || *s != ' '); s++) {
		if (*s == '\'') {
			quoted = !quoted;
			continue;
		}
		if (*s == '\\' && s[1] != '\0')
			s++;
		if (n + 1 < MAX_WORD)
			w->text[n++] = *s;
	}
	w->text[n] = '\0';
	w->next = s;
	return true;
}

static bool
is_one_of(const char *text, const char *const *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, all[i]) == 0)
			return true;
	return false;
}

#define IS_ONE_OF(text, all)                                                   \
	is_one_of((text), (all), sizeof(all) / sizeof((all)[0]))

/*
 * True for options of perf record (and simpleperf's) whose value is the next
 * word.
 */
static bool
takes_word(const char *option)
{
	static const char *const those[] = { "event", "filter", "freq", "count",
		"output", "mmap-pages", "pid", "tid", "uid", "cpu", "cgroup",
		"call-graph", "branch-filter", "realtime", "delay", "clockid",
		"user-regs", "affinity", "max-size", "control", "synth",
		"switch-max-files", "proc-map-timeout", "vmlinux", "clang-path",
		"num-thread-synthesize", "comp-level", "duration", "app" };

	return IS_ONE_OF(option, those);
}

/* What options say; processes that are named win over CPUs. */
struct options {
	struct cp_diff_observed observed;
	bool processes;
};

static bool
observes_others(const struct options *o)
{
	return o->observed.cpus || o->processes;
}

static void
list_is(struct options *o, const char *list)
{
	o->observed.cpus = true;
	o->observed.list = list;
}

/* Reads letters after one dash: "-agF99", "-F 99". */
static void
short_options(struct word *w, struct options *o)
{
	for (const char *s = w->text + 1; *s != '\0'; s++) {
		const char *value = w->start + (s + 1 - w->text), letter = *s;

		/* The rest of these is a value that may be missing. */
		if (letter == 'I' || letter == 'S')
			break;
		o->observed.cpus |= letter == 'a';
		o->processes |= strchr("ptu", letter) != NULL;
		if (strchr("eFcmoptuCGjrDk", letter) == NULL)
			continue;
		if (s[1] == '\0' && word_next(w))
			value = w->start;
		if (letter == 'C')
			list_is(o, value);
		break;
	}
}

static void
long_option(struct word *w, struct options *o)
{
	static const char *const those[] = { "pid", "tid", "uid", "app" };
	char option[MAX_WORD], *equals;
	const char *value = w->start;

	memcpy(option, w->text + 2, sizeof(option) - 2);
	equals = strchr(option, '=');
	if (equals != NULL) {
		*equals = '\0';
		value += equals + 3 - option;
	} else if (takes_word(option) && word_next(w)) {
		value = w->start;
	}
	o->observed.cpus |= strcmp(option, "all-cpus") == 0;
	o->processes |= IS_ONE_OF(option, those);
	if (strcmp(option, "cpu") == 0)
		list_is(o, value);
}

/* Reads options up to the workload; true: there is one. */
static bool
read_options(struct word *w, struct options *o)
{
	while (word_next(w)) {
		if (strcmp(w->text, "--") == 0)
			return word_next(w);
		if (w->text[0] == '-' && w->text[1] == '-')
			long_option(w, o);
		else if (w->text[0] == '-')
			short_options(w, o);
		else
			return true;
	}
	return false;
}

enum cp_diff_extent
cp_diff_extent_of_command(
    const char *command, struct cp_diff_observed *observed)
{
	struct word w = { .next = command };
	struct options o = { 0 };
	bool recording = false, workload;

	*observed = o.observed;
	while (!recording && word_next(&w))
		recording = strcmp(w.text, "record") == 0;
	if (!recording)
		return CP_DIFF_UNKNOWN;
	workload = read_options(&w, &o);
	if (o.observed.cpus && !o.processes)
		*observed = o.observed;
	return workload && !observes_others(&o) ? CP_DIFF_COMMAND
						: CP_DIFF_WINDOW;
}

/* ------------------------------------------------------------- the CPUs */

static unsigned long
number_of(struct cp_run *run, const char *fact)
{
	const char *text = cp_run_fact(run, fact);
	unsigned long n = text != NULL ? strtoul(text, NULL, 10) : 0;

	return n < MAX_CPUS ? n : MAX_CPUS;
}

/* Marks the CPUs of a list: +1 where a range begins, -1 behind its end. */
static void
mark_listed(const char *list, unsigned long n, int *step)
{
	while (*list >= '0' && *list <= '9') {
		char *end;
		unsigned long from = strtoul(list, &end, 10), to = from;

		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (from <= to && to < n) {
			step[from]++;
			step[to + 1]--;
		}
		list = *end == ',' ? end + 1 : "";
	}
}

/* Counts the CPUs of a list that the filters keep. */
static double
cpus_listed(struct cp_run *run, const char *list)
{
	unsigned long n = number_of(run, "cpus-available");
	int *step = cp_run_alloc(run, (n + 1) * sizeof(*step)), depth = 0;
	double kept = 0;

	mark_listed(list, n, step);
	for (unsigned long i = 0; i < n; i++) {
		depth += step[i];
		kept += depth > 0 && cp_run_keeps_cpu(run, (uint32_t)i);
	}
	return kept;
}

/*
 * Counts the CPUs that were online and that the filters keep.  Which were
 * offline is not recorded.
 */
static double
cpus_online(struct cp_run *run)
{
	unsigned long n = number_of(run, "cpus-available");
	double online = (double)number_of(run, "cpus-online"), kept = 0;

	for (unsigned long i = 0; i < n; i++)
		kept += cp_run_keeps_cpu(run, (uint32_t)i);
	return kept < online ? kept : online;
}

/* True if counting began with an exec: perf does so for a workload. */
static bool
begins_at_exec(const struct cp_run *run)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (cp_run_evsel(run, i)->on_exec)
			return true;
	return false;
}

/*
 * Adds what a capture's command line says to what those before it said; false:
 * it says nothing.
 */
static bool
add_command(struct cp_run *run, const char *command, struct cp_diff_coverage *c)
{
	struct cp_diff_observed observed;
	enum cp_diff_extent extent =
	    cp_diff_extent_of_command(command, &observed);

	if (extent == CP_DIFF_UNKNOWN)
		return false;
	if (c->extent != CP_DIFF_WINDOW)
		c->extent = extent;
	if (observed.cpus)
		c->cpus = observed.list != NULL
			      ? cpus_listed(run, observed.list)
			      : cpus_online(run);
	return true;
}

/* A sum of captures has a command for each, as far as they are known. */
static void
add_commands(struct cp_run *run, struct cp_diff_coverage *c)
{
	const struct cp_fact *facts;
	size_t n = cp_run_facts(run, &facts);
	double known = 0;

	for (size_t i = 0; i < n; i++)
		if (strcmp(facts[i].key, "command") == 0)
			known += add_command(run, facts[i].value, c);
	if (known < c->runs && c->extent == CP_DIFF_COMMAND)
		c->extent = CP_DIFF_UNKNOWN;
	if (c->runs > 1)
		c->cpus = 0;
}

struct cp_diff_coverage
cp_diff_coverage_of(struct cp_run *run)
{
	unsigned long runs = number_of(run, "captures");
	struct cp_diff_coverage c = { CP_DIFF_UNKNOWN, 0,
		runs > 1 ? (double)runs : 1 };
	uint64_t from, to;

	add_commands(run, &c);
	if (c.extent == CP_DIFF_UNKNOWN && begins_at_exec(run))
		c.extent = CP_DIFF_COMMAND;
	cp_run_window(run, &from, &to);
	if (from != 0 || to != UINT64_MAX)
		c.extent = CP_DIFF_WINDOW;
	return c;
}
