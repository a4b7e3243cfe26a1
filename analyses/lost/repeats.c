/* SPDX-License-Identifier: MIT */
#include "analyses/lost/repeats.h"

#include <string.h>

/* More bytes are not compared: these events have fewer. */
enum { BYTES = 128 };

struct cp_repeat {
	uint32_t event; /* + 1; 0: none yet */
	uint32_t size;
	uint8_t raw[BYTES];
};

void
cp_repeats_init(struct cp_repeats *r, struct cp_run *run)
{
	*r = (struct cp_repeats){ .run = run };
	cp_index_init(&r->places, run);
}

bool
cp_repeats_sample(struct cp_repeats *r, uint8_t kind, const struct cp_sample *s)
{
	uint32_t n = s->raw_size < BYTES ? s->raw_size : BYTES;
	uint32_t i = cp_index_put(&r->places, kind, s->cpu);
	struct cp_repeat *last;

	cp_grow_to(r->run, r->last, &r->cap, i);
	last = &r->last[i];
	if (s->raw == NULL)
		return false;
	if (last->event != 0 && last->event != s->evsel + 1 &&
	    last->size == s->raw_size && memcmp(last->raw, s->raw, n) == 0)
		return true;
	last->event = s->evsel + 1;
	last->size = s->raw_size;
	memcpy(last->raw, s->raw, n);
	return false;
}
