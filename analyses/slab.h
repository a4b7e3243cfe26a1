/* SPDX-License-Identifier: MIT */
/*
 * analyses/slab.h: zeroed things by number that stay where they are.
 */
#ifndef CP_ANALYSES_SLAB_H
#define CP_ANALYSES_SLAB_H

#include <coldperf/plugin.h>

#include <string.h>

enum { CP_SLAB_CHUNK = 256 };

struct cp_slab {
	struct cp_run *run;
	size_t size; /* of a thing */
	void **chunk;
	uint32_t chunks;
};

static inline void
cp_slab_init(struct cp_slab *s, struct cp_run *run, size_t size)
{
	*s = (struct cp_slab) { .run = run, .size = size };
}

static inline void
cp_slab_grow_(struct cp_slab *s, uint32_t chunk)
{
	if (chunk >= s->chunks) {
		uint32_t n = chunk < 8 ? 16 : 2 * chunk;
		void **all = cp_run_alloc(s->run, n * sizeof(*all));

		if (s->chunks != 0)
			memcpy(all, s->chunk, s->chunks * sizeof(*all));
		s->chunk = all;
		s->chunks = n;
	}
	s->chunk[chunk] = cp_run_alloc(s->run, CP_SLAB_CHUNK * s->size);
}

/* Number i, which is made if it is not there yet. */
static inline void *
cp_slab_at(struct cp_slab *s, uint32_t i)
{
	uint32_t chunk = i / CP_SLAB_CHUNK;

	if (chunk >= s->chunks || s->chunk[chunk] == NULL)
		cp_slab_grow_(s, chunk);
	return (char *)s->chunk[chunk] + (i % CP_SLAB_CHUNK) * s->size;
}

#endif
