/* SPDX-License-Identifier: MIT */
/*
 * readers/record-head.h: the first eight bytes of a record, and whether they
 * can be a header.
 */
#ifndef CP_READERS_RECORD_HEAD_H
#define CP_READERS_RECORD_HEAD_H

#include "base/bytes.h"
#include "model/event.h"

struct cp_record_head {
	uint32_t type;
	uint16_t misc;
	uint32_t size; /* 32 bits: simpleperf's records may exceed 65,535 */
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
 * Does a TRACING_DATA record contain its data?  Older simpleperfs write it so;
 * perf writes the data after the record.
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

/*
 * Can this be the header of a type we know?  The size need not be a multiple of
 * 8.
 */
bool cp_head_possible(const struct cp_record_head *);

/* Could this be a record's header?  *known: its type is one we know. */
static inline bool
cp_head_plausible(const struct cp_record_head *h, bool *known)
{
	if (CP_UNLIKELY(h->type != CP_RECORD_SAMPLE))
		return cp_head_plausible_(h, known);
	*known = true;
	/* A multiple of 4: stacks of 32-bit processes may end there. */
	return h->size >= CP_HEAD_SIZE && h->size % 4 == 0;
}

#endif
