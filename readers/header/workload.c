/* SPDX-License-Identifier: MIT */
/*
 * workload: where the program that perf started begins on perf's command line.
 *
 * perf keeps its own arguments and those of the program in one list.  After
 * "--" the program is certain.  Without it, perf's options have to be stepped
 * over, and some of them take the next word.  Of a whole machine, or of a
 * process that ran already, there is none.
 */
#include "readers/header/workload.h"

#include <string.h>

#include "base/strings.h"

/* Options of perf record that take the next word. */
static const char letters[] = "CDFGcejkmoprtu";
static const char *const words[] = { "affinity", "branch-filter", "call-graph",
	"cgroup", "clang-opt", "clang-path", "clockid", "control", "count",
	"cpu", "delay", "event", "filter", "freq", "max-size", "mmap-flush",
	"mmap-pages", "num-thread-synthesize", "output", "pfm-events", "pid",
	"proc-map-timeout", "realtime", "switch-max-files", "synth", "tid",
	"uid", "user", "vmlinux" };

/* Options that choose what is recorded; a program only tells how long then. */
static const char choosers[] = "CGaptu";
static const char *const choosing[] = { "all-cpus", "cgroup", "cpu", "pid",
	"tid", "uid" };

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
 * S or z in it is a value.
 */
static bool
letters_take_next(const char *bundle)
{
	size_t value = strcspn(bundle, "ISz");
	size_t takes = strcspn(bundle, letters);

	return takes < value && bundle[takes + 1] == '\0';
}

static bool
takes_next(const char *option)
{
	if (option[1] != '-')
		return letters_take_next(option + 1);
	return begins_one(option + 2, strlen(option + 2), words,
	    sizeof(words) / sizeof(words[0]));
}

static bool
chooses(const char *option)
{
	size_t end = strcspn(option, "ISz"), takes = strcspn(option, letters);
	size_t at = strcspn(option, choosers);

	if (option[1] == '-')
		return begins_one(option + 2, strcspn(option + 2, "="),
		    choosing, sizeof(choosing) / sizeof(choosing[0]));
	return option[at] != '\0' && at < end && at <= takes;
}

uint32_t
cp_workload_of(const struct cp_strlist *line)
{
	uint32_t i = 0;

	if (line->n == 0 || strncmp(cp_basename(line->item[0]), "perf", 4) != 0)
		return line->n;
	while (i < line->n && strcmp(line->item[i], "record") != 0)
		i++;
	for (i++; i < line->n && line->item[i][0] == '-'; i++) {
		if (strcmp(line->item[i], "--") == 0)
			return i + 1;
		if (chooses(line->item[i]))
			return line->n;
		if (takes_next(line->item[i]))
			i++;
	}
	return i < line->n ? i : line->n;
}
