/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/verify.h: whether a file is one of the object's: its build
 * ID decides.
 */
#ifndef CP_SYMBOLIZE_OBJECT_VERIFY_H
#define CP_SYMBOLIZE_OBJECT_VERIFY_H

#include "symbolize/object/object.h"

/*
 * Takes the ELF file of fd, which it closes, if its build ID is the
 * object's and it has something that no file before it had; path is what the
 * user is told.  False: not taken; -1 is allowed.
 */
bool cp_object_offer(
    struct cp_object *, const struct cp_symbolizer *, int fd, const char *path);
/* The same from memory, which it takes over in any case. */
bool cp_object_offer_image(struct cp_object *, const struct cp_symbolizer *,
    struct cp_content, const char *name);

/* Takes what was refused, when nothing else was found. */
void cp_object_use_wrong(struct cp_object *);

#endif
