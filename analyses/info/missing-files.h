/* SPDX-License-Identifier: MIT */
/*
 * analyses/info/missing-files.h: the files that an object lacks, and the
 * command that gets them on the machine where the capture was recorded.
 *
 * This room has what only `info` shows.  It may use coldperf/plugin.h and
 * analyses/common.  Begin in analyses/info.c.
 */
#ifndef CP_ANALYSES_INFO_MISSING_FILES_H
#define CP_ANALYSES_INFO_MISSING_FILES_H

#include <coldperf/plugin.h>

struct cp_lack {
	const char *code, *symbols, *debug; /* paths, "" where there is none */
	const char *what;                   /* "" if nothing is missing */
	const char *command;                /* "" if none helps */
	const char *take; /* the file that is missing, for a shell; or NULL */
};
struct cp_lack cp_lack_of(struct cp_run *, uint32_t dso);
/* Is the capture a snapshot, which contains names? */
bool cp_lack_snapshot(struct cp_run *);
/*
 * Does the same for an object of a snapshot, which has names already; a file
 * can add more.
 */
struct cp_lack cp_lack_of_snapshot(struct cp_run *, uint32_t dso);
/* Quotes the text as one word for a shell; NULL if it is too long. */
const char *cp_lack_word(struct cp_run *, const char *);
/* Returns a flag by dso id: code of the object is a caller in these stacks. */
bool *cp_lack_callers(struct cp_run *, const struct cp_tally_row *, size_t n);
/*
 * ways.c: shows the ways to get names.  Rows are (0, stack); the stacks must
 * have been named.
 */
void cp_lack_ways(
    struct cp_run *, const struct cp_tally_row *, size_t n, struct cp_report *);

#endif
