/* SPDX-License-Identifier: MIT */
/* repeats: samples that tell what another event has told. */
#include "run/facts/facts.h"

#include <string.h>

/* More bytes are not compared: these events have fewer. */
enum { REPEATED = 128 };

struct cp_sched_repeat {
	uint32_t event; /* + 1; 0: none yet */
	uint32_t size;
	uint8_t raw[REPEATED];
};

bool
cp_sched_repeats(
    struct cp_sched_decoder *d, uint8_t kind, const struct cp_sample *s)
{
	uint32_t n = s->raw_size < REPEATED ? s->raw_size : REPEATED;
	uint32_t i =
	    (s->cpu < CP_SCHED_CPUS ? s->cpu + 1 : 0) * CP_SCHED_KINDS + kind;
	struct cp_sched_repeat *last;

	if (i >= d->n_repeats) {
		uint32_t more = 2 * i + 1;

		last = cp_run_alloc(d->run, more * sizeof(*last));
		if (d->n_repeats != 0)
			memcpy(last, d->repeat, d->n_repeats * sizeof(*last));
		d->repeat = last;
		d->n_repeats = more;
	}
	last = &d->repeat[i];
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
