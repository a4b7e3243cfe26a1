/* SPDX-License-Identifier: MIT */
/*
 * cli/perf-words.h: what perf calls things, and what coldperf has for it.
 *
 * A spelling of perf's is understood where a command has an equal; where
 * there is none, the row says what to use instead.
 */
#ifndef CP_CLI_PERF_WORDS_H
#define CP_CLI_PERF_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct cp_perf_command {
	const char *perf;    /* "sched latency" */
	const char *ours[2]; /* the command and an option; NULL: none */
	const char *instead; /* where ours has none */
};

enum cp_perf_arg { CP_PERF_SWITCH, CP_PERF_VALUE, CP_PERF_ATTACHED };

struct cp_perf_option {
	const char *commands; /* ours, between spaces; NULL: all */
	char letter;          /* 0: none */
	const char *name;     /* NULL: none */
	enum cp_perf_arg arg; /* ATTACHED: only after "=" or the letter */
	/* The option that means the same, "" for the capture itself. */
	const char *ours;
	const char *value;   /* of ours, where perf's is a switch */
	const char *instead; /* without ours: NULL, it is always so here */
};

/* Both end with a row of NULLs. */
extern const struct cp_perf_command cp_perf_commands[];
extern const struct cp_perf_option cp_perf_options[];

/* NULL: not perf's; second may be NULL. */
const struct cp_perf_command *cp_perf_command(
    const char *first, const char *second);
/* Of that letter, or where name is not NULL of that name of n bytes. */
const struct cp_perf_option *cp_perf_option(
    const char *command, char letter, const char *name, size_t n);

#endif
