/* SPDX-License-Identifier: MIT */
/*
 * base/redact/names.h: names and their replacements in a redaction.
 *
 * The same name always has the same replacement.  Removed names are kept in
 * memory, so that the output can be searched for them, and files can be opened
 * by their recorded paths.
 */
#ifndef CP_BASE_REDACT_NAMES_H
#define CP_BASE_REDACT_NAMES_H

#include "base/redact/words.h"

void cp_redact_init(struct cp_redact *, const struct cp_policy *);
/* Takes the words of the policy, which must have been read. */
void cp_redact_begin(struct cp_redact *);
void cp_redact_free(struct cp_redact *);

/*
 * Returns the replacement of a name, valid until cp_redact_free(); "": the name
 * is dropped.
 */
const char *cp_redact_name(
    struct cp_redact *, enum cp_redact_class, const char *name);
/* Does the same for a name that is kept: only users and words are replaced. */
const char *cp_redact_keep(
    struct cp_redact *, enum cp_redact_class, const char *name);
/* Remembers a name that is left out, and counts it once. */
void cp_redact_drop(struct cp_redact *, enum cp_redact_class, const char *name);
/*
 * Remembers the name of a function that is written.  If it is public, a user's
 * or a host's name may be a part of a longer word in it.
 */
void cp_redact_function(struct cp_redact *, const char *name, bool public);
/* The output is searched for this part of what was left out. */
void cp_redact_seek(struct cp_redact *, const char *part);
/* Has the name a replacement? */
bool cp_redact_is_known(
    struct cp_redact *, enum cp_redact_class, const char *name);
/* Is the name a replacement that this redaction made? */
bool cp_redact_made(struct cp_redact *, enum cp_redact_class, const char *name);
/* The path that was recorded, of one that stands for it. */
const char *cp_redact_recorded(const struct cp_redact *, const char *path);
/* Does the policy keep the object's name and symbols? */
bool cp_redact_known_object(const struct cp_redact *, const char *path);

#endif
