/* SPDX-License-Identifier: MIT */
/*
 * model/exact-leaf.h: where a sample was taken, if the hardware knows exactly.
 *
 * PEBS and IBS tell the instruction that caused the event (EXACT_IP), while
 * the kernel's chain begins where the interrupt came, mostly an instruction
 * later and now and then in another function.  As in perf report, such a
 * sample is one of its ip, and the chain gives the callers.
 */
#ifndef CP_MODEL_EXACT_LEAF_H
#define CP_MODEL_EXACT_LEAF_H

#include "model/event.h"

/* Must the chain of a sample be corrected? */
static inline bool
cp_exact_differs(const uint64_t *ips, uint64_t nr, uint64_t ip, uint16_t misc)
{
	return (misc & CP_MISC_EXACT_IP) != 0 && ip != 0 && nr != 0 &&
	       (nr < 2 || ips[1] != ip);
}

/*
 * The chain with the exact address, into out, which has room for nr + 2 words;
 * how many.  0: it stays as it was recorded.
 */
size_t cp_exact_chain(
    uint64_t *out, const uint64_t *ips, size_t nr, uint64_t ip, uint16_t misc);

#endif
