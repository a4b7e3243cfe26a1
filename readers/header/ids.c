/* SPDX-License-Identifier: MIT */
/*
 * ids: the ids of the events of a seekable file, by which samples belong to
 * events.
 *
 * perf writes the ids of all events one after the other, between the header and
 * the attrs.  If the place of some ids is damaged, the gap between the others
 * shows it.
 */
#include "readers/header/ids.h"

#include "base/limits.h"
#include "readers/byte-account.h"
#include "readers/header/magic.h"
#include "readers/rules.h"

static void
ids_read(struct cp_capture *src, struct cp_evsel_info *ev,
    struct cp_file_span at, bool swap)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *p = NULL;
	struct cp_evsels *evsels = &src->rec->evsels;
	uint64_t room = (uint64_t)(CP_MAX_IDS - evsels->ids) * 8;
	struct cp_bytes b;

	if (at.size == 0)
		return;
	if (at.size % 8 != 0) {
		cp_found(src->diags, CP_R_IDS_SIZE,
		    CP_MIN(at.offset, src->in.size), "ids of %" PRIu64 " bytes",
		    at.size);
		return;
	}
	p = cp_section_read(src, at, room, CP_D_BAD_ATTR);
	if (p == NULL)
		return;
	cp_capture_claim(src, at.offset, at.size);
	b = cp_bytes_of(p, (size_t)at.size, swap);
	while (cp_bytes_left(&b) >= 8)
		cp_evsels_id(evsels, ev, cp_bytes_u64(&b));
}

/* Could it be ids: not empty, and before the attrs? */
static bool
span_good(const struct cp_file_header *h, const struct cp_file_span *s)
{
	return s->size != 0 && s->size % 8 == 0 &&
	       s->offset >= CP_FILE_HEAD_OLD && s->offset < h->attrs.offset &&
	       s->size <= h->attrs.offset - s->offset;
}

/*
 * Counts the first places that are good: each begins at the end of the one
 * before.
 */
static size_t
good_first(const struct cp_file_header *h, const cp_spans *v, uint64_t *end)
{
	size_t i = 0;

	while (i < v->len && span_good(h, &v->data[i]) &&
	       v->data[i].offset == *end)
		*end += v->data[i++].size;
	return i;
}

/*
 * Does the same backwards from the last; returns the index of the first good
 * one.
 */
static size_t
good_last(const struct cp_file_header *h, const cp_spans *v, uint64_t *start)
{
	size_t i = v->len;

	while (i > 0 && span_good(h, &v->data[i - 1]) &&
	       v->data[i - 1].offset + v->data[i - 1].size == *start)
		*start = v->data[--i].offset;
	return i;
}

/* Divides the gap between the good places equally among the others. */
static void
fill_hole(struct cp_capture *src, const struct cp_file_header *h, cp_spans *v)
{
	uint64_t start = CP_FILE_HEAD, end = h->attrs.offset, each;
	size_t last = good_last(h, v, &end);
	size_t first = good_first(h, v, &start);

	if (first >= last && last > 0) { /* the size of one is too large */
		first = last - 1;
		start = v->data[first].offset;
	}
	if (first >= last || start >= end ||
	    (end - start) % (8 * (last - first)) != 0)
		return;
	each = (end - start) / (last - first);
	src->rec->evsels.doubtful = true;
	for (size_t i = first; i < last; i++) {
		cp_found(src->diags, CP_R_IDS_HOLE, start,
		    "here the ids of event %zu are taken to be", i);
		v->data[i] = (struct cp_file_span){ start, each };
		start += each;
	}
}

/* Do the places follow each other up to the attrs? */
static bool
all_good(const struct cp_file_header *h, const cp_spans *v)
{
	uint64_t end = CP_FILE_HEAD;

	return good_first(h, v, &end) == v->len && end == h->attrs.offset;
}

/* Is some place one where no ids can be? */
static bool
one_bad(const struct cp_file_header *h, const cp_spans *v)
{
	for (size_t i = 0; i < v->len; i++) {
		const struct cp_file_span *s = &v->data[i];

		if (!span_good(h, s) ||
		    (i > 0 && s->offset <
				  v->data[i - 1].offset + v->data[i - 1].size))
			return true;
	}
	return false;
}

/*
 * Finds the event that gets samples with unknown ids, should there be any: one
 * without ids.  That may be sound: perf could not open the event.
 */
static void
find_lost(struct cp_evsels *e)
{
	const struct cp_evsel_info *lost = NULL;
	bool unlike = false;

	for (size_t i = 0; i < e->all.len; i++) {
		const struct cp_evsel_info *ev = e->all.data[i];

		if (ev->first_id != 0)
			continue;
		if (lost == NULL)
			lost = ev;
		else if (lost->attr.sample_type != ev->attr.sample_type)
			unlike = true;
	}
	if (lost != NULL && !unlike)
		e->lost_ids = lost;
}

/* Do samples hold counters that only their ids identify? */
static bool
counts_by_id(const struct cp_evsels *e)
{
	return e->all.len == 1 &&
	       (e->all.data[0]->attr.sample_type & CP_SAMPLE_READ) != 0 &&
	       (e->all.data[0]->attr.read_format & CP_FORMAT_ID) != 0;
}

static bool
samples_have_ids(const struct cp_evsels *e)
{
	return e->all.len > 1 && e->sample_id_at >= 0;
}

void
cp_ids_read(
    struct cp_capture *src, const struct cp_file_header *h, cp_spans *spans)
{
	struct cp_evsels *e = &src->rec->evsels;

	if (samples_have_ids(e) && h->attrs.offset > CP_FILE_HEAD &&
	    !all_good(h, spans) && one_bad(h, spans))
		fill_hole(src, h, spans);
	for (size_t i = 0; i < spans->len; i++)
		ids_read(src, e->all.data[i], spans->data[i], h->swap);
}

void
cp_ids_complete(struct cp_capture *src, const struct cp_file_header *h)
{
	struct cp_evsels *e = &src->rec->evsels;

	if (h->ids && (samples_have_ids(e) || counts_by_id(e)))
		find_lost(e);
}
