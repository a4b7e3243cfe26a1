/* SPDX-License-Identifier: MIT */
/*
 * lane: copies runs of plain samples from the window into the queue without
 * making events of them.
 *
 * Stops at records that need more checks, and leaves them to cp_stream_next():
 * records other than plain samples, records that are damaged, truncated, of
 * unknown events or followed by damage, and times out of order.
 *
 * Without a queue the same samples are passed over, unless their raw data have
 * a '/': who looks for paths alone need not decode the others.
 */
#include "base/tuning.h"
#include "readers/record/plain.h"
#include "readers/record/stream.h"

struct lane {
	struct cp_order *o; /* NULL: samples are passed over */
	const struct cp_evsels *evsels;
	/* the event of all records; NULL: look it up by id */
	const struct cp_evsel_info *only;
	size_t id_at; /* offset of the id in a record */
	bool bare;    /* only raw data are wanted, not stacks or addresses */
	const uint8_t *at, *end; /* the bytes in the window */
	/* offset in the input that `at` 0 would have */
	uint64_t origin;
	uint64_t offset, last; /* offset and time of the last sample taken */
	uint64_t before;       /* time of the sample before the last */
};

static inline const struct cp_evsel_info *
evsel_of(const struct lane *l, const uint8_t *rec, size_t n)
{
	if (l->only != NULL)
		return l->only;
	if (n < l->id_at + 8)
		return NULL;
	return cp_evsels_find(l->evsels, cp_load64(rec + l->id_at, false));
}

static inline bool
is_deferred(const struct cp_plain *p)
{
	return p->nr >= 2 && p->ips[p->nr - 2] == CP_CONTEXT_USER_DEFERRED;
}

static inline bool
near(const struct lane *l, uint64_t time)
{
	return time != 0 && time != CP_NO_TIME && !cp_stream_far(time, l->last);
}

static inline bool
timely(const struct lane *l, uint64_t time)
{
	return near(l, time) && time >= l->o->delivered;
}

/* Takes a sample whose chain is not wanted; its content is p[0..n). */
static inline bool
take_bare(struct lane *l, const struct cp_evsel_info *e, const uint8_t *p,
    size_t n, uint16_t misc)
{
	size_t raw = e->head + 4u;
	uint64_t time;

	if (n < raw || cp_load32(p + e->head, false) != n - raw)
		return false;
	time = cp_load64(p + e->at[CP_HEAD_TIME], false);
	if (!timely(l, time))
		return false;
	l->offset = l->origin + (uintptr_t)p - CP_HEAD_SIZE;
	cp_plain_slot(l->o, e, p, (uint32_t)(n - raw), time, l->offset, misc);
	l->before = l->last;
	l->last = time;
	return true;
}

static inline bool
is_aligned(const struct cp_plain *p)
{
	return (uintptr_t)p->ips % sizeof(uint64_t) == 0;
}

static inline bool
take_plain(struct lane *l, const struct cp_evsel_info *e, const uint8_t *p,
    size_t n, uint16_t misc)
{
	struct cp_plain s;

	if (!cp_plain_read(&s, e, p, n) || !is_aligned(&s) ||
	    !timely(l, s.time) || is_deferred(&s))
		return false;
	s.misc = misc;
	s.offset = l->offset = l->origin + (uintptr_t)p - CP_HEAD_SIZE;
	cp_order_plain(l->o, &s);
	l->before = l->last;
	l->last = s.time;
	return true;
}

static inline bool
pass_over(
    struct lane *l, const struct cp_evsel_info *e, const uint8_t *p, size_t n)
{
	struct cp_plain s;

	if (!e->plain || !cp_plain_read(&s, e, p, n) || !near(l, s.time) ||
	    (s.raw != NULL && memchr(s.raw, '/', s.raw_size) != NULL))
		return false;
	l->offset = l->origin + (uintptr_t)p - CP_HEAD_SIZE;
	l->before = l->last;
	l->last = s.time;
	return true;
}

static inline bool
enqueue(struct lane *l, const struct cp_evsel_info *e, const uint8_t *p,
    size_t n, uint16_t misc)
{
	if (!cp_order_takes(l->o, e))
		return false;
	return e->bare && l->bare ? take_bare(l, e, p, n, misc)
				  : take_plain(l, e, p, n, misc);
}

/* Is there a header at the next place?  If not, bytes may be missing. */
static inline bool
followed(const uint8_t *next)
{
	struct cp_record_head h = cp_head_read(next, false);
	bool known;

	return cp_head_plausible(&h, &known);
}

static inline __attribute__((always_inline)) bool
take_one(struct lane *l, bool pass)
{
	const uint8_t *rec = l->at, *p = rec + CP_HEAD_SIZE;
	size_t left = (size_t)(l->end - rec), n;
	const struct cp_evsel_info *e;
	struct cp_record_head h;

	if (left < CP_HEAD_SIZE)
		return false;
	h = cp_head_read(rec, false);
	if (h.type != CP_RECORD_SAMPLE || h.size % 8 != 0 ||
	    h.size < CP_HEAD_SIZE + 8 || left < h.size + CP_HEAD_SIZE ||
	    !followed(rec + h.size))
		return false;
	/* a record soon to be read starts about there */
	__builtin_prefetch(rec + CP_LANE_AHEAD);
	__builtin_prefetch(rec + CP_LANE_AHEAD + 64);
	n = h.size - CP_HEAD_SIZE;
	e = evsel_of(l, rec, h.size);
	if (e == NULL ||
	    !(pass ? pass_over(l, e, p, n) : enqueue(l, e, p, n, h.misc)))
		return false;
	l->at += h.size;
	return true;
}

/* Takes samples until the window ends or one cannot be taken. */
static uint64_t
take_all(struct lane *l)
{
	uint64_t taken = 0;
	bool more = true;
	size_t room;

	while (more && (room = cp_order_room(l->o)) != 0)
		for (; room != 0 && more; room--) {
			more = take_one(l, false);
			taken += more;
		}
	cp_chains_settle(l->o->chains);
	return taken;
}

static uint64_t
pass_all(struct lane *l)
{
	uint64_t passed = 0;

	while (take_one(l, true))
		passed++;
	return passed;
}

static uint64_t
run_lane(struct cp_stream *s, struct cp_order *o, struct cp_window *w)
{
	const struct cp_evsels *e = &s->rec->evsels;
	bool by_id = e->sample_id_at >= 0 && e->all.len != 1;
	struct lane l = { .o = o,
		.evsels = e,
		.only = by_id ? NULL : e->all.data[0],
		.bare = o != NULL && o->want_payload && !o->want_places,
		.id_at = CP_HEAD_SIZE + 8 * (size_t)e->sample_id_at,
		.at = w->at,
		.end = w->end,
		.origin = w->offset - (uintptr_t)w->at,
		.last = s->last_time,
		.before = s->time_before };
	uint64_t taken = o != NULL ? take_all(&l) : pass_all(&l);
	size_t bytes = (size_t)(l.at - w->at);

	if (taken == 0)
		return 0;
	s->last_time = l.last;
	s->time_before = l.before;
	cp_window_step(w, bytes);
	s->number += taken;
	s->quality->records += taken;
	if (w == &s->outer) {
		s->quality->bytes_parsed += bytes;
		s->plain = true;
	}
	s->diags->at_record = s->number;
	s->diags->at_offset = l.offset;
	return taken;
}

uint64_t
cp_stream_lane(struct cp_stream *s, struct cp_order *o)
{
	if (s->swap || s->in_gap || s->doubt || s->compare != CP_NEVER ||
	    s->rec->evsels.all.len == 0)
		return 0;
	return run_lane(s, o, s->inner.mem != NULL ? &s->inner : &s->outer);
}
