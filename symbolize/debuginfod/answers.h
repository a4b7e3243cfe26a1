/* SPDX-License-Identifier: MIT */
/*
 * symbolize/debuginfod/answers.h: what servers answered to one request, by the
 * library's log.
 *
 * The library's result is the same for a file that no server has, a server
 * that failed, and a transfer that was cut.
 */
#ifndef CP_SYMBOLIZE_DEBUGINFOD_ANSWERS_H
#define CP_SYMBOLIZE_DEBUGINFOD_ANSWERS_H

#include "base/base.h"

struct cp_answers {
	unsigned servers; /* asked over HTTP */
	unsigned heard;   /* HTTP status lines */
	unsigned unknown; /* of these, that the server does not have the file */
	unsigned errors;  /* of these, other errors */
	bool begun;       /* content came */
	uint64_t size;    /* of the file, as a server tells; 0: not told */
};

/* Returns an empty file for the log; -1: the system has none. */
int cp_answers_log(void);
/*
 * Reads the log and empties it.  All 0 without one.  copy: where it is written,
 * too, or -1.
 */
struct cp_answers cp_answers_read(int log, int copy);

#endif
