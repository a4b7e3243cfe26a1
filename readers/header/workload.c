/* SPDX-License-Identifier: MIT */
/*
 * workload: where the program that perf started begins on perf's command line.
 *
 * perf keeps its own arguments and those of the program in one list.  After
 * "--" the program is certain.  Without it, perf's options have to be stepped
 * over, and some of them take the next word.  Of a whole machine, or of a
 * process that ran already, there is none.
 */
#include "readers/header/features.h"

#include <coldperf/samples.h>

#include <string.h>

#include "base/strings.h"

/* Options that take the next word, and letters whose value is in theirs. */
struct options {
	const char *letters, *inside;
	const char *const *words;
	size_t n;
};
static const char *const record_words[] = { "affinity", "branch-filter",
	"call-graph", "cgroup", "clang-opt", "clang-path", "clockid", "control",
	"count", "cpu", "delay", "event", "filter", "freq", "max-size",
	"mmap-flush", "mmap-pages", "num-thread-synthesize", "output",
	"pfm-events", "pid", "proc-map-timeout", "realtime", "switch-max-files",
	"synth", "tid", "uid", "user", "vmlinux" };
static const char *const stat_words[] = { "bpf-prog", "cgroup", "control",
	"cpu", "delay", "event", "field-separator", "for-each-cgroup",
	"interval-count", "interval-print", "log-fd", "metrics", "output",
	"pid", "post", "pre", "repeat", "td-level", "tid", "timeout" };
static const struct options of_record = { "CDFGcejkmoprtu", "ISz", record_words,
	sizeof(record_words) / sizeof(*record_words) };
static const struct options of_stat = { "CDGIMbeoprtx", "", stat_words,
	sizeof(stat_words) / sizeof(*stat_words) };

/*
 * Options that choose what is recorded; a program only tells how long then.
 * Tasks win over CPUs, as perf says when it is given both.
 */
static const struct chooser {
	char letter;
	const char *word;
	enum cp_scope scope;
} choosers[] = {
	{ 'a', "all-cpus", CP_SCOPE_SYSTEM },
	{ 'G', "cgroup", CP_SCOPE_SYSTEM },
	{ 'C', "cpu", CP_SCOPE_CPUS },
	{ 'p', "pid", CP_SCOPE_TASKS },
	{ 't', "tid", CP_SCOPE_TASKS },
	{ 'u', "uid", CP_SCOPE_TASKS },
};

/* perf takes the beginning of a name, too. */
static bool
begins_one(const char *word, size_t len, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(word, list[i], len) == 0)
			return true;
	return false;
}

/*
 * "-agF": the last letter of a bundle may take the next word.  What follows I,
 * S or z of perf record in it is a value.
 */
static bool
letters_take_next(const struct options *o, const char *bundle)
{
	size_t value = strcspn(bundle, o->inside);
	size_t takes = strcspn(bundle, o->letters);

	return bundle[takes] != '\0' && takes < value &&
	       bundle[takes + 1] == '\0';
}

static bool
takes_next(const struct options *o, const char *option)
{
	if (option[1] != '-')
		return letters_take_next(o, option + 1);
	return begins_one(option + 2, strlen(option + 2), o->words, o->n);
}

static bool
chooses(const struct options *o, const char *option, const struct chooser *c)
{
	size_t end = strcspn(option, o->inside);
	size_t takes = strcspn(option, o->letters);
	size_t at = strcspn(option, (char[]){ c->letter, '\0' });

	if (option[1] == '-')
		return begins_one(
		    option + 2, strcspn(option + 2, "="), &c->word, 1);
	return option[at] != '\0' && at < end && at <= takes;
}

uint32_t
cp_workload_of(const struct cp_strlist *line, uint8_t *scope)
{
	const struct options *o = &of_record;
	enum cp_scope chosen = CP_SCOPE_UNKNOWN;
	uint32_t i = 0, program;
	bool alone;

	*scope = CP_SCOPE_UNKNOWN;
	if (line->n == 0 || strncmp(cp_basename(line->item[0]), "perf", 4) != 0)
		return line->n;
	while (i < line->n && strcmp(line->item[i], "record") != 0)
		i++;
	if (i == 2 && strcmp(line->item[1], "stat") == 0)
		o = &of_stat;
	alone = i == 1; /* perf sched record adds options of its own */
	for (i++; i < line->n && line->item[i][0] == '-'; i++) {
		const char *option = line->item[i];

		if (strcmp(option, "--") == 0) {
			i++;
			break;
		}
		for (size_t k = 0; k < sizeof(choosers) / sizeof(*choosers);
		     k++)
			if (choosers[k].scope > chosen &&
			    chooses(o, option, &choosers[k]))
				chosen = choosers[k].scope;
		if (takes_next(o, option))
			i++;
	}
	program = i < line->n ? i : line->n;
	if (chosen != CP_SCOPE_UNKNOWN)
		program = line->n;
	else if (alone && program < line->n)
		chosen = CP_SCOPE_TASKS;
	*scope = (uint8_t)chosen;
	return program;
}
