/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/dense-ids.h: dense numbers for pairs of words, in the order
 * of their first appearance; and the hash table for numbers of other keys.
 */
#ifndef CP_ANALYSES_COMMON_DENSE_IDS_H
#define CP_ANALYSES_COMMON_DENSE_IDS_H

#include <coldperf/plugin.h>

/* Numbers by the hash of what they stand for, which the caller knows. */
struct cp_slots {
	uint32_t *at; /* number + 1, 0: empty */
	uint32_t mask;
};

/* n is a power of two. */
void cp_slots_init(struct cp_slots *, struct cp_run *, uint32_t n);
/* Number + 1 in the slot *i, which begins as the hash and goes on by 1. */
static inline uint32_t
cp_slots_get(const struct cp_slots *s, uint32_t *i)
{
	*i &= s->mask;
	return s->at[*i];
}
/* Full enough that one more number needs twice as many slots. */
static inline bool
cp_slots_full(const struct cp_slots *s, uint32_t numbers)
{
	return numbers > s->mask / 2;
}
/* Twice as many slots, of n numbers; `all` is an array with their keys. */
void cp_slots_grow(struct cp_slots *, struct cp_run *, uint32_t n,
    uint32_t (*hash)(const void *all, uint32_t number), const void *all);

struct cp_pair {
	uint64_t a, b;
};

struct cp_index {
	struct cp_run *run;
	struct cp_pair *all; /* by number */
	uint32_t n;
	struct cp_slots slots;
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
