/* SPDX-License-Identifier: MIT */
/* counts: the records of `perf stat record`. */
#include "base/limits.h"
#include "readers/record/stream-state.h"
#include "readers/rules.h"

enum {
	CONFIG_MODE = 0, /* tags of STAT_CONFIG */
	CONFIG_INTERVAL = 1,
	MODE_NONE = 0, /* each CPU for itself */
	MODE_GLOBAL = 1,
	MODE_SOCKET = 2, /* later numbers differ between versions of perf */
};

static void
config(struct cp_counts *c, struct cp_bytes b)
{
	static const uint8_t by[] = { [MODE_NONE] = CP_COUNTED_CPUS,
		[MODE_GLOBAL] = CP_COUNTED_ALL,
		[MODE_SOCKET] = CP_COUNTED_SOCKETS };
	uint64_t n = cp_bytes_u64(&b);

	/* Recordings of intervals have no last round. */
	c->pub.begun = c->pub.unended = true;
	for (uint64_t i = 0; i < n && cp_bytes_left(&b) >= 16; i++) {
		uint64_t tag = cp_bytes_u64(&b);
		uint64_t value = cp_bytes_u64(&b);

		if (tag == CONFIG_MODE)
			c->pub.by = value < CP_ARRAY_LEN(by) ? by[value]
							     : CP_COUNTED_PARTS;
		if (tag == CONFIG_INTERVAL && value != 0)
			c->pub.unended = false;
	}
}

static void
thread_map(struct cp_counts *c, struct cp_bytes b)
{
	uint64_t n = cp_bytes_u64(&b);

	c->threads.len = 0;
	for (uint64_t i = 0; i < n && cp_bytes_left(&b) >= 24; i++) {
		struct cp_counted_thread *t = cp_vec_push(&c->threads);

		*t = (struct cp_counted_thread){ 0 };
		t->tid = (uint32_t)cp_bytes_u64(&b);
		memcpy(t->comm, cp_bytes_take(&b, CP_COMM_SIZE), CP_COMM_SIZE);
	}
}

static void
reading(struct cp_stream *s, struct cp_bytes b)
{
	struct cp_counts *c = &s->rec->counts;
	size_t size = CP_HEAD_SIZE + cp_bytes_left(&b);
	uint64_t id = cp_bytes_u64(&b);
	const struct cp_evsel_info *e = cp_evsels_find(&s->rec->evsels, id);
	struct cp_reading r = { .tid = CP_NO_ID };

	r.cpu = cp_bytes_u32(&b);
	r.thread = cp_bytes_u32(&b);
	r.value = cp_bytes_u64(&b);
	r.enabled = cp_bytes_u64(&b);
	r.running = cp_bytes_u64(&b);
	if (b.failed)
		return;
	if (e == NULL || r.running > r.enabled) {
		cp_found(s->diags, CP_R_STAT, s->outer.offset,
		    "counter %" PRIu64 ", %zu bytes", id, size);
		s->quality->bytes_skipped += size;
		s->quality->bytes_parsed -= size;
		return;
	}
	r.event = e->pub.index;
	if (r.thread < c->threads.len)
		r.tid = c->threads.data[r.thread].tid;
	if (!cp_counts_add(c, id, &r))
		cp_diag(s->diags, CP_D_LIMIT, "over %u readings of counters",
		    CP_MAX_READINGS);
}

void
cp_stream_counts(struct cp_stream *s, uint32_t type, struct cp_bytes b)
{
	struct cp_counts *c = &s->rec->counts;
	uint64_t what;

	switch (type) {
	case CP_RECORD_THREAD_MAP: thread_map(c, b); break;
	case CP_RECORD_STAT_CONFIG: config(c, b); break;
	case CP_RECORD_STAT: reading(s, b); break;
	case CP_RECORD_STAT_ROUND:
		what = cp_bytes_u64(&b);
		cp_counts_round(c, cp_bytes_u64(&b), what != 0);
		break;
	default: break;
	}
}
