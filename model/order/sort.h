/* SPDX-License-Identifier: MIT */
/* model/order/sort.h: sorts kept events by time. */
#ifndef CP_MODEL_ORDER_SORT_H
#define CP_MODEL_ORDER_SORT_H

#include "base/base.h"

struct cp_slot;

struct cp_order_key {
	uint64_t time;
	struct cp_slot *slot;
};

/*
 * A stable natural merge sort.  scratch has room for n keys.  Returns the array
 * that has the result: either of the two.
 */
struct cp_order_key *cp_order_sort(
    struct cp_order_key *, size_t n, struct cp_order_key *scratch) CP_MUST_USE;

#endif
