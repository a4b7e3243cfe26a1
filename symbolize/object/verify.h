/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/verify.h: decides by the build ID if a file belongs to an
 * object.
 */
#ifndef CP_SYMBOLIZE_OBJECT_VERIFY_H
#define CP_SYMBOLIZE_OBJECT_VERIFY_H

#include "symbolize/object/object.h"

/*
 * Keeps the ELF file of fd if its build ID is the object's and if it has
 * something that no earlier file had.  path is for messages.  Closes fd, which
 * may be -1.  False: not kept.
 */
bool cp_object_offer(
    struct cp_object *, const struct cp_symbolizer *, int fd, const char *path);
/* The same for a file in memory, which it takes over, even on failure. */
bool cp_object_offer_image(struct cp_object *, const struct cp_symbolizer *,
    struct cp_content, const char *name);

/* Uses the rejected files if no right one was found. */
void cp_object_use_wrong(struct cp_object *);

#endif
