/* SPDX-License-Identifier: MIT */
/* model/order-sort.h: sorts kept events by time. */
#ifndef CP_MODEL_ORDER_SORT_H
#define CP_MODEL_ORDER_SORT_H

#include "base/base.h"

struct cp_slot;

struct cp_order_key {
	uint64_t time;
	struct cp_slot *slot;
};

/*
 * A natural merge sort, stable; scratch has room for n.  The result is in one
 * of the two, which is returned.
 */
struct cp_order_key *cp_order_sort(
    struct cp_order_key *, size_t n, struct cp_order_key *scratch) CP_MUST_USE;

#endif
