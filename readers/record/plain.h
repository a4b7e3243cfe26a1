/* SPDX-License-Identifier: MIT */
/*
 * readers/record/plain.h: samples of fixed fields, a call chain and raw data.
 *
 * These functions are inline, and compiled for each byte order separately,
 * because nearly every sample of most captures is plain.
 */
#ifndef CP_READERS_RECORD_PLAIN_H
#define CP_READERS_RECORD_PLAIN_H

#include "base/limits.h"
#include "model/order/order.h"
#include "readers/record/decode.h"

/* Reads a field at a known place; p must hold all fixed fields. */
static inline uint64_t
cp_plain_word(const uint8_t *p, uint8_t at, bool swap, uint64_t absent)
{
	return at != CP_ABSENT ? cp_load64(p + at, swap) : absent;
}

/* Reads the fixed fields at p and gives the others their defaults. */
static inline __attribute__((always_inline)) void
cp_plain_head(const uint8_t *p, const struct cp_evsel_info *e, bool swap,
    struct cp_plain *out)
{
	const uint8_t *at = e->at;

	out->id = cp_plain_word(p, at[CP_HEAD_ID], swap, 0);
	out->ip = cp_plain_word(p, at[CP_HEAD_IP], swap, 0);
	out->time = cp_plain_word(p, at[CP_HEAD_TIME], swap, CP_NO_TIME);
	out->addr = cp_plain_word(p, at[CP_HEAD_ADDR], swap, 0);
	out->period =
	    cp_plain_word(p, at[CP_HEAD_PERIOD], swap, e->attr.sample_period);
	out->pid = out->tid = out->cpu = CP_NO_ID;
	if (CP_LIKELY(at[CP_HEAD_TID] != CP_ABSENT)) {
		out->pid = cp_load32(p + at[CP_HEAD_TID], swap);
		out->tid = cp_load32(p + at[CP_HEAD_TID] + 4, swap);
	}
	if (CP_LIKELY(at[CP_HEAD_CPU] != CP_ABSENT))
		out->cpu = cp_load32(p + at[CP_HEAD_CPU], swap);
	out->evsel = e->pub.index;
}

/*
 * Writes a sample of a `bare` event straight into the queue: its fixed fields,
 * and n bytes of raw data that end the record.
 */
static inline __attribute__((always_inline)) void
cp_plain_slot(struct cp_order *o, const struct cp_evsel_info *e,
    const uint8_t *p, uint32_t n, uint64_t time, uint64_t offset, uint16_t misc)
{
	struct cp_slot *s = cp_order_slot_(o, time, n);
	struct cp_plain head;

	cp_plain_head(p, e, false, &head);
	*s = (struct cp_slot){ .offset = offset,
		.ip = head.ip,
		.period = head.period,
		.pid = head.pid,
		.tid = head.tid,
		.cpu = head.cpu,
		.evsel = head.evsel,
		.type = CP_RECORD_SAMPLE,
		.misc = misc,
		.size = n };
	memcpy(s + 1, p + e->head + 4, n);
}

/*
 * Reads a record's content, size bytes in our own byte order, of a `plain`
 * event. Returns false if the content does not fill exactly the size.  The
 * chain may not be aligned.
 */
static inline __attribute__((always_inline)) bool
cp_plain_read(struct cp_plain *out, const struct cp_evsel_info *e,
    const uint8_t *p, size_t size)
{
	uint64_t st = e->attr.sample_type;

	if (size < e->head)
		return false;
	cp_plain_head(p, e, false, out);
	out->nr = 0;
	out->ips = NULL;
	out->raw = NULL;
	out->raw_size = 0;
	p += e->head;
	size -= e->head;
	if (st & CP_SAMPLE_CALLCHAIN) {
		if (size < 8)
			return false;
		out->nr = cp_load64(p, false);
		if (out->nr > CP_MAX_CHAIN || out->nr * 8 > size - 8)
			return false;
		out->ips = (const void *)(p + 8);
		p += 8 + out->nr * 8;
		size -= 8 + out->nr * 8;
	}
	if (!(st & CP_SAMPLE_RAW))
		return size == 0;
	if (size < 4)
		return false;
	out->raw = p + 4;
	out->raw_size = cp_load32(p, false);
	return out->raw_size == size - 4;
}

#endif
