/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/jit-files.h: where a process' perf-PID.map or
 * jit-PID.dump is.
 */
#ifndef CP_SYMBOLIZE_OBJECT_JIT_FILES_H
#define CP_SYMBOLIZE_OBJECT_JIT_FILES_H

#include "symbolize/object/options.h"
#include "symbolize/object/text-files.h"

/*
 * Adds the places of that file name: beside the capture, in the folders of
 * --symbols and in their tmp, files of --symbols that are called so.
 */
void cp_jitfiles_named(const struct cp_symbolize_options *, const char *name,
    struct cp_arena *, cp_paths *);
/*
 * Adds every perf map in these folders, whatever its pid; sorted folder by
 * folder, and bounded.
 */
void cp_jitfiles_maps(
    const struct cp_symbolize_options *, struct cp_arena *, cp_paths *);

#endif
