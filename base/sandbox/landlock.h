/* SPDX-License-Identifier: MIT */
/* base/sandbox/landlock.h: limits which files may be written, by Landlock. */
#ifndef CP_BASE_SANDBOX_LANDLOCK_H
#define CP_BASE_SANDBOX_LANDLOCK_H

#include "base/base.h"

/* True: the limit is in force. */
bool cp_landlock_enter(const char *const *writable, size_t n);

#endif
