/* SPDX-License-Identifier: MIT */
/*
 * base/match/nearest.h: finds the known word that a mistyped one meant.
 *
 * The distance is Damerau-Levenshtein (insert, delete, replace, swap
 * neighbours), ignoring case.  Words that contain the typed text come first.
 */
#ifndef CP_BASE_MATCH_NEAREST_H
#define CP_BASE_MATCH_NEAREST_H

#include "base/buf.h"
#include "base/vec.h"

typedef CP_VEC(const char *) cp_candidates;

/* Returns the distance of two words; only their first 64 bytes count. */
unsigned cp_word_distance(const char *, const char *);
/*
 * Returns the most likely word, or NULL if no candidate is near enough to be a
 * typing error.
 */
const char *cp_nearest(const char *typed, const cp_candidates *);
/*
 * Sorts by distance, equals and those that are not near in the order given,
 * removes duplicates, and writes "a, b, c and 12 more": at least one word, and
 * as many as fit in about `room` bytes.
 */
void cp_nearest_list(
    struct cp_buf *, const char *typed, cp_candidates *, size_t room);

#endif
