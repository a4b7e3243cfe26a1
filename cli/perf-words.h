/* SPDX-License-Identifier: MIT */
/*
 * cli/perf-words.h: perf's commands and options, and our equivalents.
 *
 * A spelling of perf's is accepted if the command has an equivalent; if not,
 * the row says what to use instead.
 */
#ifndef CP_CLI_PERF_WORDS_H
#define CP_CLI_PERF_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct cp_perf_command {
	const char *perf;    /* "sched latency" */
	const char *ours[2]; /* the command and an option; NULL: none */
	const char *instead; /* advice if ours has none */
};

enum cp_perf_arg { CP_PERF_SWITCH, CP_PERF_VALUE, CP_PERF_ATTACHED };

struct cp_perf_option {
	const char *commands; /* our commands, between spaces; NULL: all */
	char letter;          /* 0: none */
	const char *name;     /* NULL: none */
	enum cp_perf_arg arg; /* ATTACHED: after "=", the letter or -g */
	/* Our option of the same meaning; "" for the capture itself. */
	const char *ours;
	const char *value; /* value for ours, if perf's is a switch */
	/* advice if there is no option; NULL: coldperf always does this */
	const char *instead;
};

/* Both end with a row of NULLs. */
extern const struct cp_perf_command cp_perf_commands[];
extern const struct cp_perf_option cp_perf_options[];

/* Returns NULL if it is no command of perf's; second may be NULL. */
const struct cp_perf_command *cp_perf_command(
    const char *first, const char *second);
/*
 * Finds an option by its letter, or if name is not NULL by its first n bytes.
 */
const struct cp_perf_option *cp_perf_option(
    const char *command, char letter, const char *name, size_t n);

#endif
