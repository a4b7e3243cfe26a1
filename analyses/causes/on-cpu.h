/* SPDX-License-Identifier: MIT */
/*
 * analyses/causes/on-cpu.h: what the kernel did for a program while that was on
 * the CPU, by samples; and how much of its time a program ran.
 */
#ifndef CP_ANALYSES_CAUSES_ON_CPU_H
#define CP_ANALYSES_CAUSES_ON_CPU_H

#include "analyses/causes/places.h"
#include "analyses/causes/programs.h"
#include "analyses/summary/brief-part.h"

enum { CP_ONCPU_CAUSES = 8 };

struct cp_oncpu_cause {
	cp_string_id comm;
	const char *about, *words; /* "in page faults"; NULL: its own code */
	cp_string_id call;         /* what a system call is for; 0 */
	uint64_t ns;
	struct cp_percent share; /* of the program's CPU time */
	struct cp_where where;
};

/* A program's time, as samples and records of processes show it. */
struct cp_oncpu_life {
	cp_string_id comm;
	uint64_t ran, elapsed;
	uint64_t lives; /* of all its threads */
};

struct cp_oncpu_causes *cp_oncpu_causes_new(struct cp_run *);
/* Of events that measure CPU time. */
void cp_oncpu_causes_sample(struct cp_oncpu_causes *, const struct cp_sample *);
/* Names the stacks; returns how many there are. */
size_t cp_oncpu_causes_find(struct cp_oncpu_causes *,
    const struct cp_programs *, uint32_t event,
    struct cp_oncpu_cause[static CP_ONCPU_CAUSES]);
/* Of the program that perf ran, with its children; false: not known. */
bool cp_oncpu_causes_life(struct cp_oncpu_causes *, const struct cp_programs *,
    uint32_t event, struct cp_oncpu_life *);

#endif
