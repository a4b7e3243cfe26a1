/* SPDX-License-Identifier: MIT */
/*
 * analyses/info/errand.h: one command that collects the files of several
 * objects on the machine that was recorded.
 */
#ifndef CP_ANALYSES_INFO_ERRAND_H
#define CP_ANALYSES_INFO_ERRAND_H

#include <coldperf/plugin.h>

struct cp_errand {
	struct cp_index known; /* texts of the files */
	char *text;            /* " FILE FILE ...", for a shell */
	size_t n, room;
	unsigned files, others; /* others: too many for one command */
};

/* Adds a file, quoted as a word for a shell, unless it was added before. */
void cp_errand_add(struct cp_run *, struct cp_errand *, const char *take);
/* Returns the command; NULL if there is no file to collect. */
const char *cp_errand_command(struct cp_run *, const struct cp_errand *);

#endif
