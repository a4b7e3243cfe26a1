/* SPDX-License-Identifier: MIT */
/*
 * analyses/brief/modes.h: what the CPUs did: user code, kernel, interrupts,
 * idle, guests.
 *
 * The record tells user, kernel and guest; names of the kernel's functions on
 * the stack tell interrupts, task 0 tells idle.
 */
#ifndef CP_ANALYSES_BRIEF_MODES_H
#define CP_ANALYSES_BRIEF_MODES_H

#include "analyses/summary/brief-part.h"
#include "analyses/common/call-sums.h"
#include "analyses/common/label.h"
#include "analyses/common/sample-groups.h"
#include "analyses/precision/precision.h"

struct cp_modes;

struct cp_modes *cp_modes_new(struct cp_run *);
/* Counts a sample that the filters keep. */
void cp_modes_sample(struct cp_modes *, const struct cp_sample *);
/*
 * Of one event, whose samples weigh all; after stacks were named.  The view's
 * samples tell how sure the shares are; their groups are threads.  Without
 * lines nothing is found.
 */
struct cp_modes_of {
	uint32_t event;
	struct cp_whole all;
	struct cp_view *view;
	const struct cp_groups *threads;
};
void cp_modes_show(struct cp_modes *, const struct cp_modes_of *,
    struct cp_brief_lines *, struct cp_report *);

/*
 * Adds the weight of idle CPUs, which wait for work, to the entity of
 * the innermost frame.  After stacks were named.
 */
void cp_modes_idle(struct cp_modes *, uint32_t event, const struct cp_sums *,
    uint64_t *by_entity);

#endif
