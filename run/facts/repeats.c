/* SPDX-License-Identifier: MIT */
/* repeats: samples that tell what another event has told. */
#include <coldperf/plugin.h>

#include <string.h>

/* More bytes are not compared: these events have fewer. */
enum { BYTES = 128 };

struct last {
	uint32_t event; /* + 1; 0: none yet */
	uint32_t size;
	uint8_t raw[BYTES];
};

struct cp_repeats {
	struct cp_index places; /* (kind, CPU) */
	struct last *last;      /* by place */
	uint32_t cap;
};

bool
cp_sample_repeats(struct cp_run *run, struct cp_repeats **repeats,
    uint32_t kind, const struct cp_sample *s)
{
	uint32_t n = s->raw_size < BYTES ? s->raw_size : BYTES;
	struct last *last;
	uint32_t i;

	if (*repeats == NULL) {
		*repeats = cp_run_alloc(run, sizeof(**repeats));
		cp_index_init(&(*repeats)->places, run);
	}
	i = cp_index_put(&(*repeats)->places, kind, s->cpu);
	cp_grow_to(run, (*repeats)->last, &(*repeats)->cap, i);
	last = &(*repeats)->last[i];
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
