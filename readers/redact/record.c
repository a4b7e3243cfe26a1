/* SPDX-License-Identifier: MIT */
/*
 * record: the records of a redacted capture, and the texts in them.
 *
 * A type that is not listed is left out, because its content is not known.
 */
#include "readers/redact/state.h"

#include "base/limits.h"
#include "readers/record-head.h"
#include "readers/rewrite/repaired.h"

/* True if the record has no text among its numbers. */
static bool
numbers(const struct cp_redaction *x, const struct cp_event *ev)
{
	return !cp_redact_letters(
	    x, ev->bytes + CP_HEAD_SIZE, ev->size - CP_HEAD_SIZE);
}

/* Build IDs of mappings may have any bytes. */
static size_t
numbers_end(const struct cp_event *ev, size_t from)
{
	enum { BUILD_ID_AT = CP_HEAD_SIZE + 32 };

	return ev->type == CP_RECORD_MMAP2 && ev->u.mmap.build_id_size != 0
		   ? BUILD_ID_AT
		   : from;
}

/*
 * Writes the record with another text, which begins at `from' and ends before
 * the trailer.
 */
static bool
with_text(struct cp_redaction *x, struct cp_event *ev, const char *old,
    const char *text)
{
	static const char zeros[8 + CP_REPAIR_TRAILER];
	const struct cp_evsels *e = &x->src->rec->evsels;
	size_t from = (size_t)((const uint8_t *)old - ev->bytes);
	uint32_t trailer = cp_repair_trailer(e, ev);
	uint32_t lacking = cp_repair_trailer_lacking(e, ev);
	size_t n = CP_MIN(strlen(text), (size_t)4000) + 1;
	struct cp_buf *b = &x->scratch;

	if (from > ev->size - trailer ||
	    cp_redact_letters(x, ev->bytes + CP_HEAD_SIZE,
		numbers_end(ev, from) - CP_HEAD_SIZE) ||
	    cp_redact_letters(x, ev->bytes + ev->size - trailer, trailer))
		return false;
	cp_buf_reset(b);
	cp_buf_add(b, ev->bytes, from);
	cp_buf_add(b, text, n - 1);
	cp_buf_add(b, zeros, 1 + (-(from + n) & 7) + lacking);
	cp_buf_add(b, ev->bytes + ev->size - trailer, trailer);
	ev->bytes = (const uint8_t *)b->data;
	ev->size = (uint32_t)b->len;
	ev->slack = 0;
	return true;
}

static bool
with_name(struct cp_redaction *x, struct cp_event *ev, enum cp_redact_class c,
    const char *old)
{
	return with_text(x, ev, old, cp_redact_name(x->names, c, old));
}

/* The kernel cuts names of threads after 15 bytes; readers count on that. */
static bool
with_comm(struct cp_redaction *x, struct cp_event *ev)
{
	const char *old = ev->u.comm.comm;
	char text[16];

	snprintf(text, sizeof(text), "%s",
	    cp_redact_name(x->names, CP_REDACT_COMM, old));
	return with_text(x, ev, old, text);
}

/* Writes an update of an event: of its unit, scale, name or CPUs. */
static bool
event_update(struct cp_redaction *x, struct cp_event *ev)
{
	enum { SCALE = 1, NAME = 2, TEXT_AT = CP_HEAD_SIZE + 16 };
	uint64_t kind;
	const char *old;

	if (ev->size <= TEXT_AT)
		return false;
	kind = cp_load64(ev->bytes + CP_HEAD_SIZE, ev->swap);
	if (kind == SCALE)
		return numbers(x, ev);
	old = (const char *)ev->bytes + TEXT_AT;
	if (kind != NAME || memchr(old, '\0', ev->size - TEXT_AT) == NULL)
		return false;
	if (x->names->policy->how[CP_REDACT_EVENT] == CP_REDACT_KEEP)
		return with_text(
		    x, ev, old, cp_redact_keep(x->names, CP_REDACT_EVENT, old));
	cp_redact_drop(x->names, CP_REDACT_EVENT, old);
	return false;
}

static bool
count_out(struct cp_redaction *x, enum cp_redact_class c)
{
	x->names->count[c].dropped++;
	return false;
}

static bool
sample(struct cp_redaction *x, struct cp_event *ev)
{
	if (!cp_redact_sample(x, ev))
		return false;
	x->time = ev->time;
	return true;
}

bool
cp_redact_record(struct cp_redaction *x, struct cp_event *ev)
{
	/*
	 * The trailer of a damaged record may hold the content of another one.
	 */
	if (ev->type != CP_RECORD_SAMPLE && ev->id != 0 &&
	    cp_repair_foreign(&x->src->rec->evsels, ev))
		return false;
	switch (ev->type) {
	case CP_RECORD_SAMPLE: return sample(x, ev);
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2:
		return with_name(x, ev, CP_REDACT_PATH, ev->u.mmap.filename);
	case CP_RECORD_COMM: return with_comm(x, ev);
	case CP_RECORD_CGROUP:
		return with_name(x, ev, CP_REDACT_CGROUP, ev->u.cgroup.path);
	case CP_RECORD_KSYMBOL:
		return with_name(x, ev, CP_REDACT_SYMBOL, ev->u.ksymbol.name);
	case CP_RECORD_EVENT_UPDATE: return event_update(x, ev);
	case CP_RECORD_TEXT_POKE: return count_out(x, CP_REDACT_SOURCE);
	case CP_RECORD_LOST:
	case CP_RECORD_EXIT:
	case CP_RECORD_THROTTLE:
	case CP_RECORD_UNTHROTTLE:
	case CP_RECORD_FORK:
	case CP_RECORD_READ:
	case CP_RECORD_LOST_SAMPLES:
	case CP_RECORD_SWITCH:
	case CP_RECORD_SWITCH_CPU_WIDE:
	case CP_RECORD_NAMESPACES:
	case CP_RECORD_FINISHED_ROUND:
	case CP_RECORD_FINISHED_INIT:
	case CP_RECORD_ID_INDEX:
	case CP_RECORD_CPU_MAP:
	case CP_RECORD_STAT_CONFIG:
	case CP_RECORD_STAT:
	case CP_RECORD_STAT_ROUND:
	case CP_RECORD_TIME_CONV: return numbers(x, ev);
	/* Addresses may look like letters. */
	case CP_RECORD_CALLCHAIN_DEFERRED:
		cp_redact_deferred(x, ev);
		return true;
	default: return false;
	}
}
