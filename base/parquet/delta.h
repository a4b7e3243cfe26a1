/* SPDX-License-Identifier: MIT */
/*
 * base/parquet/delta.h: reads Parquet's DELTA_BINARY_PACKED.
 */
#ifndef CP_BASE_PARQUET_DELTA_H
#define CP_BASE_PARQUET_DELTA_H

#include "base/bytes.h"

/*
 * Reads n numbers of 32 or 64 bits.  The cursor fails if the bytes are not n
 * such numbers.
 */
void cp_delta_read(struct cp_bytes *, int64_t *out, size_t n, unsigned bits);

#endif
