/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/hw-events.h: what hardware events count, whatever they are
 * called.
 *
 * An event is known by its type and number where these are the kernel's, by
 * its name (perf's, of the PMU, of the vendor's tables), or by the number of
 * a raw event of a processor that is known.
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
	CP_ROLES, /* none of them */
};

struct cp_counted {
	enum cp_role role;
	char unit[32]; /* the PMU, "" for the CPU's own */
	char scope[8]; /* modifiers that say what is counted: u, k, h ... */
};

/* What event number i of the capture counts. */
struct cp_counted cp_counted_of(const struct cp_run *, uint32_t event);
/* Whether no count can be in both. */
bool cp_counted_apart(const struct cp_counted *, const struct cp_counted *);

/*
 * Instructions that the recorded processor can finish in a cycle; 0: not
 * known.  Of heterogeneous processors the capture describes one kind only.
 */
unsigned cp_machine_width(const struct cp_run *);

#endif
