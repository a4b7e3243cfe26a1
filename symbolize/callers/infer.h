/* SPDX-License-Identifier: MIT */
/*
 * symbolize/callers/infer.h: the only function that can be a lost caller.
 */
#ifndef CP_SYMBOLIZE_CALLERS_INFER_H
#define CP_SYMBOLIZE_CALLERS_INFER_H

#include "base/hash.h"
#include "symbolize/unwind/rule-lookup.h"

struct cp_symtab;
struct cp_inference {
	struct cp_unwinder *unwinder;
	CP_VEC(struct cp_symtab *) plts; /* by dso id */
	struct cp_map64 quiet;           /* hash of dso, address: answer + 1 */
	uint64_t left; /* bytes of code that may still be read */
};

void cp_inference_init(struct cp_inference *, struct cp_unwinder *);
void cp_inference_free(struct cp_inference *);
/*
 * Finds the function between a frame and the one above it.  False: it is not
 * known, or there may be several.
 */
bool cp_infer_caller(struct cp_inference *, const struct cp_frame *,
    const struct cp_unwind_row *, const struct cp_frame *above,
    const struct cp_unwind_row *up, struct cp_frame *out);

#endif
