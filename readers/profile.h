/* SPDX-License-Identifier: MIT */
/* readers/profile.h: is an input a profile of another tool? */
#ifndef CP_READERS_PROFILE_H
#define CP_READERS_PROFILE_H

#include "readers/reader.h"

/* Tells it by the first bytes; run/import/ reads it. */
enum cp_profile_kind cp_profile_bid(const uint8_t *head, size_t n);

#endif
