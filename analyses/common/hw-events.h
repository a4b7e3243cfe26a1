/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/hw-events.h: what hardware events count, independent of their
 * names.
 *
 * An event is known by its type and number if these are the kernel's, by its
 * name (perf's, of the PMU, of the vendor's tables), or by the number of a raw
 * event of a known processor.
 */
#ifndef CP_ANALYSES_COMMON_HW_EVENTS_H
#define CP_ANALYSES_COMMON_HW_EVENTS_H

#include <coldperf/plugin.h>

enum cp_role {
	CP_ROLE_CYCLES,
	CP_ROLE_INSTRUCTIONS,
	CP_ROLE_CACHE_REFERENCES,
	CP_ROLE_CACHE_MISSES,
	CP_ROLE_BRANCHES,
	CP_ROLE_BRANCH_MISSES,
	CP_ROLE_FRONT_STALLS,
	CP_ROLE_BACK_STALLS,
	CP_ROLE_L1D_MISSES,
	CP_ROLE_L1I_MISSES,
	CP_ROLE_LLC_MISSES,
	CP_ROLE_DTLB_MISSES,
	CP_ROLE_ITLB_MISSES,
	CP_ROLES, /* also the role of other events */
};

struct cp_counted {
	enum cp_role role;
	char unit[32]; /* the PMU; "" for the CPU's own */
	char scope[8]; /* modifiers that restrict counting: u, k, h ... */
};

/* Returns what event i of the capture counts. */
struct cp_counted cp_counted_of(const struct cp_run *, uint32_t event);
/* True if nothing is counted in both. */
bool cp_counted_apart(const struct cp_counted *, const struct cp_counted *);

/*
 * Returns how many instructions the recorded processor can finish in a cycle;
 * 0: unknown.  Captures of heterogeneous processors describe one kind of core
 * only.
 */
unsigned cp_machine_width(const struct cp_run *);

#endif
