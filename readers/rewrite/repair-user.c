/* SPDX-License-Identifier: MIT */
/*
 * repair-user: tests if perf 6.1 can process a record of perf's own.
 *
 * perf trusts them: it reads as many entries as a count says, and a text up to
 * its end, wherever that is.  A flipped bit also makes one type of another.
 * perf stat's types are only in captures of perf stat, which do not sample.
 */
#include "readers/rewrite/repaired.h"

#include "base/bytes.h"
#include "readers/record-head.h"

static struct cp_bytes
content(const struct cp_event *ev)
{
	return cp_bytes_of(
	    ev->bytes + CP_HEAD_SIZE, ev->size - CP_HEAD_SIZE, ev->swap);
}

/* Are n entries of that size left? */
static bool
has_entries(const struct cp_bytes *b, uint64_t n, size_t entry)
{
	return !b->failed && n <= cp_bytes_left(b) / entry;
}

/* perf looks up each id of an index, and stops at an unknown one. */
static bool
index_known(const struct cp_evsels *e, struct cp_bytes b)
{
	enum { ENTRY = 32, AFTER_ID = 24 };
	uint64_t n = cp_bytes_u64(&b);

	if (!has_entries(&b, n, ENTRY))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		if (cp_evsels_find(e, cp_bytes_u64(&b)) == NULL)
			return false;
		cp_bytes_take(&b, AFTER_ID);
	}
	return true;
}

/* Without a CPU perf cannot make a map. */
static bool
cpu_map_whole(struct cp_bytes b)
{
	enum { LIST, MASK, RANGE };
	uint16_t type = cp_bytes_u16(&b), n, size;
	const uint8_t *words;

	switch (type) {
	case LIST: n = cp_bytes_u16(&b); return n != 0 && has_entries(&b, n, 2);
	case MASK:
		n = cp_bytes_u16(&b);
		size = cp_bytes_u16(&b);
		if (size == 8)
			cp_bytes_take(&b, 4); /* the words are aligned */
		words = cp_bytes_take(&b, (size_t)n * size);
		return (size == 4 || size == 8) && words != NULL &&
		       !cp_is_zero(words, (size_t)n * size);
	case RANGE:
		n = cp_bytes_u8(&b); /* "any" is one of them */
		(void)cp_bytes_u8(&b);
		size = cp_bytes_u16(&b);
		return n <= 1 && size <= cp_bytes_u16(&b) && !b.failed;
	default: return false;
	}
}

/* The update of an unknown id would be reported as damage by every reader. */
static bool
update_whole(const struct cp_evsels *e, struct cp_bytes b)
{
	enum { UNIT, SCALE, NAME, CPUS };
	uint64_t what = cp_bytes_u64(&b), id = cp_bytes_u64(&b);

	if (b.failed || cp_evsels_find(e, id) == NULL)
		return false;
	switch (what) {
	case UNIT:
	case NAME: return cp_bytes_str(&b) != NULL;
	case SCALE: return cp_bytes_take(&b, 8) != NULL;
	case CPUS: return cpu_map_whole(b);
	default: return false;
	}
}

/* perf opens an event for each tracer, whose type is in the description. */
static bool
has_type(const struct cp_evsels *e, uint64_t type)
{
	for (size_t i = 0; i < e->all.len; i++)
		if (e->all.data[i]->attr.type == type)
			return true;
	return false;
}

/* The words that each tracer's decoder reads, at least. */
static bool
tracer_whole(const struct cp_evsels *e, struct cp_bytes b)
{
	enum { INTEL_PT = 1, INTEL_BTS, CORESIGHT, ARM_SPE, S390 };
	uint32_t tracer = cp_bytes_u32(&b);
	uint64_t first, second;

	cp_bytes_take(&b, 4);
	switch (tracer) {
	case INTEL_PT:
		return has_entries(&b, 10, 8) && has_type(e, cp_bytes_u64(&b));
	case INTEL_BTS:
		return has_entries(&b, 6, 8) && has_type(e, cp_bytes_u64(&b));
	case CORESIGHT:
		first = cp_bytes_u64(&b); /* version of what follows */
		second = cp_bytes_u64(&b);
		return !b.failed && first <= 2 && has_type(e, second >> 32);
	case ARM_SPE:
		return has_entries(&b, 2, 8) && has_type(e, cp_bytes_u64(&b));
	case S390: return !b.failed;
	default: return false;
	}
}

/* The text follows the time, which older perfs did not write. */
static bool
error_whole(const struct cp_event *ev)
{
	enum { FORMAT = 28, OLD = 40, TEXT = 48 };
	size_t at =
	    cp_load32(ev->bytes + FORMAT, ev->swap) == 0 ? (size_t)OLD : TEXT;

	return at < ev->size &&
	       memchr(ev->bytes + at, 0, ev->size - at) != NULL;
}

/* perf stat has its events count only. */
static bool
counts_only(const struct cp_evsels *e)
{
	for (size_t i = 0; i < e->all.len; i++)
		if (e->all.data[i]->attr.sample_period != 0)
			return false;
	return true;
}

bool
cp_repair_counts(const struct cp_event *ev)
{
	return ev->type == CP_RECORD_STAT || ev->type == CP_RECORD_STAT_ROUND;
}

bool
cp_repair_user_has(const struct cp_evsels *e, const struct cp_event *ev)
{
	struct cp_bytes b = content(ev);
	uint64_t n;

	switch (ev->type) {
	case CP_RECORD_ID_INDEX: return index_known(e, b);
	case CP_RECORD_AUXTRACE_INFO: return tracer_whole(e, b);
	case CP_RECORD_AUXTRACE_ERROR: return error_whole(ev);
	case CP_RECORD_THREAD_MAP:
		n = cp_bytes_u64(&b);
		return n != 0 && has_entries(&b, n, 24);
	case CP_RECORD_CPU_MAP: return cpu_map_whole(b);
	case CP_RECORD_STAT_CONFIG:
		n = cp_bytes_u64(&b);
		return counts_only(e) && has_entries(&b, n, 16);
	case CP_RECORD_STAT:
		return counts_only(e) &&
		       cp_evsels_find(e, cp_bytes_u64(&b)) != NULL;
	case CP_RECORD_STAT_ROUND: return counts_only(e);
	case CP_RECORD_EVENT_UPDATE: return update_whole(e, b);
	default:
		return ev->type >= CP_RECORD_HEADER_ATTR &&
		       ev->type <= CP_RECORD_FINISHED_INIT;
	}
}
