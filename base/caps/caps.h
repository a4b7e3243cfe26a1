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
#define CP_CAP(id, name, value, least, what) CP_CAP_##id,
#include "base/caps/caps.def"
#undef CP_CAP
	CP_CAP_COUNT
};

uint64_t cp_cap(enum cp_cap);
/*
 * Sets the limit whose name has n bytes.  Returns NULL, or why it cannot be
 * set.
 */
const char *cp_cap_set(const char *name, size_t n, uint64_t value);

#endif
