/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/dense-ids.h: dense numbers for pairs of words, in order of
 * first appearance; and a hash table to number other keys.
 */
#ifndef CP_ANALYSES_COMMON_DENSE_IDS_H
#define CP_ANALYSES_COMMON_DENSE_IDS_H

#include <coldperf/plugin.h>

/* A hash table of numbers; the caller has the keys and hashes them. */
struct cp_slots {
	uint32_t *at; /* number + 1, 0: empty */
	uint32_t mask;
};

/* Makes a table of n slots, a power of two. */
void cp_slots_init(struct cp_slots *, struct cp_run *, uint32_t n);
void cp_slots_free(struct cp_slots *, struct cp_run *);
/*
 * Returns number + 1 in the next slot of a probe and advances *i, which starts
 * as the hash; 0: the slot is empty.
 */
static inline uint32_t
cp_slots_get(const struct cp_slots *s, uint32_t *i)
{
	*i &= s->mask;
	return s->at[*i];
}
/* True if another number needs a larger table. */
static inline bool
cp_slots_full(const struct cp_slots *s, uint32_t numbers)
{
	return numbers > s->mask / 2;
}
/* Doubles the table of n numbers; `all` is the array of their keys. */
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
void cp_index_free(struct cp_index *);
/* Returns the pair's number, n - 1 if it is new. */
uint32_t cp_index_put(struct cp_index *, uint64_t a, uint64_t b);
/* Returns the pair's number, CP_NO_ID if it has none. */
uint32_t cp_index_get(const struct cp_index *, uint64_t a, uint64_t b);

/*
 * Makes room for number n in an array indexed by dense numbers.  Returns the
 * array, or a larger zeroed one with its contents in place of it.
 */
void *cp_grown(
    struct cp_run *, void *array, uint32_t *cap, uint32_t n, size_t size);
#define cp_grow_to(run, array, cap, n)                                         \
	((n) < *(cap) ? (void)0                                                \
		      : (void)((array) = cp_grown((run), (array), (cap), (n),  \
				   sizeof(*(array)))))

#endif
