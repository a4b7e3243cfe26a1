/* SPDX-License-Identifier: MIT */
/*
 * base/vec.h: a growing array of any type.
 *
 *	CP_VEC(struct cp_map) maps = { 0 };
 *	*cp_vec_push(&maps) = m;
 *	maps.data[i]; maps.len; cp_vec_free(&maps);
 */
#ifndef CP_BASE_VEC_H
#define CP_BASE_VEC_H

#include "base/mem.h"

#define CP_VEC(T)                                                              \
	struct {                                                               \
		T *data;                                                       \
		size_t len, cap;                                               \
	}

static inline void *
cp_vec_grow_(void *data, size_t *cap, size_t need, size_t size)
{
	/* Large elements start with one: many such arrays hold no more. */
	size_t n = *cap != 0 ? *cap + *cap / 2 + 1 : 1 + 128 / size;

	n = CP_MAX(n, need);
	*cap = n;
	return cp_xrealloc(data, n, size);
}

#define cp_vec_reserve(v, n)                                                   \
	((n) <= (v)->cap ? (void)0                                             \
			 : (void)((v)->data = cp_vec_grow_((v)->data,          \
				      &(v)->cap, (n), sizeof(*(v)->data))))
/* A new element at the end, not initialized. */
#define cp_vec_push(v)                                                         \
	(cp_vec_reserve((v), (v)->len + 1), &(v)->data[(v)->len++])
#define cp_vec_free(v)                                                         \
	(free((v)->data), (v)->data = NULL, (v)->len = (v)->cap = 0)

/* Comparison of uint64_t for qsort() and bsearch(), ascending. */
static inline int
cp_u64_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

#endif
