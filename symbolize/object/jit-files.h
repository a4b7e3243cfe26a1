/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/jit-files.h: finds a process's perf-PID.map or jit-PID.dump.
 */
#ifndef CP_SYMBOLIZE_OBJECT_JIT_FILES_H
#define CP_SYMBOLIZE_OBJECT_JIT_FILES_H

#include "symbolize/object/options.h"
#include "symbolize/object/text-files.h"

/*
 * Adds paths with that file name: next to the capture, in the folders of
 * --symbols and in their tmp, and files that --symbols names.
 */
void cp_jitfiles_named(const struct cp_symbolize_options *, const char *name,
    struct cp_arena *, cp_paths *);
/*
 * Adds all perf maps in these folders, whatever their pid; sorted by folder,
 * and bounded.
 */
void cp_jitfiles_maps(
    const struct cp_symbolize_options *, struct cp_arena *, cp_paths *);

#endif
