/* SPDX-License-Identifier: MIT */
/*
 * analyses/lost/repeats.h: samples that tell what another event has told.
 *
 * A tracepoint may be recorded by several events of one capture, as with
 * -e 'sched:*' -e sched:sched_switch.  Each of them gets the same bytes, one
 * after the other.
 */
#ifndef CP_ANALYSES_LOST_REPEATS_H
#define CP_ANALYSES_LOST_REPEATS_H

#include "analyses/common/dense-ids.h"
#include "analyses/common/tracepoint-fields.h"

struct cp_repeat;
struct cp_repeats {
	struct cp_run *run;
	struct cp_index places; /* (kind, CPU) */
	struct cp_repeat *last; /* by place */
	uint32_t cap;
};

void cp_repeats_init(struct cp_repeats *, struct cp_run *);
/*
 * True if the sample has the bytes of the last one of its kind on its CPU, and
 * is of another event.
 */
bool cp_repeats_sample(
    struct cp_repeats *, uint8_t kind, const struct cp_sample *);
/* Does the same for a sample of a probe; looks only where that can be. */
static inline bool
cp_repeats_probe(struct cp_repeats *r, const struct cp_probe_at *p,
    const struct cp_sample *s)
{
	return p->twice && cp_repeats_sample(r, (uint8_t)p->probe, s);
}

#endif
