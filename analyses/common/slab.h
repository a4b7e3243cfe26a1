/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/slab.h: an array of zeroed things whose addresses never
 * change.
 */
#ifndef CP_ANALYSES_COMMON_SLAB_H
#define CP_ANALYSES_COMMON_SLAB_H

#include <coldperf/plugin.h>

#include <string.h>

enum { CP_SLAB_CHUNK = 256 };

struct cp_slab {
	struct cp_run *run;
	size_t size; /* size of a thing */
	char **chunk;
	uint32_t n;      /* things allocated: whole chunks */
	uint32_t chunks; /* room for pointers to chunks */
};

static inline void
cp_slab_init(struct cp_slab *s, struct cp_run *run, size_t size)
{
	*s = (struct cp_slab){ .run = run, .size = size };
}

/* Allocates chunks up to that of thing i. */
static void __attribute__((unused, noinline))
cp_slab_grow_(struct cp_slab *s, uint32_t i)
{
	uint32_t chunk = i / CP_SLAB_CHUNK;

	if (chunk >= s->chunks) {
		uint32_t n = chunk < 8 ? 16 : 2 * chunk;
		char **all = cp_run_alloc(s->run, n * sizeof(*all));

		if (s->chunks != 0)
			memcpy(all, s->chunk, s->chunks * sizeof(*all));
		s->chunk = all;
		s->chunks = n;
	}
	for (; s->n <= i; s->n += CP_SLAB_CHUNK)
		s->chunk[s->n / CP_SLAB_CHUNK] =
		    cp_run_alloc(s->run, CP_SLAB_CHUNK * s->size);
}

/* Returns thing i, allocating it if needed. */
static inline void *
cp_slab_at(struct cp_slab *s, uint32_t i)
{
	if (__builtin_expect(i >= s->n, 0))
		cp_slab_grow_(s, i);
	return s->chunk[i / CP_SLAB_CHUNK] + i % CP_SLAB_CHUNK * s->size;
}

#endif
