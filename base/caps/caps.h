/* SPDX-License-Identifier: MIT */
/*
 * base/caps/caps.h: limits of base/limits.h that a user may change.
 *
 * They are set before anything is read, and only read from then on.
 */
#ifndef CP_BASE_CAPS_CAPS_H
#define CP_BASE_CAPS_CAPS_H

#include "base/base.h"

enum cp_cap {
#define CP_CAP(id, name, value, what) CP_CAP_##id,
#include "base/caps/caps.def"
#undef CP_CAP
	CP_CAP_COUNT
};

uint64_t cp_cap(enum cp_cap);
/* False: no limit has that name of n bytes. */
bool cp_cap_set(const char *name, size_t n, uint64_t value);

#endif
