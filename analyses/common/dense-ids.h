/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/dense-ids.h: dense numbers for pairs of words, in the order
 * of their first appearance.
 */
#ifndef CP_ANALYSES_COMMON_DENSE_IDS_H
#define CP_ANALYSES_COMMON_DENSE_IDS_H

#include <coldperf/plugin.h>

struct cp_pair {
	uint64_t a, b;
};

struct cp_index {
	struct cp_run *run;
	struct cp_pair *all; /* by number */
	uint32_t n;
	uint32_t *slots; /* number + 1, 0: empty */
	uint32_t mask;
};

void cp_index_init(struct cp_index *, struct cp_run *);
/* The pair's number, which may be new: it is n - 1 then. */
uint32_t cp_index_put(struct cp_index *, uint64_t a, uint64_t b);
/* CP_NO_ID: not there. */
uint32_t cp_index_get(const struct cp_index *, uint64_t a, uint64_t b);

/*
 * Room for number n of an array beside an index: the array, or a larger
 * zeroed one with its contents.  The run's memory is not given back, so it
 * doubles.
 */
void *cp_grown(
    struct cp_run *, void *array, uint32_t *cap, uint32_t n, size_t size);
#define cp_grow_to(run, array, cap, n)                                         \
	((n) < *(cap) ? (void)0                                                \
		      : (void)((array) = cp_grown((run), (array), (cap), (n),  \
				   sizeof(*(array)))))

#endif
