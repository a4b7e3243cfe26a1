/* SPDX-License-Identifier: MIT */
/*
 * readers/header/attr-decode.h: perf_event_attr as it is stored -> struct
 * cp_attr.
 */
#ifndef CP_READERS_HEADER_ATTR_DECODE_H
#define CP_READERS_HEADER_ATTR_DECODE_H

#include "base/bytes.h"
#include "model/evsel.h"

/* The smallest (2009) and the largest attr whose fields we know. */
enum { CP_ATTR_SIZE_VER0 = 64, CP_ATTR_SIZE_KNOWN = 144 };

/*
 * Big-endian compilers allocate C bit-fields from the highest bit.  Converts
 * the flags from their stored form, and back.
 */
uint64_t cp_attr_flags(uint64_t, bool swap);
/*
 * Decodes an attr at the cursor and moves the cursor past the attr.size bytes
 * that it claims.  CP_FAIL after a diagnostic if the size makes no sense or
 * bytes are missing.
 */
int cp_attr_read(
    struct cp_bytes *, struct cp_attr *out, struct cp_diags *) CP_MUST_USE;
/*
 * Clears bits of sample_type that are noise: several that kernels do not have,
 * far from those that they have.  Samples whose sizes agree then show that the
 * rest is right.  False: no field is known, so that nothing could show it.
 */
bool cp_attr_clear_noise(struct cp_attr *, struct cp_diags *);

#endif
