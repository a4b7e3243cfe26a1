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
/* Adds the perf maps whose own path was given with --symbols. */
void cp_jitfiles_given(const struct cp_symbolize_options *, cp_paths *);
/*
 * Adds all perf maps in these folders, whatever their pid; sorted by folder,
 * and bounded.
 */
void cp_jitfiles_maps(
    const struct cp_symbolize_options *, struct cp_arena *, cp_paths *);
/*
 * Returns the perf map of a process on this machine that has its own /tmp, as
 * in a container; the name of the map has the pid inside the container.  NULL:
 * no such process. cp_text_file_read() opens it without leaving the container.
 */
const char *cp_jitfiles_container(uint32_t pid, struct cp_arena *);

#endif
