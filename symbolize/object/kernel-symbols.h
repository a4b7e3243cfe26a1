/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/kernel-symbols.h: names of the kernel and its modules.
 */
#ifndef CP_SYMBOLIZE_OBJECT_KERNEL_SYMBOLS_H
#define CP_SYMBOLIZE_OBJECT_KERNEL_SYMBOLS_H

#include "symbolize/object/object.h"

/*
 * Names of a kernel or module object from the kallsyms file of that path,
 * which is in the index unless f is NULL.
 */
bool cp_object_load_kallsyms(struct cp_object *, struct cp_symbols *,
    const char *path, const struct cp_indexed *f);
/* Takes what names the addresses asked for into the table. */
void cp_object_load_deferred(struct cp_object *);
/* How many symbols it would have if all were loaded. */
size_t cp_object_count(struct cp_symbols *, struct cp_object *);
/* "/lib/.../snd-hda.ko.xz" and "[snd_hda]" -> "snd_hda". */
bool cp_module_name(const char *name, char *out, size_t size);
/* The kernel an object belongs to: itself, or that of a module. */
const struct cp_dso_info *cp_object_kernel(
    const struct cp_symbols *, const struct cp_object *);

/* The text of that path as it is, f as above; false: it cannot be read. */
bool cp_object_read_kallsyms(struct cp_symbols *, const char *path,
    const struct cp_indexed *f, struct cp_content *);

#endif
