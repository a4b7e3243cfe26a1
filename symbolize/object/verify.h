/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/verify.h: keeps the files that are judged to be an object's.
 */
#ifndef CP_SYMBOLIZE_OBJECT_VERIFY_H
#define CP_SYMBOLIZE_OBJECT_VERIFY_H

#include "symbolize/object/object.h"

/*
 * Keeps the ELF file of fd if it may name the object (identity.h) and if it
 * has something that no earlier file had.  path is for messages.  Closes fd,
 * which may be -1.  False: not kept.
 */
bool cp_object_offer(
    struct cp_object *, const struct cp_symbolizer *, int fd, const char *path);
/* Opens the file at path and offers it; notes why it could not be opened. */
bool cp_object_offer_path(
    struct cp_object *, const struct cp_symbolizer *, const char *path);
/* Returns fd.  Notes why cp_objfile_open_recorded() failed, by errno. */
int cp_object_opened(struct cp_object *, int fd, const char *path);
/* The same for a file in memory, which it takes over, even on failure. */
bool cp_object_offer_image(struct cp_object *, const struct cp_symbolizer *,
    struct cp_content, const char *name);

/* Uses the rejected files if no right one was found. */
void cp_object_use_wrong(struct cp_object *);

#endif
