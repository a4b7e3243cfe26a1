/* SPDX-License-Identifier: MIT */
/*
 * check: do payloads fit a layout?
 *
 * A layout that was given may be another kernel's, a built-in one is a guess.
 * The values that every payload has must be right: the event's number, the
 * thread, the size.  Texts must be printable, priorities and CPUs in their
 * range.
 */
#include "readers/formats/formats.h"

#include "base/bytes.h"
#include "model/event.h"

enum { PRIORITY_MAX = 255, CPU_MAX = 65535, ERROR_MAX = 0xffff, ROUNDED = 8 };

static bool
number(const struct cp_tp_event *e, const char *name,
    const struct cp_payload *p, uint64_t *out)
{
	const struct cp_tp_field *f = cp_tp_field(e, name);

	return f != NULL && cp_tp_u64(f, p->raw, p->size, p->swap, out);
}

/*
 * perf rounds the size of a payload up; only dynamic arrays after the fixed
 * part make it longer.
 */
static bool
size_fits(const struct cp_tp_event *e, const struct cp_payload *p)
{
	uint64_t end = 0;
	bool open = false;

	for (uint32_t i = 0; i < e->n_fields; i++) {
		const struct cp_tp_field *f = &e->fields[i];
		uint64_t stop = (uint64_t)f->offset + f->size;

		end = stop > end ? stop : end;
		open |= f->size == 0 || f->kind == CP_TP_DATA_LOC ||
			f->kind == CP_TP_REL_LOC;
	}
	return end <= p->size && (open || p->size - end < ROUNDED);
}

static bool
ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

static bool
text_fits(const struct cp_tp_field *f, const struct cp_payload *p)
{
	const char *text;
	size_t n;

	if (!cp_tp_text(f, p->raw, p->size, p->swap, &text, &n) || n == f->size)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ')
			return false;
	return true;
}

static bool
field_fits(const struct cp_tp_field *f, const struct cp_payload *p)
{
	uint64_t v;

	if (f->kind == CP_TP_CHARS && ends_with(f->name, "comm"))
		return text_fits(f, p);
	if (!cp_tp_u64(f, p->raw, p->size, p->swap, &v))
		return true;
	/* The priority of a request (ioprio) has more values. */
	if (strcmp(f->name, "prio") == 0 || ends_with(f->name, "_prio"))
		return v + 1 <= PRIORITY_MAX + 1;
	if (ends_with(f->name, "_cpu"))
		return v <= CPU_MAX;
	return true;
}

bool
cp_format_fits(const struct cp_tp_event *e, const struct cp_payload *p)
{
	uint64_t type;

	if (!size_fits(e, p) || !number(e, "common_type", p, &type) ||
	    type != (p->id & 0xffff))
		return false;
	for (uint32_t i = 0; i < e->n_fields; i++)
		if (!field_fits(&e->fields[i], p))
			return false;
	return true;
}

/*
 * Returns the end of the fixed part; *first: the field with the place of the
 * first array.
 */
static uint64_t
fixed_end(const struct cp_tp_event *e, const struct cp_tp_field **first)
{
	uint64_t end = 0;

	*first = NULL;
	for (uint32_t i = 0; i < e->n_fields; i++) {
		const struct cp_tp_field *f = &e->fields[i];

		end = CP_MAX(end, (uint64_t)f->offset + f->size);
		if (f->kind == CP_TP_DATA_LOC && *first == NULL)
			*first = f;
	}
	return end;
}

/* Arrays begin where the fixed part ends, and the place says so. */
static bool
arrays_fit(const struct cp_tp_event *e, const struct cp_payload *p)
{
	const struct cp_tp_field *first;
	uint64_t end = fixed_end(e, &first);
	uint32_t place;

	if (first == NULL)
		return true;
	place = cp_load32(p->raw + first->offset, p->swap);
	return (place & 0xffff) == end && end + (place >> 16) <= p->size;
}

/* Letters of a request: R, WS, FWFSM. */
static bool
letters_fit(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] < 'A' || text[i] > 'Z')
			return false;
	return n != 0;
}

/* Checks values that are the same in every kernel. */
static bool
content_fits(const struct cp_tp_event *e, const struct cp_payload *p)
{
	for (uint32_t i = 0; i < e->n_fields; i++) {
		const struct cp_tp_field *f = &e->fields[i];
		const char *text;
		uint64_t v;
		size_t n;

		if (strcmp(f->name, "error_code") == 0 &&
		    (!cp_tp_u64(f, p->raw, p->size, p->swap, &v) ||
			v > ERROR_MAX))
			return false;
		if (f->kind != CP_TP_CHARS)
			continue;
		if (!cp_tp_text(f, p->raw, p->size, p->swap, &text, &n) ||
		    n == 0)
			return false;
		if (strcmp(f->name, "rwbs") == 0 && !letters_fit(text, n))
			return false;
	}
	return true;
}

/* The ids of an exiting thread's sample are -1. */
bool
cp_format_surely(const struct cp_tp_event *e, const struct cp_payload *p)
{
	uint64_t pid, prev;

	if (!cp_format_fits(e, p) || !number(e, "common_pid", p, &pid) ||
	    !arrays_fit(e, p) || !content_fits(e, p))
		return false;
	if (p->tid != CP_NO_ID && (uint32_t)pid != p->tid)
		return false;
	return !number(e, "prev_pid", p, &prev) || prev == pid;
}

/* True for sched_switch only: the three kinds of wake-ups look the same. */
bool
cp_format_telling(const struct cp_tp_event *e)
{
	return cp_tp_field(e, "prev_pid") != NULL;
}
