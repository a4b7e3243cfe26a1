/* SPDX-License-Identifier: MIT */
/*
 * feature: the two features of a file that change when records do.  EVENT_DESC
 * has a copy of each event's attr; AUXTRACE has the offsets of the records that
 * AUX data follow.
 */
#include "base/limits.h"
#include "readers/header/attr-decode.h"
#include "readers/header/features.h"
#include "readers/header/header.h"
#include "readers/rewrite/feature.h"

enum { AUXTRACE = 18 };

/*
 * Layout: n, size of an attr, and for each event attr, number of ids, name,
 * ids.
 */
void
cp_rewrite_events(const struct cp_rewriter *w, uint8_t *p, size_t n)
{
	struct cp_bytes b = cp_bytes_of(p, n, w->swap);
	uint32_t count = cp_bytes_u32(&b), size = cp_bytes_u32(&b);

	while (!b.failed && count-- > 0) {
		uint8_t *attr = p + (n - cp_bytes_left(&b));
		uint32_t ids;

		(void)cp_bytes_take(&b, size);
		ids = cp_bytes_u32(&b);
		(void)cp_bytes_take(&b, cp_bytes_u32(&b));
		(void)cp_bytes_take(&b, (uint64_t)ids * 8);
		if (!b.failed)
			cp_rewrite_attr(w, attr, size);
	}
}

/* Finds the new offset of a record; aux is sorted by the old one. */
static bool
find_moved(const struct cp_rewriter *w, uint64_t from, uint64_t *to)
{
	size_t lo = 0, hi = w->aux.len;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (w->aux.data[mid].from <= from)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0 || w->aux.data[lo - 1].from != from)
		return false;
	*to = w->aux.data[lo - 1].to;
	return true;
}

/* Layout of the feature: a count, then offset and size of each record. */
static bool
move_aux(const struct cp_rewriter *w, uint8_t *p, size_t n)
{
	uint64_t count = n >= 8 ? cp_load64(p, w->swap) : 0;

	if (count > (n - CP_MIN(n, (size_t)8)) / 16)
		return false;
	for (uint64_t i = 0; i < count; i++) {
		uint8_t *at = p + 8 + 16 * i;
		uint64_t to;

		if (!find_moved(w, cp_load64(at, w->swap), &to))
			return false;
		cp_rewrite_store64(at, to, w->swap);
	}
	return true;
}

/* Overwrites the copy of the feature that is at `to` already. */
bool
cp_rewrite_feature(
    struct cp_rewriter *w, unsigned bit, struct cp_file_span s, uint64_t to)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *p = NULL;

	if ((bit != CP_FEATURE_EVENT_DESC && bit != AUXTRACE) || s.size == 0)
		return true;
	p = cp_section_read(w->src, s, UINT32_MAX, CP_D_BAD_FEATURE);
	if (p == NULL)
		return false;
	if (bit == CP_FEATURE_EVENT_DESC)
		cp_rewrite_events(w, p, (size_t)s.size);
	else if (!move_aux(w, p, (size_t)s.size))
		return false;
	cp_rewrite_flush(w);
	w->at = to;
	cp_rewrite_put(w, p, (size_t)s.size);
	cp_rewrite_flush(w);
	return true;
}
