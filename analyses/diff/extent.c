/* SPDX-License-Identifier: MIT */
#include "analyses/diff/extent.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WORD 64
#define MAX_CPUS 65536

/* A word of a command line, without the shell's quotes. */
struct word {
	char text[MAX_WORD]; /* as much as an option needs */
	const char *next;
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

static bool
observes_others(const char *option, bool *all_cpus)
{
	static const char *const those[] = { "all-cpus", "cpu", "pid", "tid",
		"uid", "app" };

	*all_cpus |=
	    strcmp(option, "all-cpus") == 0 || strcmp(option, "cpu") == 0;
	return IS_ONE_OF(option, those);
}

/* Reads letters after one dash: "-agF99", "-F 99". */
static bool
short_options(struct word *w, bool *all_cpus)
{
	bool others = false;

	for (const char *s = w->text + 1; *s != '\0'; s++) {
		/* The rest of these is a value that may be missing. */
		if (*s == 'I' || *s == 'S')
			break;
		*all_cpus |= *s == 'a' || *s == 'C';
		others |= strchr("aCptu", *s) != NULL;
		if (strchr("eFcmoptuCGjrDk", *s) == NULL)
			continue;
		if (s[1] == '\0')
			(void)word_next(w);
		break;
	}
	return others;
}

static bool
long_option(struct word *w, bool *all_cpus)
{
	char *equals = strchr(w->text, '=');
	bool others;

	if (equals != NULL)
		*equals = '\0';
	others = observes_others(w->text + 2, all_cpus);
	if (equals == NULL && takes_word(w->text + 2))
		(void)word_next(w);
	return others;
}

enum cp_diff_extent
cp_diff_extent_of_command(const char *command, bool *all_cpus)
{
	struct word w = { .next = command };
	bool others = false, recording = false;

	*all_cpus = false;
	while (word_next(&w)) {
		if (!recording) {
			recording = strcmp(w.text, "record") == 0;
			continue;
		}
		if (strcmp(w.text, "--") == 0) {
			if (!others && word_next(&w))
				return CP_DIFF_COMMAND;
			break;
		}
		if (w.text[0] == '-' && w.text[1] == '-')
			others |= long_option(&w, all_cpus);
		else if (w.text[0] == '-')
			others |= short_options(&w, all_cpus);
		else
			return others ? CP_DIFF_WINDOW : CP_DIFF_COMMAND;
	}
	return recording ? CP_DIFF_WINDOW : CP_DIFF_UNKNOWN;
}

/* Counts the CPUs that were online and that the filters keep. */
static double
cpus_of(struct cp_run *run)
{
	const char *online = cp_run_fact(run, "cpus-online");
	unsigned long n = online != NULL ? strtoul(online, NULL, 10) : 0;
	double kept = 0;

	for (unsigned long i = 0; i < n && i < MAX_CPUS; i++)
		kept += cp_run_keeps_cpu(run, (uint32_t)i);
	return kept;
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

enum cp_diff_extent
cp_diff_extent_of(struct cp_run *run, double *cpus)
{
	const char *command = cp_run_fact(run, "command");
	enum cp_diff_extent extent = CP_DIFF_UNKNOWN;
	uint64_t from, to;
	bool all_cpus = false;

	if (command != NULL)
		extent = cp_diff_extent_of_command(command, &all_cpus);
	if (extent == CP_DIFF_UNKNOWN && begins_at_exec(run))
		extent = CP_DIFF_COMMAND;
	*cpus = all_cpus ? cpus_of(run) : 0;
	cp_run_window(run, &from, &to);
	return from != 0 || to != UINT64_MAX ? CP_DIFF_WINDOW : extent;
}
