/* SPDX-License-Identifier: MIT */
/*
 * analyses/profile/marks.h: what happened at one moment, other than samples:
 * threads began, ended and changed names, records were lost, events stopped.
 */
#ifndef CP_ANALYSES_PROFILE_MARKS_H
#define CP_ANALYSES_PROFILE_MARKS_H

#include "analyses/profile/threads.h"

struct cp_mark {
	uint64_t time, count;
	uint32_t life; /* CP_NO_ID: of no thread */
	uint32_t cpu;
	cp_string_id comm;
	uint8_t kind;
};

struct cp_marks {
	struct cp_run *run;
	struct cp_mark *all;
	uint32_t n, cap, max;
};

void cp_marks_init(struct cp_marks *, struct cp_run *, uint32_t max);
void cp_marks_add(
    struct cp_marks *, struct cp_threads *, const struct cp_sideband *);
/*
 * Adds the marks of CPUs, and of threads that have a row; returns their number.
 */
uint32_t cp_marks_show(
    const struct cp_marks *, const struct cp_threads *, struct cp_profile *);

#endif
