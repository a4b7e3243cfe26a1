/* SPDX-License-Identifier: MIT */
/*
 * base/redact/names.h: names and what stands for them after a redaction.
 *
 * The same name always has the same replacement.  What was removed is kept,
 * so that the output can be searched for it, and so that files can be opened
 * by the path that was recorded.
 */
#ifndef CP_BASE_REDACT_NAMES_H
#define CP_BASE_REDACT_NAMES_H

#include "base/redact/words.h"

void cp_redact_init(struct cp_redact *, const struct cp_policy *);
/* Takes the words of the policy, which was read by then. */
void cp_redact_begin(struct cp_redact *);
void cp_redact_free(struct cp_redact *);

/*
 * Returns what stands for a name, which is valid until cp_redact_free().  ""
 * is dropped.
 */
const char *cp_redact_name(
    struct cp_redact *, enum cp_redact_class, const char *name);
/* The same of a name that is kept: only users and words are replaced. */
const char *cp_redact_keep(
    struct cp_redact *, enum cp_redact_class, const char *name);
/* Remembers a name that is left out. */
void cp_redact_drop(struct cp_redact *, enum cp_redact_class, const char *name);
/* Is it a name that stands for another one? */
bool cp_redact_made(struct cp_redact *, enum cp_redact_class, const char *name);
/* The path that was recorded, of one that stands for it. */
const char *cp_redact_recorded(const struct cp_redact *, const char *path);
/* Does the policy let the object's own name and its symbols stand? */
bool cp_redact_known_object(const struct cp_redact *, const char *path);

#endif
