/* SPDX-License-Identifier: MIT */
/*
 * readers/record-head.h: the first eight bytes of a record, and whether they
 * can be that.
 */
#ifndef CP_READERS_RECORD_HEAD_H
#define CP_READERS_RECORD_HEAD_H

#include "base/bytes.h"
#include "model/event.h"

struct cp_record_head {
	uint32_t type;
	uint16_t misc;
	uint32_t size; /* simpleperf's may exceed 65,535 */
};

enum { CP_HEAD_SIZE = 8 };

enum { CP_SIMPLEPERF_FIRST = 32768, CP_SIMPLEPERF_LAST = 32778 };

static inline struct cp_record_head
cp_head_read(const uint8_t *p, bool swap)
{
	struct cp_record_head h = { .type = cp_load32(p, swap),
		.misc = cp_load16(p + 4, swap),
		.size = cp_load16(p + 6, swap) };

	if (CP_UNLIKELY(h.type >= CP_SIMPLEPERF_FIRST &&
			h.type <= CP_SIMPLEPERF_LAST)) {
		h.size |= (uint32_t)h.misc << 16;
		h.misc = 0;
	}
	return h;
}

/*
 * Does a TRACING_DATA record hold its data, as older simpleperf's, instead of
 * standing before them?
 */
static inline bool
cp_tracing_inside(const struct cp_event *ev)
{
	enum { HEAD = CP_HEAD_SIZE + 4 };

	return ev->size > HEAD &&
	       cp_load32(ev->bytes + CP_HEAD_SIZE, ev->swap) <= ev->size - HEAD;
}

/* Bytes that belong to a record but stand after it. */
uint64_t cp_extra_size(const struct cp_event *);

bool cp_head_plausible_(const struct cp_record_head *, bool *known);

/* Of a type we know, and of a size, whatever multiple, that it can have. */
bool cp_head_possible(const struct cp_record_head *);

/* Could this be a record's header?  known: of a type we know. */
static inline bool
cp_head_plausible(const struct cp_record_head *h, bool *known)
{
	if (CP_UNLIKELY(h->type != CP_RECORD_SAMPLE))
		return cp_head_plausible_(h, known);
	*known = true;
	/* The stack of a 32-bit process ends where its addresses do. */
	return h->size >= CP_HEAD_SIZE && h->size % 4 == 0;
}

#endif
