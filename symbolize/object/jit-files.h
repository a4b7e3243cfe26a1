/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/jit-files.h: finds a process's perf-PID.map or jit-PID.dump.
 */
#ifndef CP_SYMBOLIZE_OBJECT_JIT_FILES_H
#define CP_SYMBOLIZE_OBJECT_JIT_FILES_H

#include <stdint.h>

#include "base/mem.h"
#include "symbolize/object/options.h"
#include "symbolize/object/text-files.h"

struct cp_jit_map;

/*
 * Adds paths with that file name: next to the capture, in the folders of
 * --symbols and in their tmp, and files that --symbols names.
 */
void cp_jitfiles_named(const struct cp_symbolize_options *, const char *name,
    struct cp_arena *, cp_paths *);
/*
 * Lists all perf maps, whatever their pid: those whose own path was given with
 * --symbols, those in these folders, and those in bundles.  Returns how many
 * there are.  Safe to call from workers, as are the next two.
 */
size_t cp_jitfiles_maps(struct cp_symbols *);
/* One of them, as far as it is known now. */
struct cp_jit_map cp_jitfiles_map(struct cp_symbols *, size_t i);
/* What was read says where its code is. */
void cp_jitfiles_learn(
    struct cp_symbols *, size_t i, uint64_t low, uint64_t high);
void cp_jitfiles_free(struct cp_symbols *);
/*
 * Returns the perf map of a process on this machine that has its own /tmp, as
 * in a container; the name of the map has the pid inside the container.  NULL:
 * no such process. cp_text_file_read() opens it without leaving the container.
 */
const char *cp_jitfiles_container(uint32_t pid, struct cp_arena *);

#endif
