/* SPDX-License-Identifier: MIT */
/*
 * readers/decode.h: the bytes of one record -> struct cp_event.
 *
 * Strict on purpose: a record whose content does not fill exactly the size
 * that it claims is not trusted, because a wrong size is the commonest form
 * of damage and believing it loses every record behind it.
 */
#ifndef CP_READERS_DECODE_H
#define CP_READERS_DECODE_H

#include "base/bytes.h"
#include "model/event.h"
#include "model/evsel.h"

enum cp_decoded {
	CP_DECODED_BAD, /* the content contradicts the size */
	CP_DECODED_LOOSE, /* fits, but could hide a wrong size */
	CP_DECODED_EXACT,
};

struct cp_record_head {
	uint32_t type;
	uint16_t misc;
	uint32_t size; /* simpleperf's may exceed 65,535 */
};

enum { CP_HEAD_SIZE = 8 };

struct cp_record_head cp_head_read(const uint8_t *, bool swap);
/* Could this be a record's header?  known: of a type we know. */
bool cp_head_plausible(const struct cp_record_head *, bool *known);

/*
 * rec holds size bytes.  Fills everything but offset, number and source.
 * The result points into rec, or for call chains that are not aligned or of
 * the other byte order into evsels->scratch.
 */
enum cp_decoded cp_decode(const struct cp_evsels *, const uint8_t *rec,
    const struct cp_record_head *, bool swap, struct cp_event *);

/* decode-sample.c */
enum cp_decoded cp_decode_sample(const struct cp_evsels *, struct cp_bytes *,
    struct cp_event *);

#endif
