/* SPDX-License-Identifier: MIT */
/*
 * analyses/annotate/wanted.h: which hits are of the function asked for.
 *
 * A function that is inlined is found in the functions that have its code.
 */
#ifndef CP_ANALYSES_ANNOTATE_WANTED_H
#define CP_ANALYSES_ANNOTATE_WANTED_H

#include "analyses/annotate/shares.h"

/* Asks for the function, then for those inlined at the address. */
void cp_wanted_hit(const struct cp_annotate *, struct cp_hit *, cp_frame_id);
/*
 * If no function has the name asked for, reports that and lists those that
 * have samples.
 */
void cp_wanted_check(const struct cp_annotate *, const struct cp_hit *, size_t);
/*
 * Notes which functions of the hits' event the name meant, and how heavy they
 * are.
 */
void cp_wanted_note(const struct cp_annotate *, struct cp_report *,
    const struct cp_hit *, size_t);

#endif
