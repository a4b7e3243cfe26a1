/* SPDX-License-Identifier: MIT */
/*
 * sort: natural merge sort of (time, slot).
 *
 * A round is the buffers of several CPUs in turn, each already sorted: as many
 * runs as CPUs, so log2(CPUs) passes over the keys.
 */
#include "model/order/sort.h"

#include "base/vec.h"

/* Finds the ends of the ascending runs. */
static void
runs_find(const struct cp_order_key *k, size_t n, size_t **ends, size_t *count)
{
	CP_VEC(size_t) runs = { 0 };

	for (size_t i = 1; i < n; i++)
		if (k[i].time < k[i - 1].time)
			*cp_vec_push(&runs) = i;
	*cp_vec_push(&runs) = n;
	*ends = runs.data;
	*count = runs.len;
}

static void
merge(const struct cp_order_key *a, size_t na, const struct cp_order_key *b,
    size_t nb, struct cp_order_key *out)
{
	const struct cp_order_key *enda = a + na, *endb = b + nb;

	/* Branch-free: no predictor can foresee which side is next. */
	while (a < enda && b < endb) {
		bool second = b->time < a->time;

		*out++ = *(second ? b : a);
		b += second;
		a += !second;
	}
	memcpy(out, a, (size_t)(enda - a) * sizeof(*a));
	memcpy(out + (enda - a), b, (size_t)(endb - b) * sizeof(*b));
}

/* Merges neighbouring runs in one pass.  Returns how many runs are left. */
static size_t
merge_pairs(const struct cp_order_key *from, struct cp_order_key *to,
    size_t *ends, size_t count)
{
	size_t start = 0, left = 0;

	for (size_t r = 0; r < count; r += 2) {
		size_t mid = ends[r];
		size_t end = r + 1 < count ? ends[r + 1] : mid;

		merge(from + start, mid - start, from + mid, end - mid,
		    to + start);
		ends[left++] = end;
		start = end;
	}
	return left;
}

struct cp_order_key *
cp_order_sort(struct cp_order_key *k, size_t n, struct cp_order_key *scratch)
{
	struct cp_order_key *from = k, *to = scratch, *swap;
	CP_CLEANUP(cp_cleanup_free) size_t *ends = NULL;
	size_t count;

	if (n < 2)
		return k;
	runs_find(k, n, &ends, &count);
	while (count > 1) {
		count = merge_pairs(from, to, ends, count);
		swap = from;
		from = to;
		to = swap;
	}
	return from;
}
