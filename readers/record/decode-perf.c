/* SPDX-License-Identifier: MIT */
/*
 * decode-perf: the records that perf itself writes.
 *
 * control.c reads the content of most.  Here counts and texts determine how
 * large each must be: a larger size may hide other records.
 */
#include "readers/record/decoded.h"

#include "readers/record-head.h"

/* Checks n entries, which have one of two sizes. */
static enum cp_decoded
counted(struct cp_bytes *b, uint64_t n, size_t entry, size_t wide)
{
	size_t left = cp_bytes_left(b);
	bool is_wide;

	if (b->failed || n > left / entry)
		return CP_DECODED_BAD;
	is_wide = n <= left / wide && left - (size_t)n * wide < 8;
	cp_bytes_take(b, (size_t)n * (is_wide ? wide : entry));
	return cp_decode_end(b, 8);
}

/* Checks a list, a mask of words, or a range of CPUs. */
static enum cp_decoded
cpu_map(struct cp_bytes *b)
{
	enum { LIST, MASK, RANGE };
	uint16_t type = cp_bytes_u16(b), n, size;

	switch (type) {
	case LIST: return counted(b, cp_bytes_u16(b), 2, 2);
	case MASK:
		n = cp_bytes_u16(b);
		size = cp_bytes_u16(b);
		cp_bytes_take(b, (size_t)n * size);
		return cp_decode_end(b, 16); /* the words are aligned */
	case RANGE: cp_bytes_take(b, 6); return cp_decode_end(b, 8);
	default: return CP_DECODED_LOOSE;
	}
}

static bool
all_zero(const uint8_t *p, size_t n)
{
	size_t i = 0;

	while (i < n && p[i] == 0)
		i++;
	return i == n;
}

/* perf leaves room for the largest kind; unused bytes are zero. */
static enum cp_decoded
event_update(struct cp_bytes *b)
{
	enum { UNIT, SCALE, NAME, CPUS, ROOM = 24 };
	uint64_t what = cp_bytes_u64(b);
	enum cp_decoded d = CP_DECODED_LOOSE;
	const char *text;

	(void)cp_bytes_u64(b);
	if (what == UNIT || what == NAME)
		d = cp_decode_text(b, &text);
	else if (what == CPUS)
		d = cpu_map(b);
	else if (what == SCALE && cp_bytes_take(b, 8) != NULL)
		d = cp_decode_end(b, 8);
	return d == CP_DECODED_SLACK && cp_bytes_left(b) < ROOM &&
		       all_zero(b->at, cp_bytes_left(b))
		   ? CP_DECODED_EXACT
		   : d;
}

/* Some writers leave up to 63 unused bytes of any value. */
static enum cp_decoded
loosely(const struct cp_bytes *b, enum cp_decoded d)
{
	return d == CP_DECODED_SLACK && cp_bytes_left(b) < 64 ? CP_DECODED_LOOSE
							      : d;
}

/* The name is padded to a multiple of 64, or a trailer follows it. */
static enum cp_decoded
build_id(struct cp_bytes *b, struct cp_event *ev)
{
	struct cp_ev_build_id *i = &ev->u.build_id;
	enum cp_decoded d;
	const uint8_t *id;

	i->pid = cp_bytes_u32(b);
	id = cp_bytes_take(b, 20);
	i->size = cp_bytes_u8(b);
	cp_bytes_take(b, 3);
	if (!(ev->misc & CP_MISC_BUILD_ID_SIZE))
		i->size = 20;
	if (id == NULL || i->size > 20)
		return CP_DECODED_BAD;
	memcpy(i->id, id, 20);
	d = cp_decode_text(b, &i->filename);
	if (d == CP_DECODED_EXACT && i->filename[0] == '\0')
		return CP_DECODED_LOOSE; /* zeros of something else */
	return loosely(b, d);
}

/* Ids fill the rest of the record. */
static enum cp_decoded
header_attr(struct cp_bytes *b)
{
	uint32_t size;

	(void)cp_bytes_u32(b);
	size = cp_bytes_u32(b);
	if (size < 64 || size % 8 != 0 || size - 8 > cp_bytes_left(b))
		return CP_DECODED_LOOSE;
	return size - 8 == cp_bytes_left(b) ? CP_DECODED_EXACT
					    : CP_DECODED_LOOSE;
}

static enum cp_decoded
tracing_data(struct cp_bytes *b, const struct cp_event *ev)
{
	size_t n = cp_bytes_u32(b);

	if (!cp_tracing_inside(ev))
		return cp_decode_end(b, 8);
	cp_bytes_take(b, n);
	return loosely(b, cp_decode_end(b, 8));
}

/* A number and a name, as perf wrote them until 2013. */
static enum cp_decoded
event_type(struct cp_bytes *b)
{
	const size_t longest = 64;

	(void)cp_bytes_u64(b);
	return b->failed || cp_bytes_left(b) > longest ? CP_DECODED_BAD
						       : CP_DECODED_LOOSE;
}

/*
 * Checks that shift and factor are small, as those of a clock are; addresses of
 * a sample are not.
 */
static enum cp_decoded
time_conv(struct cp_bytes *b)
{
	uint64_t shift = cp_bytes_u64(b), factor = cp_bytes_u64(b);

	if (shift >= 64 || factor > UINT32_MAX)
		return CP_DECODED_BAD;
	cp_bytes_take(b, cp_bytes_left(b) >= 32 ? 32 : 8);
	return cp_decode_end(b, 1);
}

/* The record's own count is wrong if a flush needs several records. */
static enum cp_decoded
compressed2(struct cp_bytes *b)
{
	uint64_t n = cp_bytes_u64(b);

	return n <= cp_bytes_left(b) && cp_bytes_left(b) - n < 8
		   ? CP_DECODED_EXACT
		   : CP_DECODED_LOOSE;
}

enum cp_decoded
cp_decode_perf(struct cp_bytes *b, struct cp_event *ev)
{
	switch (ev->type) {
	case CP_RECORD_HEADER_ATTR: return header_attr(b);
	case CP_RECORD_HEADER_EVENT_TYPE: return event_type(b);
	case CP_RECORD_TRACING_DATA: return tracing_data(b, ev);
	case CP_RECORD_HEADER_BUILD_ID: return build_id(b, ev);
	case CP_RECORD_FINISHED_ROUND:
	case CP_RECORD_FINISHED_INIT: return cp_decode_end(b, 1);
	case CP_RECORD_ID_INDEX: return counted(b, cp_bytes_u64(b), 32, 48);
	case CP_RECORD_AUXTRACE: /* its data follow; they may hold anything */
		cp_bytes_take(b, 40);
		return cp_bytes_left(b) != 0 ? CP_DECODED_BAD
					     : cp_decode_end(b, 1);
	case CP_RECORD_STAT: cp_bytes_take(b, 40); return cp_decode_end(b, 1);
	case CP_RECORD_THREAD_MAP: return counted(b, cp_bytes_u64(b), 24, 24);
	case CP_RECORD_CPU_MAP: return cpu_map(b);
	case CP_RECORD_STAT_CONFIG: return counted(b, cp_bytes_u64(b), 16, 16);
	case CP_RECORD_STAT_ROUND:
		cp_bytes_take(b, 16);
		return cp_decode_end(b, 1);
	case CP_RECORD_EVENT_UPDATE: return event_update(b);
	case CP_RECORD_TIME_CONV: return time_conv(b);
	case CP_RECORD_COMPRESSED2: return compressed2(b);
	default: return CP_DECODED_LOOSE;
	}
}
