/* SPDX-License-Identifier: MIT */
/*
 * analyses/waits/oncpu.h: samples of threads while they ran, for a tree that
 * has the time on the CPU next to the time off it.
 *
 * Samples tell where a thread ran, not for how long.  The time is that of the
 * switches, which is exact: the time of each thread is divided among its stacks
 * by the weights of its samples.  Without switches it is the periods of
 * cpu-clock or task-clock, or the intervals between samples of cycles, if these
 * were sampled at a frequency.
 */
#ifndef CP_ANALYSES_WAITS_ONCPU_H
#define CP_ANALYSES_WAITS_ONCPU_H

#include "analyses/common/sample-groups.h"
#include "analyses/waits/watch.h"

/* The samples of a thread at a stack. */
struct cp_oncpu_sum {
	uint64_t samples, weight, period;
};

struct cp_oncpu {
	struct cp_run *run;
	struct cp_groups groups; /* by event, command, process, thread */
	/*
	 * (group and index of the thread or CP_NO_ID, why it is left out and
	 * stack)
	 */
	struct cp_index cells;
	struct cp_oncpu_sum *sum; /* by cell */
	uint32_t sum_cap;
	uint32_t event;   /* that the tree shows; CP_NO_ID */
	uint64_t dropped; /* samples that --event, --cpu or --time leave out */
};

/* What a part of the tree is made of. */
struct cp_oncpu_part {
	cp_string_id comm;
	uint32_t pid, tid;
	cp_stack_id stack;    /* if samples != 0 */
	uint64_t ns, samples; /* samples 0: nobody knows where it ran */
};
typedef void (*cp_oncpu_fn)(void *ctx, const struct cp_oncpu_part *);

void cp_oncpu_init(struct cp_oncpu *, struct cp_run *);
/* Adds a sample that is no event of the scheduler. */
void cp_oncpu_add(
    struct cp_oncpu *, const struct cp_spans *, const struct cp_sample *);
/* Chooses the event and names its stacks; after all samples. */
void cp_oncpu_finish(struct cp_oncpu *);

/*
 * Passes on the time on the CPU: that of the switches, or if there are none
 * (NULL) what samples stand for.  Notes which, and what is missing, if there is
 * a report.
 */
void cp_oncpu_each(struct cp_oncpu *, const struct cp_waitwatch *, cp_oncpu_fn,
    void *ctx, struct cp_report *);

#endif
