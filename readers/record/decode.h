/* SPDX-License-Identifier: MIT */
/*
 * readers/record/decode.h: the bytes of one record -> struct cp_event.
 *
 * Strict on purpose: a record whose content does not fill exactly the size that
 * it claims is not trusted.  A wrong size is the commonest form of damage, and
 * believing it loses every record after it.
 */
#ifndef CP_READERS_RECORD_DECODE_H
#define CP_READERS_RECORD_DECODE_H

#include "base/bytes.h"
#include "model/event.h"
#include "model/evsel.h"
#include "readers/record-head.h"
#include "readers/record/decoded.h"

/*
 * Decodes the size bytes at rec.  Fills everything but offset, number and
 * source. The result points into rec; call chains that are not aligned or of
 * the other byte order are copied to evsels->scratch.
 */
static inline enum cp_decoded cp_decode(const struct cp_evsels *,
    const uint8_t *rec, const struct cp_record_head *, bool swap,
    struct cp_event *);

/* Steps over the counters that a read_format asks for. */
void cp_decode_counters(struct cp_bytes *, uint64_t format);
/* decode-sample.c */
enum cp_decoded cp_decode_sample(
    const struct cp_evsels *, struct cp_bytes *, struct cp_event *);
/*
 * Offsets, from the start of a decoded sample, of the call chain and the user's
 * registers and stack; for an absent field, the offset at which it would be.
 */
struct cp_sample_places {
	size_t chain, behind_chain, user, behind_user;
};
void cp_sample_places(const struct cp_evsel_info *, const struct cp_event *,
    struct cp_sample_places *);
/* decode.c: every other type. */
enum cp_decoded cp_decode_other(
    const struct cp_evsels *, struct cp_bytes *, struct cp_event *);

static inline enum cp_decoded
cp_decode(const struct cp_evsels *e, const uint8_t *rec,
    const struct cp_record_head *h, bool swap, struct cp_event *ev)
{
	struct cp_bytes b =
	    cp_bytes_of(rec + CP_HEAD_SIZE, h->size - CP_HEAD_SIZE, swap);

	ev->type = h->type;
	ev->misc = h->misc;
	ev->size = h->size;
	ev->time = CP_NO_TIME;
	ev->id = 0;
	ev->slack = 0;
	ev->pid = ev->tid = ev->cpu = ev->evsel = CP_NO_ID;
	ev->bytes = rec;
	ev->swap = swap;
	return CP_LIKELY(h->type == CP_RECORD_SAMPLE)
		   ? cp_decode_sample(e, &b, ev)
		   : cp_decode_other(e, &b, ev);
}

#endif
