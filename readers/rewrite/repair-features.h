/* SPDX-License-Identifier: MIT */
/* readers/rewrite/repair-features.h: the features of a repaired file. */
#ifndef CP_READERS_REWRITE_REPAIR_FEATURES_H
#define CP_READERS_REWRITE_REPAIR_FEATURES_H

#include "readers/reader.h"
#include "readers/rewrite/repaired.h"

/* Takes the features of a file that can be read in full. */
void cp_repair_features(struct cp_repair *, struct cp_capture *src);
/* Takes one payload if it is sound; the same feature again replaces it. */
void cp_repair_feature(struct cp_repair *, uint32_t bit, const uint8_t *data,
    size_t size, bool swap);
/* Takes a payload unchecked, in place of an earlier one. */
void cp_repair_replace(
    struct cp_repair *, uint32_t bit, const uint8_t *data, size_t size);
/* Leaves the feature out. */
void cp_repair_remove(struct cp_repair *, uint32_t bit);
/* Adds to the payload of a feature, which is a list. */
void cp_repair_append(
    struct cp_repair *, uint32_t bit, const uint8_t *data, size_t size);
/*
 * Sorts the features into file order; leaves out a feature that contradicts an
 * earlier one.
 */
void cp_repair_judge(struct cp_repair *, bool swap);
/* Gives a file of the other byte order an empty name of a host if needed. */
void cp_repair_hostname(struct cp_repair *, bool swap);
/* Leaves out the CPUs' topology if samples have CPUs outside of it. */
void cp_repair_topology(struct cp_repair *, uint32_t cpus);

#endif
