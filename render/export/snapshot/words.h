/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/words.h: the words in tables for enum values of a
 * profile.  The words must never change, because readers compare them.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_WORDS_H
#define CP_RENDER_EXPORT_SNAPSHOT_WORDS_H

#include <coldperf/profile.h>

extern const char *const cp_snapshot_levels[CP_LEVEL_GUEST_USER + 1];
extern const char *const cp_snapshot_kinds[CP_DSO_JIT + 1];
extern const char *const cp_snapshot_sources[CP_SOURCE_BOUNDS + 1];
extern const char *const cp_snapshot_trusts[CP_TRUST_RECORDED + 1];
extern const char *const cp_snapshot_ends[CP_UNWIND_LIMIT + 1];
extern const char *const cp_snapshot_marks[CP_SIDE_UNTHROTTLE + 1];
extern const char *const cp_snapshot_states[CP_TONE_UNKNOWN + 1];

#endif
