/* SPDX-License-Identifier: MIT */
/*
 * base/extent.h: a part of a file.
 */
#ifndef CP_BASE_EXTENT_H
#define CP_BASE_EXTENT_H

#include "base/base.h"

struct cp_extent {
	uint64_t offset, size;
};

#endif
