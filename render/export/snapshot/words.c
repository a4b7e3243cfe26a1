/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/words.h"

const char *const cp_snapshot_levels[] = {
	[CP_LEVEL_UNKNOWN] = "",
	[CP_LEVEL_KERNEL] = "kernel",
	[CP_LEVEL_USER] = "user",
	[CP_LEVEL_HYPERVISOR] = "hypervisor",
	[CP_LEVEL_GUEST_KERNEL] = "guest kernel",
	[CP_LEVEL_GUEST_USER] = "guest user",
};

const char *const cp_snapshot_kinds[] = {
	[CP_DSO_FILE] = "file",
	[CP_DSO_KERNEL] = "kernel",
	[CP_DSO_MODULE] = "module",
	[CP_DSO_BPF] = "bpf",
	[CP_DSO_VDSO] = "vdso",
	[CP_DSO_ANON] = "anon",
	[CP_DSO_JIT] = "jit",
};

const char *const cp_snapshot_sources[] = {
	[CP_SOURCE_NONE] = "",
	[CP_SOURCE_CAPTURE] = "capture",
	[CP_SOURCE_BUNDLE] = "bundle",
	[CP_SOURCE_CACHE] = "cache",
	[CP_SOURCE_DEBUGINFOD] = "debuginfod",
	[CP_SOURCE_LOCAL] = "local",
	[CP_SOURCE_KALLSYMS] = "kallsyms",
	[CP_SOURCE_JITDUMP] = "jitdump",
	[CP_SOURCE_PERF_MAP] = "perf map",
	[CP_SOURCE_GOPCLNTAB] = "gopclntab",
	[CP_SOURCE_SIMPLEPERF] = "simpleperf",
	[CP_SOURCE_BOUNDS] = "bounds",
};

const char *const cp_snapshot_trusts[] = {
	[CP_TRUST_NONE] = "",
	[CP_TRUST_VERIFIED] = "verified",
	[CP_TRUST_ABSENT] = "absent",
	[CP_TRUST_MISMATCH] = "mismatch",
	[CP_TRUST_RECORDED] = "recorded",
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
