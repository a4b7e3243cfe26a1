/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/tables.h"

const char *const cp_snapshot_levels[] = {
	[CP_LEVEL_UNKNOWN] = "",
	[CP_LEVEL_KERNEL] = "kernel",
	[CP_LEVEL_USER] = "user",
	[CP_LEVEL_HYPERVISOR] = "hypervisor",
	[CP_LEVEL_GUEST_KERNEL] = "guest kernel",
	[CP_LEVEL_GUEST_USER] = "guest user",
};

const char *const cp_snapshot_kinds[] = {
#define CP_KIND_WORD(id, word) [CP_DSO_##id] = (word),
#include <coldperf/words.def>
};

const char *const cp_snapshot_sources[] = {
	[CP_SOURCE_NONE] = "",
#define CP_SOURCE_WORD(id, word) [CP_SOURCE_##id] = (word),
#include <coldperf/words.def>
};

const char *const cp_snapshot_trusts[] = {
	[CP_TRUST_NONE] = "",
#define CP_TRUST_WORD(id, word) [CP_TRUST_##id] = (word),
#include <coldperf/words.def>
};

const char *const cp_snapshot_ends[] = {
	[CP_UNWIND_NONE] = "",
#define CP_END_WORD(id, word) [CP_UNWIND_##id] = (word),
#include <coldperf/words.def>
};

const char *const cp_snapshot_marks[] = {
	[CP_SIDE_SWITCH_OUT] = "switch out",
	[CP_SIDE_SWITCH_IN] = "switch in",
	[CP_SIDE_FORK] = "fork",
	[CP_SIDE_EXIT] = "exit",
	[CP_SIDE_COMM] = "comm",
	[CP_SIDE_LOST] = "lost",
	[CP_SIDE_THROTTLE] = "throttle",
	[CP_SIDE_UNTHROTTLE] = "unthrottle",
};

const char *const cp_snapshot_states[] = {
	[CP_TONE_PLAIN] = "",
	[CP_TONE_RUN] = "running",
	[CP_TONE_WAIT] = "runnable",
	[CP_TONE_BLOCK] = "blocked",
	[CP_TONE_IDLE] = "idle",
	[CP_TONE_UNKNOWN] = "unknown",
};
