/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/kernel-symbols.h: names of the kernel and its modules.
 */
#ifndef CP_SYMBOLIZE_OBJECT_KERNEL_SYMBOLS_H
#define CP_SYMBOLIZE_OBJECT_KERNEL_SYMBOLS_H

#include "symbolize/object/object.h"

/*
 * Loads names from the kallsyms text at path, which is in the index unless f is
 * NULL.
 */
bool cp_object_load_kallsyms(struct cp_object *, struct cp_symbols *,
    const char *path, const struct cp_indexed *f);
/* Loads the symbols for the requested addresses. */
void cp_object_load_deferred(struct cp_object *);
/* Number of symbols if all were loaded. */
size_t cp_object_count(struct cp_symbols *, struct cp_object *);
/* "/lib/.../snd-hda.ko.xz" and "[snd_hda]" become "snd_hda". */
bool cp_module_name(const char *name, char *out, size_t size);
/* The object's kernel: itself, or the one of a module. */
const struct cp_dso_info *cp_object_kernel(
    const struct cp_symbols *, const struct cp_object *);

/* Reads the text at path; f as above.  False: not readable. */
bool cp_object_read_kallsyms(struct cp_symbols *, const char *path,
    const struct cp_indexed *f, struct cp_content *);

/*
 * Is the kernel, which may be NULL, the one that runs here?  CP_TRUST_VERIFIED
 * by its build ID; without one CP_TRUST_ABSENT if its code begins and ends at
 * the same addresses, and its release is the same; else CP_TRUST_NONE.
 */
enum cp_trust cp_object_runs_here(
    struct cp_symbols *, const struct cp_dso_info *kernel);
/* The kernel of the host, whether or not it has samples; NULL: none. */
const struct cp_dso_info *cp_object_host_kernel(const struct cp_symbols *);

#endif
