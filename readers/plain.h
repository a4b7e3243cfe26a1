/* SPDX-License-Identifier: MIT */
/*
 * readers/plain.h: samples of fixed fields, a call chain and raw data.
 *
 * Every sample of nearly every capture comes through here, hence inline and
 * made for each byte order by itself.
 */
#ifndef CP_READERS_PLAIN_H
#define CP_READERS_PLAIN_H

#include "base/limits.h"
#include "model/order.h"
#include "readers/decode.h"

/* Fields of a word each, up to the counter values: p holds them all. */
static inline __attribute__((always_inline)) void
cp_plain_head(const uint8_t *p, uint64_t st, bool swap, struct cp_plain *out)
{
	if (st & CP_SAMPLE_IDENTIFIER) {
		out->id = cp_load64(p, swap);
		p += 8;
	}
	if (st & CP_SAMPLE_IP) {
		out->ip = cp_load64(p, swap);
		p += 8;
	}
	if (st & CP_SAMPLE_TID) {
		out->pid = cp_load32(p, swap);
		out->tid = cp_load32(p + 4, swap);
		p += 8;
	}
	if (st & CP_SAMPLE_TIME) {
		out->time = cp_load64(p, swap);
		p += 8;
	}
	if (st & CP_SAMPLE_ADDR) {
		out->addr = cp_load64(p, swap);
		p += 8;
	}
	if (st & CP_SAMPLE_ID) {
		out->id = cp_load64(p, swap);
		p += 8;
	}
	if (st & CP_SAMPLE_STREAM_ID)
		p += 8;
	if (st & CP_SAMPLE_CPU) {
		out->cpu = cp_load32(p, swap);
		p += 8;
	}
	if (st & CP_SAMPLE_PERIOD)
		out->period = cp_load64(p, swap);
}

/*
 * What no field tells.  One by one: compilers clear a struct of this size by
 * an instruction whose result takes long to be there.
 */
static inline void
cp_plain_init(struct cp_plain *out, const struct cp_evsel_info *e)
{
	out->time = CP_NO_TIME;
	out->offset = out->ip = out->addr = out->id = out->nr = 0;
	out->period = e->attr.sample_period;
	out->pid = out->tid = out->cpu = CP_NO_ID;
	out->evsel = e->pub.index;
	out->misc = 0;
	out->raw_size = 0;
	out->ips = NULL;
	out->raw = NULL;
}

/*
 * The content of a record of our own byte order, size bytes, of an event
 * that is `plain`; false if they are not exactly what the size says, or the
 * chain is not aligned.
 */
static inline bool
cp_plain_read(struct cp_plain *out, const struct cp_evsel_info *e,
    const uint8_t *p, size_t size)
{
	uint64_t st = e->attr.sample_type;

	if (size < e->head)
		return false;
	cp_plain_init(out, e);
	cp_plain_head(p, st, false, out);
	p += e->head;
	size -= e->head;
	if (st & CP_SAMPLE_CALLCHAIN) {
		if (size < 8)
			return false;
		out->nr = cp_load64(p, false);
		if (out->nr > CP_MAX_CHAIN || out->nr * 8 > size - 8 ||
		    (uintptr_t)p % sizeof(uint64_t) != 0)
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
