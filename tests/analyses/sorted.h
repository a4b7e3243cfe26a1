/* SPDX-License-Identifier: MIT */
/*
 * Durations drawn by chance, and the percentiles that a sort of all gives:
 * what the stores of durations are compared with.
 */
#ifndef CP_TESTS_ANALYSES_SORTED_H
#define CP_TESTS_ANALYSES_SORTED_H

#include <stdint.h>
#include <stdlib.h>

struct sorted {
	uint64_t *v;
	size_t n;
	uint64_t seed;
};

/* The next, below 2^bits, of any size, kept too; v has room for it. */
static inline uint64_t
sorted_draw(struct sorted *s, unsigned bits)
{
	s->seed = s->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	s->v[s->n] = (s->seed >> (64 - bits)) >> (s->seed >> 33) % bits;
	return s->v[s->n++];
}

static inline int
sorted_compare(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return (*a > *b) - (*a < *b);
}

static inline void
sorted_sort(struct sorted *s)
{
	qsort(s->v, s->n, sizeof(*s->v), sorted_compare);
}

/* The smallest value that at least that share of all do not exceed. */
static inline uint64_t
sorted_at(const struct sorted *s, unsigned permille)
{
	size_t rank = (s->n * permille + 999) / 1000;

	return s->v[rank != 0 ? rank - 1 : 0];
}

static inline uint64_t
sorted_sum(const struct sorted *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += s->v[i];
	return sum;
}

#endif
