/* SPDX-License-Identifier: MIT */
/*
 * analyses/info/missing-files.h: what is missing of an object, and the
 * command that gets it on the machine where the capture was recorded.
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
/* Is it a snapshot, which has names of its own? */
bool cp_lack_snapshot(struct cp_run *);
/* The same of its objects: it holds names, and a file can add some. */
struct cp_lack cp_lack_of_snapshot(struct cp_run *, uint32_t dso);
/* One word of a shell; NULL if it would not fit. */
const char *cp_lack_word(struct cp_run *, const char *);
/* By dso id: whether its code called other code in these stacks. */
bool *cp_lack_callers(struct cp_run *, const struct cp_tally_row *, size_t n);

#endif
