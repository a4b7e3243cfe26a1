/* SPDX-License-Identifier: MIT */
/*
 * symbolize/callers/kept.h: the lost callers that a snapshot keeps.
 */
#ifndef CP_SYMBOLIZE_CALLERS_KEPT_H
#define CP_SYMBOLIZE_CALLERS_KEPT_H

#include "base/vec.h"
#include "symbolize/object/snapshot.h"

struct cp_kept_callers {
	struct cp_symbols *symbols;
	CP_VEC(uint32_t) dso; /* by row of the snapshot's objects; 0: none */
	uint32_t seen;        /* dsos that are in it */
};

/*
 * Is a caller lost between the two frames, or with above NULL below any?  Sets
 * what is known of it in *out, unless above is NULL.
 */
bool cp_kept_caller(struct cp_kept_callers *, const struct cp_frame *,
    const struct cp_frame *above, struct cp_frame *out);

#endif
