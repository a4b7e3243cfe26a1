/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/data-source.h: what PERF_SAMPLE_DATA_SRC says, in perf's
 * words.
 */
#ifndef CP_ANALYSES_COMMON_DATA_SOURCE_H
#define CP_ANALYSES_COMMON_DATA_SOURCE_H

#include <coldperf/plugin.h>

struct cp_memword {
	char text[128];
};

/* The latency of an access; 0: not recorded. */
uint64_t cp_mem_latency(const struct cp_run *, const struct cp_sample *);
/* Where the data came from: "L1 hit", "Remote RAM hit"; "N/A". */
const char *cp_mem_level(struct cp_memword *, uint64_t source);
/* "none", "hit", "miss", "HITM", "forward", "peer", "N/A". */
const char *cp_mem_snoop(struct cp_memword *, uint64_t source);
/* "L1 or L2 hit", "L2 miss", "walker hit" ... */
const char *cp_mem_tlb(struct cp_memword *, uint64_t source);
/* True if there is neither an operation nor a data source: no access. */
bool cp_mem_is_nothing(uint64_t source);
bool cp_mem_is_load(uint64_t source);
bool cp_mem_is_store(uint64_t source);
bool cp_mem_is_locked(uint64_t source);
/* True if another CPU's cache had the line, modified. */
bool cp_mem_is_hitm(uint64_t source);
bool cp_mem_is_peer(uint64_t source);
/* True if the data came from another socket or node. */
bool cp_mem_is_remote(uint64_t source);

#endif
