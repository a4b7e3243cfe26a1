/* SPDX-License-Identifier: MIT */
/*
 * analyses/flame/rows.h: the samples of each thread, in order of time.
 *
 * Samples with the same stack that follow each other are one row.
 */
#ifndef CP_ANALYSES_FLAME_ROWS_H
#define CP_ANALYSES_FLAME_ROWS_H

#include <coldperf/plugin.h>

#include "analyses/common/sample-groups.h"

struct cp_flamerow {
	uint64_t weight;
	cp_stack_id stack;
	uint32_t samples;
};

/* A thread under one name; a thread that is renamed is several. */
struct cp_flamethread {
	uint32_t group;
	struct cp_flamerow *rows;
	uint32_t n, cap;
};

struct cp_flamerows {
	struct cp_run *run;
	struct cp_index ids; /* (group, process and thread) */
	struct cp_flamethread *thread;
	uint32_t cap;
};

void cp_flamerows_init(struct cp_flamerows *, struct cp_run *);
void cp_flamerows_add(
    struct cp_flamerows *, uint32_t group, const struct cp_sample *);

/* A thread in the order in which a picture has them. */
struct cp_flameplace {
	const char *name; /* of its group */
	uint32_t group, thread;
};
/*
 * Sorts the threads with samples of an event: by name, then in the order of
 * their first sample.  Returns their number.
 */
uint32_t cp_flamerows_sort(const struct cp_flamerows *,
    const struct cp_groups *, uint32_t event, struct cp_flameplace **);

#endif
