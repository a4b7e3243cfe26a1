/* SPDX-License-Identifier: MIT */
/*
 * base/match/nearest.h: which of the words that there are was meant.
 *
 * Distance is that of Damerau and Levenshtein (insert, delete, replace, swap
 * neighbours), upper and lower case alike.  A word that contains what was
 * typed comes before all others.
 */
#ifndef CP_BASE_MATCH_NEAREST_H
#define CP_BASE_MATCH_NEAREST_H

#include "base/buf.h"
#include "base/vec.h"

typedef CP_VEC(const char *) cp_candidates;

/* How far apart; only the first 64 bytes of each count. */
unsigned cp_word_distance(const char *, const char *);
/*
 * The word that was most likely meant; NULL: none is so near that a typing
 * error explains it.
 */
const char *cp_nearest(const char *typed, const cp_candidates *);
/*
 * Sorts by nearness, takes doubles away, and writes "a, b, c and 12 more":
 * as many as fit in about `room` bytes, one at least.
 */
void cp_nearest_list(
    struct cp_buf *, const char *typed, cp_candidates *, size_t room);

#endif
