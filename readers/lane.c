/* SPDX-License-Identifier: MIT */
/*
 * lane: runs of plain samples go from the window into the queue without
 * becoming events on the way.
 *
 * It takes nothing that needs a second look: other records, records that are
 * damaged, cut off or of unknown events, times out of order.  It stops in
 * front of them, and cp_stream_next() deals with them as ever.
 */
#include "readers/plain.h"
#include "readers/stream.h"

enum { AHEAD = 1024 }; /* bytes */

struct lane {
	struct cp_stream *s;
	struct cp_order *o;
	struct cp_window *w;
	uint64_t taken, bytes;
	uint64_t last; /* offset of the last one taken */
};

static const struct cp_evsel_info *
evsel_of(struct lane *l, const uint8_t *p, size_t n)
{
	const struct cp_evsels *e = &l->s->rec->evsels;
	size_t at = (size_t)e->sample_id_at * 8;

	if (e->sample_id_at < 0 || e->all.len == 1)
		return e->all.data[0];
	if (n < at + 8)
		return NULL;
	return cp_evsels_find(e, cp_load64(p + at, false));
}

static bool
is_deferred(const struct cp_plain *p)
{
	return p->nr >= 2 && p->ips[p->nr - 2] == CP_CONTEXT_USER_DEFERRED;
}

static inline bool
take_one(struct lane *l)
{
	struct cp_stream *s = l->s;
	const uint8_t *rec = l->w->at;
	size_t left = (size_t)(l->w->end - rec);
	const struct cp_evsel_info *e;
	struct cp_record_head h;
	struct cp_plain p;

	if (left < CP_HEAD_SIZE)
		return false;
	h = cp_head_read(rec, false);
	if (h.type != CP_RECORD_SAMPLE || h.size % 8 != 0 ||
	    h.size < CP_HEAD_SIZE || left < h.size + CP_HEAD_SIZE)
		return false;
	__builtin_prefetch(rec + AHEAD); /* where one of the next starts */
	__builtin_prefetch(rec + AHEAD + 64);
	e = evsel_of(l, rec + CP_HEAD_SIZE, h.size - CP_HEAD_SIZE);
	if (e == NULL || !cp_order_takes(l->o, e) ||
	    !cp_plain_read(
		&p, e, rec + CP_HEAD_SIZE, h.size - CP_HEAD_SIZE) ||
	    p.time == 0 || p.time == CP_NO_TIME ||
	    p.time < l->o->delivered || is_deferred(&p) ||
	    cp_window_torn(l->w))
		return false;
	p.misc = h.misc;
	p.offset = l->last = l->w->offset;
	cp_order_plain(l->o, &p);
	s->time_before = s->last_time;
	s->last_time = p.time;
	cp_window_step(l->w, h.size);
	l->taken++;
	l->bytes += h.size;
	return true;
}

uint64_t
cp_stream_lane(struct cp_stream *s, struct cp_order *o)
{
	struct lane l = { .s = s, .o = o,
		.w = s->inner.mem != NULL ? &s->inner : &s->outer };
	bool more = true;
	size_t room;

	if (s->swap || s->in_gap || s->rec->evsels.all.len == 0)
		return 0;
	while (more && (room = cp_order_room(o)) != 0)
		while (room-- != 0 && more)
			more = take_one(&l);
	s->number += l.taken;
	s->quality->records += l.taken;
	if (l.w == &s->outer)
		s->quality->bytes_parsed += l.bytes;
	if (l.taken != 0) {
		s->diags->at_record = s->number;
		s->diags->at_offset = l.last;
	}
	return l.taken;
}
