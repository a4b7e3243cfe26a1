/* SPDX-License-Identifier: MIT */
/*
 * decode: the trailer and the content of the kernel's records.
 *
 * Needs the event table for the trailer.  Records that nothing reads yet are
 * only checked for their size, as far as the content determines it.
 */
#include "readers/record/decode.h"

#include "base/limits.h"
#include "readers/record/decoded.h"

const char *
cp_record_name(uint32_t type)
{
	switch (type) {
#define X(number, name)                                                        \
	case (number): return #name;
		CP_RECORDS(X)
#undef X
	default: return NULL;
	}
}

/* ------------------------------------------------------------- trailer */

static const struct cp_evsel_info *
trailer_evsel(
    const struct cp_evsels *e, const struct cp_bytes *b, struct cp_event *ev)
{
	const struct cp_evsel_info *found;
	size_t at;

	if (e->all.len == 0 || !e->sample_id_all)
		return NULL;
	if (e->trailer_id_at < 0)
		return e->all.data[0];
	at = (size_t)e->trailer_id_at * 8;
	if (cp_bytes_left(b) < at)
		return NULL;
	ev->id = cp_load64(b->end - at, b->swap);
	found = cp_evsels_find(e, ev->id);
	return found != NULL ? found : e->all.data[0];
}

/* Reads the trailer and cuts it off the end of b. */
static void
trailer_read(const struct cp_evsels *e, struct cp_bytes *b, struct cp_event *ev)
{
	const struct cp_evsel_info *evsel = trailer_evsel(e, b, ev);
	struct cp_bytes t;
	uint64_t st;

	ev->evsel = evsel != NULL ? evsel->pub.index : CP_NO_ID;
	if (evsel == NULL || cp_bytes_left(b) < evsel->trailer)
		return;
	t = cp_bytes_of(b->end - evsel->trailer, evsel->trailer, b->swap);
	b->end -= evsel->trailer;
	st = evsel->attr.sample_type;
	if (st & CP_SAMPLE_TID) {
		ev->pid = cp_bytes_u32(&t);
		ev->tid = cp_bytes_u32(&t);
	}
	if (st & CP_SAMPLE_TIME)
		ev->time = cp_bytes_u64(&t);
	if (st & CP_SAMPLE_ID)
		ev->id = cp_bytes_u64(&t);
	if (st & CP_SAMPLE_STREAM_ID)
		(void)cp_bytes_u64(&t);
	if (st & CP_SAMPLE_CPU)
		ev->cpu = cp_bytes_u32(&t);
}

/* ------------------------------------------------------------- content */

static enum cp_decoded
exactly(const struct cp_bytes *b)
{
	return cp_decode_end(b, 1);
}

/* Does the record's event ask for build IDs?  perf's own records have no id. */
static bool
asks_for_build_ids(const struct cp_evsels *e, const struct cp_event *ev)
{
	if (ev->id == 0 || ev->evsel >= e->all.len)
		return e->build_ids;
	return cp_attr_flag(&e->all.data[ev->evsel]->attr, CP_ATTR_BUILD_ID);
}

/* A size, three zeros, and zeros after the ID. */
static bool
shaped_as_build_id(const uint8_t *p)
{
	size_t n = p[0], used = 4 + n;

	if (n == 0 || n > 20 || p[1] != 0 || p[2] != 0 || p[3] != 0)
		return false;
	while (used < 24 && p[used] == 0)
		used++;
	return used == 24;
}

/* Linux has 20 bits of a minor number, and 32 of a generation. */
static bool
shaped_as_inode(const struct cp_ev_mmap *m)
{
	return m->min >> 20 == 0 && m->ino >> 52 == 0 && m->gen >> 32 == 0;
}

/*
 * Decides whether the 24 bytes hold a build ID.  The bit in misc alone tells
 * nothing: once any session of the host asks for build IDs, the kernel sets it
 * in the records of all, and those of the others have a device and an inode.
 */
static bool
has_build_id(const struct cp_evsels *e, const struct cp_event *ev,
    const uint8_t *p, const struct cp_ev_mmap *as_inode)
{
	return (ev->misc & CP_MISC_BUILD_ID) != 0 && shaped_as_build_id(p) &&
	       (asks_for_build_ids(e, ev) || !shaped_as_inode(as_inode));
}

/* Reads the 24 bytes of an MMAP2 that name the file. */
static void
mmap_file(const struct cp_evsels *e, struct cp_bytes *b, struct cp_event *ev)
{
	struct cp_ev_mmap *m = &ev->u.mmap;
	const uint8_t *p = cp_bytes_left(b) >= 24 ? b->at : NULL;

	m->maj = cp_bytes_u32(b);
	m->min = cp_bytes_u32(b);
	m->ino = cp_bytes_u64(b);
	m->gen = cp_bytes_u64(b);
	m->has_inode = true;
	if (p == NULL || !has_build_id(e, ev, p, m))
		return;
	m->maj = m->min = 0;
	m->ino = m->gen = 0;
	m->has_inode = false;
	m->build_id_size = p[0];
	memcpy(m->build_id, p + 4, 20);
}

static enum cp_decoded
decode_mmap(const struct cp_evsels *e, struct cp_bytes *b, struct cp_event *ev)
{
	struct cp_ev_mmap *m = &ev->u.mmap;

	*m = (struct cp_ev_mmap){ .v2 = ev->type == CP_RECORD_MMAP2 };
	m->pid = cp_bytes_u32(b);
	m->tid = cp_bytes_u32(b);
	m->addr = cp_bytes_u64(b);
	m->len = cp_bytes_u64(b);
	m->pgoff = cp_bytes_u64(b);
	if (m->v2) {
		mmap_file(e, b, ev);
		m->prot = cp_bytes_u32(b);
		m->flags = cp_bytes_u32(b);
	}
	return cp_decode_text(b, &m->filename);
}

static enum cp_decoded
decode_comm(struct cp_bytes *b, struct cp_event *ev)
{
	ev->u.comm.pid = cp_bytes_u32(b);
	ev->u.comm.tid = cp_bytes_u32(b);
	return cp_decode_text(b, &ev->u.comm.comm);
}

static enum cp_decoded
decode_task(struct cp_bytes *b, struct cp_event *ev)
{
	struct cp_ev_task *t = &ev->u.task;

	t->pid = cp_bytes_u32(b);
	t->ppid = cp_bytes_u32(b);
	t->tid = cp_bytes_u32(b);
	t->ptid = cp_bytes_u32(b);
	t->time = cp_bytes_u64(b);
	return exactly(b);
}

static enum cp_decoded
decode_lost(struct cp_bytes *b, struct cp_event *ev)
{
	struct cp_ev_lost *l = &ev->u.lost;

	l->id = ev->id;
	l->lost = 1;
	if (ev->type == CP_RECORD_LOST) {
		l->id = cp_bytes_u64(b);
		l->lost = cp_bytes_u64(b);
	} else if (ev->type == CP_RECORD_LOST_SAMPLES) {
		l->lost = cp_bytes_u64(b);
	} else { /* THROTTLE: time, id, stream id */
		(void)cp_bytes_u64(b);
		l->id = cp_bytes_u64(b);
		(void)cp_bytes_u64(b);
	}
	b->failed |= l->lost > CP_MAX_LOST;
	return exactly(b);
}

static enum cp_decoded
decode_ksymbol(struct cp_bytes *b, struct cp_event *ev)
{
	struct cp_ev_ksymbol *k = &ev->u.ksymbol;

	k->addr = cp_bytes_u64(b);
	k->len = cp_bytes_u32(b);
	k->kind = cp_bytes_u16(b);
	k->flags = cp_bytes_u16(b);
	return cp_decode_text(b, &k->name);
}

static enum cp_decoded
decode_cgroup(struct cp_bytes *b, struct cp_event *ev)
{
	ev->u.cgroup.id = cp_bytes_u64(b);
	return cp_decode_text(b, &ev->u.cgroup.path);
}

static enum cp_decoded
decode_namespaces(struct cp_bytes *b, struct cp_event *ev)
{
	struct cp_ev_namespaces *n = &ev->u.ns;

	*n = (struct cp_ev_namespaces){ 0 };
	n->pid = cp_bytes_u32(b);
	n->tid = cp_bytes_u32(b);
	n->n = cp_bytes_u64(b);
	if (n->n > cp_bytes_left(b) / 16)
		return CP_DECODED_BAD;
	for (uint64_t i = 0; i < n->n; i++) {
		uint64_t ino;

		(void)cp_bytes_u64(b);
		ino = cp_bytes_u64(b);
		if (i < CP_ARRAY_LEN(n->ino))
			n->ino[i] = ino;
	}
	return exactly(b);
}

static enum cp_decoded
decode_switch(struct cp_bytes *b, struct cp_event *ev)
{
	ev->u.sw.next_prev_pid = ev->u.sw.next_prev_tid = CP_NO_ID;
	if (ev->type == CP_RECORD_SWITCH_CPU_WIDE) {
		ev->u.sw.next_prev_pid = cp_bytes_u32(b);
		ev->u.sw.next_prev_tid = cp_bytes_u32(b);
	}
	return exactly(b);
}

/* The leader is one of them, so the kernel writes at least one. */
static void
group_of_counters(struct cp_bytes *b, uint64_t format)
{
	uint64_t nr = cp_bytes_u64(b), per = 1;

	if (format & CP_FORMAT_ENABLED)
		(void)cp_bytes_u64(b);
	if (format & CP_FORMAT_RUNNING)
		(void)cp_bytes_u64(b);
	per += (format & CP_FORMAT_ID) != 0;
	per += (format & CP_FORMAT_LOST) != 0;
	if (nr == 0 || nr > cp_bytes_left(b) / (8 * per))
		b->failed = true;
	else
		cp_bytes_take(b, (size_t)(nr * per * 8));
}

void
cp_decode_counters(struct cp_bytes *b, uint64_t format)
{
	const uint64_t words = format & (CP_FORMAT_ENABLED | CP_FORMAT_RUNNING |
					    CP_FORMAT_ID | CP_FORMAT_LOST);

	if (format & CP_FORMAT_GROUP)
		group_of_counters(b, format);
	else
		cp_bytes_take(b, 8 + 8 * (size_t)__builtin_popcountll(words));
}

/* Do all events have this read_format? */
static bool
same_format(const struct cp_evsels *e, uint64_t format)
{
	size_t i = 0;

	while (i < e->all.len && e->all.data[i]->attr.read_format == format)
		i++;
	return i == e->all.len;
}

/*
 * Checks the counters of a thread that ended; read_format determines their
 * number.
 */
static enum cp_decoded
decode_read(const struct cp_evsels *e, struct cp_bytes *b, struct cp_event *ev)
{
	const struct cp_evsel_info *own;
	uint32_t pid, tid;
	uint64_t format;

	if (e->all.len == 0)
		return CP_DECODED_LOOSE;
	own = cp_evsels_find(e, ev->id);
	format = (own != NULL ? own : e->all.data[0])->attr.read_format;
	if (own == NULL && !same_format(e, format))
		return CP_DECODED_LOOSE;
	pid = cp_bytes_u32(b);
	tid = cp_bytes_u32(b);
	cp_decode_counters(b, format);
	if (!b->failed && ev->pid != CP_NO_ID &&
	    (pid != ev->pid || tid != ev->tid))
		return CP_DECODED_LOOSE; /* most threads count for themselves */
	return exactly(b);
}

/* Code before and after a change. */
static enum cp_decoded
decode_text_poke(struct cp_bytes *b)
{
	size_t before, after;

	(void)cp_bytes_u64(b);
	before = cp_bytes_u16(b);
	after = cp_bytes_u16(b);
	cp_bytes_take(b, before + after);
	return cp_decode_end(b, 8);
}

static enum cp_decoded
decode_deferred(
    const struct cp_evsels *e, struct cp_bytes *b, struct cp_event *ev)
{
	struct cp_ev_deferred *d = &ev->u.deferred;

	d->cookie = cp_bytes_u64(b);
	d->nr = cp_bytes_u64(b);
	if (d->nr > CP_MAX_CHAIN || d->nr != cp_bytes_left(b) / 8 ||
	    e->scratch == NULL)
		return CP_DECODED_BAD;
	for (uint64_t i = 0; i < d->nr; i++)
		e->scratch[i] = cp_bytes_u64(b);
	d->ips = e->scratch;
	return exactly(b);
}

static enum cp_decoded
decode_kernel(
    const struct cp_evsels *e, struct cp_bytes *b, struct cp_event *ev)
{
	trailer_read(e, b, ev);
	switch (ev->type) {
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2: return decode_mmap(e, b, ev);
	case CP_RECORD_COMM: return decode_comm(b, ev);
	case CP_RECORD_FORK:
	case CP_RECORD_EXIT: return decode_task(b, ev);
	case CP_RECORD_LOST:
	case CP_RECORD_THROTTLE:
	case CP_RECORD_UNTHROTTLE:
	case CP_RECORD_LOST_SAMPLES: return decode_lost(b, ev);
	case CP_RECORD_KSYMBOL: return decode_ksymbol(b, ev);
	case CP_RECORD_CGROUP: return decode_cgroup(b, ev);
	case CP_RECORD_NAMESPACES: return decode_namespaces(b, ev);
	case CP_RECORD_SWITCH:
	case CP_RECORD_SWITCH_CPU_WIDE: return decode_switch(b, ev);
	case CP_RECORD_CALLCHAIN_DEFERRED: return decode_deferred(e, b, ev);
	case CP_RECORD_AUX: cp_bytes_take(b, 24); return exactly(b);
	case CP_RECORD_ITRACE_START:
	case CP_RECORD_AUX_OUTPUT_HW_ID:
	case CP_RECORD_BPF_EVENT:
		cp_bytes_take(b, ev->type == CP_RECORD_BPF_EVENT ? 16 : 8);
		return exactly(b);
	case CP_RECORD_READ: return decode_read(e, b, ev);
	case CP_RECORD_TEXT_POKE: return decode_text_poke(b);
	default: return CP_DECODED_LOOSE;
	}
}

/*
 * In a pipe a record may come before the first event's description: what is
 * after the content can be its trailer.
 */
static bool
maybe_trailer(const struct cp_evsels *e, const struct cp_bytes *b)
{
	enum { LONGEST = 48 };

	return e->all.len == 0 && cp_bytes_left(b) <= LONGEST;
}

enum cp_decoded
cp_decode_other(
    const struct cp_evsels *e, struct cp_bytes *b, struct cp_event *ev)
{
	enum cp_decoded d = ev->type < CP_RECORD_HEADER_ATTR
				? decode_kernel(e, b, ev)
				: cp_decode_perf(b, ev);

	if (d == CP_DECODED_SLACK && ev->type < CP_RECORD_HEADER_ATTR &&
	    maybe_trailer(e, b))
		d = CP_DECODED_LOOSE;
	ev->slack = d == CP_DECODED_SLACK ? (uint32_t)cp_bytes_left(b) : 0;
	return d;
}
