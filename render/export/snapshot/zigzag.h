/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/zigzag.h: encodes signed numbers as unsigned ones, so
 * that a small magnitude gives a small number.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_ZIGZAG_H
#define CP_RENDER_EXPORT_SNAPSHOT_ZIGZAG_H

#include <stdint.h>

static inline uint64_t
cp_zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

#endif
