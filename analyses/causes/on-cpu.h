/* SPDX-License-Identifier: MIT */
/*
 * analyses/causes/on-cpu.h: what the kernel did for a program while that was on
 * the CPU, by samples; and how much of its time a program ran.
 */
#ifndef CP_ANALYSES_CAUSES_ON_CPU_H
#define CP_ANALYSES_CAUSES_ON_CPU_H

#include "analyses/accounts/accounts.h"
#include "analyses/causes/places.h"
#include "analyses/causes/programs.h"

/* A program's time, as samples and records of processes show it. */
struct cp_oncpu_life {
	cp_string_id comm;
	uint64_t ran, elapsed;
	uint64_t lives; /* of all its threads */
};

struct cp_oncpu_causes *cp_oncpu_causes_new(struct cp_run *);
/* Of events that measure CPU time. */
void cp_oncpu_causes_sample(struct cp_oncpu_causes *, const struct cp_sample *);
/* Names the stacks, and adds what is found. */
void cp_oncpu_causes_find(struct cp_oncpu_causes *, const struct cp_programs *,
    uint32_t event, struct cp_accounts *);
/* Of the program that perf ran, with its children; false: not known. */
bool cp_oncpu_causes_life(struct cp_oncpu_causes *, const struct cp_programs *,
    uint32_t event, struct cp_oncpu_life *);

#endif
