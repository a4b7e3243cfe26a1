/* SPDX-License-Identifier: MIT */
/*
 * header: see header.h.  The layout is that of perf's perf_file_header.
 * Offsets and sizes that are wrong are replaced where the file shows the right
 * ones.
 */
#include "readers/header/header.h"

#include "base/limits.h"
#include "readers/byte-account.h"
#include "readers/header/attrs.h"
#include "readers/header/features.h"
#include "readers/header/magic.h"
#include "readers/header/table.h"
#include "readers/header/tracing.h"
#include "readers/record-head.h"
#include "readers/rules.h"

int
cp_file_header_bid(const struct cp_input *in)
{
	struct cp_magic m = cp_magic_guess(in);

	if (!m.valid || m.size == CP_PIPE_HEAD)
		return 0;
	/* A damaged header bids low: the input may be an archive. */
	return cp_magic_read(in->head, in->head_len).valid ? 9 : 1;
}

/* ------------------------------------------------------------- features */

static void
feature_section(struct cp_capture *src, const struct cp_file_header *h,
    uint32_t bit, struct cp_file_span at)
{
	bool tracing = bit == CP_FEATURE_TRACING_DATA;
	CP_CLEANUP(cp_cleanup_free) uint8_t *p = NULL;
	struct cp_bytes b;

	p = cp_section_read(src, at, tracing ? CP_MAX_TRACING : CP_MAX_FEATURE,
	    CP_D_BAD_FEATURE);
	if (p == NULL)
		return;
	b = cp_bytes_of(p, (size_t)at.size, h->swap);
	cp_capture_claim(src, at.offset, at.size);
	src->diags->at_offset = at.offset;
	if (tracing)
		cp_tracing_read(&src->rec->tracepoints, b, src->diags);
	cp_feature_read(&src->rec->info, bit, b, src->diags);
	src->diags->at_offset = CP_NO_OFFSET;
}

static bool
feature_set(const struct cp_file_header *h, uint32_t bit)
{
	return (h->features[bit / 64] >> (bit % 64) & 1) != 0;
}

static uint32_t
features(const struct cp_file_header *h)
{
	uint32_t n = 0;

	for (uint32_t bit = 0; bit < 256; bit++)
		n += feature_set(h, bit);
	return n;
}

/*
 * Claims the bytes between the feature table and the first payload: the
 * recorder reserves an entry for each feature and leaves those unused whose
 * feature it could not write: they have no size.  One with a size has lost its
 * bit, so the features after it were taken for others.
 */
static void
claim_unused_places(struct cp_capture *src, uint64_t from, uint64_t first)
{
	uint8_t entry[16] = { 0 };

	if (first <= from || first - from > 256 * 16 ||
	    (first - from) % 16 != 0)
		return;
	cp_capture_claim(src, from, first - from);
	if (cp_input_read(&src->in, entry, sizeof(entry), from) > 0 &&
	    cp_load64(entry + 8, false) != 0)
		cp_found(src->diags, CP_R_FEATURE_BIT, from,
		    "the table has more features than the header has bits");
}

/* simpleperf's features are in another order than their bits. */
static bool
overlaps(const struct cp_file_span *seen, uint32_t n, struct cp_file_span at)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct cp_file_span *s = &seen[i];

		if (at.size == 0 || s->size == 0)
			continue;
		if (at.offset < s->offset ? s->offset - at.offset < at.size
					  : at.offset - s->offset < s->size)
			return true;
	}
	return false;
}

/* Says that a capture was written after another one: it is not read. */
static bool
say_second(struct cp_capture *src, uint64_t end)
{
	uint8_t head[CP_PIPE_HEAD];
	ssize_t n = cp_input_read(&src->in, head, sizeof(head), end);

	if (n < CP_PIPE_HEAD || !cp_magic_read(head, (size_t)n).valid)
		return false;
	cp_found(src->diags, CP_R_SECOND, end,
	    "another capture follows this one: its %" PRIu64
	    " bytes are not read",
	    src->in.size - end);
	return true;
}

/*
 * Claims bytes after the last section: some tools leave a rest there.  It is no
 * damage if everything that the header refers to is sound.  before: messages
 * about the header before its features were read.
 */
static void
claim_trailing(struct cp_capture *src, uint64_t end, uint64_t before)
{
	if (end >= src->in.size || src->in.size == UINT64_MAX ||
	    src->diags->count[CP_D_BAD_FEATURE] != 0 ||
	    src->diags->count[CP_D_BAD_HEADER] != before ||
	    say_second(src, end))
		return;
	cp_diag_at(src->diags, CP_D_TRAILING, end,
	    "%" PRIu64 " byte%s after the last section", src->in.size - end,
	    cp_s(src->in.size - end));
	cp_capture_claim(src, end, src->in.size - end);
}

/* Reads the table's entries, of which one may be wrong. */
static void
entries_read(struct cp_capture *src, const struct cp_file_header *h,
    const uint8_t *p, struct cp_file_span table, struct cp_file_span *all)
{
	uint32_t n = features(h), wrong;

	for (uint32_t i = 0; i < n; i++) {
		all[i].offset = cp_load64(p + 16 * (size_t)i, h->swap);
		all[i].size = cp_load64(p + 16 * (size_t)i + 8, h->swap);
	}
	wrong = cp_table_mend(all, n, table.offset + table.size, src->in.size);
	if (wrong != n)
		cp_found(src->diags, CP_R_FEATURE_ENTRY,
		    table.offset + 16 * (uint64_t)wrong,
		    "an entry of their table: %" PRIu64 " bytes at %" PRIu64
		    " are used, which no other has",
		    all[wrong].size, all[wrong].offset);
}

/*
 * Reads the features.  The table after the data has one {offset, size} for each
 * bit set.
 */
static void
features_read(struct cp_capture *src, struct cp_file_header *h)
{
	struct cp_file_span table = { h->data.offset + h->data.size, 0 };
	CP_CLEANUP(cp_cleanup_free) uint8_t *p = NULL;
	uint64_t first = UINT64_MAX, end = table.offset;
	struct cp_file_span all[257], over = { 0 };
	uint32_t seen = 1;
	uint64_t before = src->diags->count[CP_D_BAD_HEADER];
	uint32_t bit;

	table.size = 16 * (uint64_t)features(h);
	if (table.size == 0)
		return;
	p = cp_section_read(src, table, CP_MAX_FEATURE, CP_D_BAD_FEATURE);
	if (p == NULL)
		return;
	cp_capture_claim(src, table.offset, table.size);
	all[0] = (struct cp_file_span){ 0, table.offset + table.size };
	entries_read(src, h, p, table, all + 1);
	for (bit = 0; bit < 256; bit++) {
		struct cp_file_span at;

		if (!feature_set(h, bit))
			continue;
		at = all[seen];
		first = CP_MIN(first, at.offset);
		if (overlaps(all, seen, at))
			over = at;
		if (bit == CP_FEATURE_BUILD_ID)
			h->build_ids = at;
		seen++;
		if (at.size <= src->in.size)
			end = CP_MAX(end, at.offset + at.size);
		feature_section(src, h, bit, at);
	}
	end = CP_MAX(end, table.offset + table.size);
	/* The descriptions may come last, after their ids. */
	end = CP_MAX(end, h->attrs.offset + h->attrs.size);
	claim_unused_places(src, table.offset + table.size, first);
	cp_table_judge(src, h, table.offset + table.size, end, &over);
	claim_trailing(src, end, before);
}

/* --------------------------------------------------------------- header */

/*
 * PERFFILE does not show its byte order.  In the right one attr_size is the
 * size of some kernel's attr.
 */
static bool
v1_swap(const uint8_t *head)
{
	uint64_t n = cp_load64(head + 16, true);

	return n >= 64 + 16 && n <= 104 + 16 && n % 8 == 0;
}

/*
 * A 32-bit writer of the other byte order stores the bitmap as 32-bit words.
 * HOSTNAME, which every recorder writes, shows the order.
 */
static void
bitmap_order(struct cp_file_header *h)
{
	const uint64_t hostname = 1u << CP_FEATURE_HOSTNAME;

	if (!h->swap || (h->features[0] & hostname) ||
	    !(h->features[0] >> 32 & hostname))
		return;
	for (int i = 0; i < 4; i++)
		h->features[i] = h->features[i] >> 32 | h->features[i] << 32;
}

static void
header_fields(const struct cp_input *in, struct cp_file_header *h)
{
	struct cp_magic m = cp_magic_guess(in);
	struct cp_bytes b;

	*h = (struct cp_file_header){ .swap = m.swap, .guessed = m.guessed };
	if (m.v1)
		h->swap = v1_swap(in->head);
	b = cp_bytes_of(in->head, in->head_len, h->swap);
	(void)cp_bytes_u64(&b);
	h->size = cp_bytes_u64(&b);
	h->attr_size = cp_bytes_u64(&b);
	h->attrs.offset = cp_bytes_u64(&b);
	h->attrs.size = cp_bytes_u64(&b);
	h->data.offset = cp_bytes_u64(&b);
	h->data.size = cp_bytes_u64(&b);
	h->event_types.offset = cp_bytes_u64(&b);
	h->event_types.size = cp_bytes_u64(&b);
	for (int i = 0; i < 4; i++)
		h->features[i] = cp_bytes_u64(&b);
	bitmap_order(h);
}

/* Does a record start at that offset? */
static bool
record_starts(
    struct cp_capture *src, const struct cp_file_header *h, uint64_t offset)
{
	uint8_t p[CP_HEAD_SIZE];
	struct cp_record_head head;
	bool known;

	if (cp_input_read(&src->in, p, sizeof(p), offset) != (ssize_t)sizeof(p))
		return false;
	head = cp_head_read(p, h->swap);
	return cp_head_plausible(&head, &known) && known &&
	       head.size <= src->in.size - offset;
}

/*
 * Is the table after the data plausible: does at least one in `of` entries
 * point into the file?
 */
static bool
table_plausible(
    struct cp_capture *src, const struct cp_file_header *h, uint64_t of)
{
	return cp_table_points(&src->in, h->data.offset + h->data.size,
		   features(h), h->swap) *
		   of >=
	       features(h);
}

/*
 * An old header ends before the bits of features.  One turned bit makes any
 * header an old one; then the table that these bits tell is there.
 */
static void
old_header(struct cp_capture *src, struct cp_file_header *h)
{
	bool bits = false;

	for (int i = 0; i < 4; i++)
		bits |= h->features[i] != 0;
	h->old = h->size == CP_FILE_HEAD_OLD &&
		 !(bits && table_plausible(src, h, 1));
	if (h->old)
		memset(h->features, 0, sizeof(h->features));
}

/*
 * Does a record go on beyond the end of the data?  Only the first records are
 * examined: an end far after them is wrong in other ways, too.
 */
static bool
ends_inside(struct cp_capture *src, const struct cp_file_header *h)
{
	uint64_t at = h->data.offset, end = at + h->data.size;
	struct cp_record_head head;
	uint8_t p[CP_HEAD_SIZE];
	bool known;

	for (unsigned i = 0; i < 64 && at < end; i++) {
		if (cp_input_read(&src->in, p, sizeof(p), at) !=
		    (ssize_t)sizeof(p))
			return false;
		head = cp_head_read(p, h->swap);
		if (!cp_head_plausible(&head, &known) || !known ||
		    head.type == CP_RECORD_AUXTRACE ||
		    head.type == CP_RECORD_TRACING_DATA)
			return false;
		at += head.size;
	}
	return at > end && at <= src->in.size;
}

/* The recorder writes header, ids, attrs and data in this order. */
static uint64_t
usual_place(const struct cp_capture *src, const struct cp_file_header *h)
{
	uint64_t usual = h->attrs.offset + h->attrs.size;

	return usual < src->in.size ? usual : CP_FILE_HEAD;
}

/*
 * The header's place of the data is proved wrong: their end is where the table
 * of features is found.
 */
static bool
end_found(struct cp_capture *src, struct cp_file_header *h)
{
	uint64_t usual = usual_place(src, h);
	uint64_t at = cp_table_find(
	    &src->in, CP_MIN(usual, h->data.offset), features(h), h->swap);

	if (at == 0)
		return false;
	if (at < h->data.offset)
		h->data.offset = usual;
	cp_found(src->diags, CP_R_DATA_SIZE, 48,
	    "not %" PRIu64 " bytes of data: their features are at %" PRIu64,
	    h->data.size, at);
	h->data.size = at - h->data.offset;
	return true;
}

/*
 * Checks offsets that lie in the file but may be wrong.  They are replaced if
 * there is no record at the offset and there is one at the usual place.
 */
static void
data_check(struct cp_capture *src, struct cp_file_header *h)
{
	uint64_t usual = usual_place(src, h), end;
	bool moved;

	end = h->data.offset + h->data.size;
	if (h->data.offset != usual && usual < src->in.size &&
	    h->data.size != 0 && !record_starts(src, h, h->data.offset) &&
	    record_starts(src, h, usual)) {
		cp_found(src->diags, CP_R_DATA_PLACE, 40,
		    "no record at %" PRIu64, h->data.offset);
		h->data.offset = usual;
		if (end_found(src, h))
			return;
		h->data.size = end > usual ? end - usual : 0;
	}
	end = h->data.offset + h->data.size;
	moved = end < src->in.size && !table_plausible(src, h, 4);
	if ((moved || h->data.size + 16 * (uint64_t)features(h) >
			  src->in.size - h->data.offset) &&
	    end_found(src, h))
		return;
	h->shifted = h->cut || moved;
	if (moved || (end < src->in.size && (record_starts(src, h, end) ||
						(!table_plausible(src, h, 1) &&
						    ends_inside(src, h))))) {
		cp_found(src->diags, CP_R_DATA_SIZE, 48,
		    "no features after %" PRIu64 " bytes of data",
		    h->data.size);
		h->data.size = src->in.size - h->data.offset;
		memset(h->features, 0, sizeof(h->features));
	}
}

/*
 * Corrects the place of the data if the header lacks it or it is not in the
 * file.
 */
static void
data_place(struct cp_capture *src, struct cp_file_header *h)
{
	uint64_t size = src->in.size, usual = h->attrs.offset + h->attrs.size;
	bool lost_offset = h->data.offset < CP_FILE_HEAD_OLD ||
			   h->data.offset > size ||
			   (h->data.offset == size && usual < size);

	if (lost_offset) {
		cp_found(src->diags, CP_R_DATA_PLACE, 40, "data at %" PRIu64,
		    h->data.offset);
		h->data.offset = usual;
	}
	/* Descriptions at the end come after the data. */
	if (h->data.offset > size || (lost_offset && h->data.offset == size))
		h->data.offset = CP_MIN((uint64_t)CP_FILE_HEAD, size);
	if ((h->data.size == 0 || h->data.size > size - h->data.offset) &&
	    end_found(src, h))
		return;
	if (h->data.size == 0 && !lost_offset) {
		src->quality->killed = true;
		cp_diag_at(src->diags, CP_D_KILLED, 48, "no size of the data");
	} else if ((h->cut = h->data.size > size - h->data.offset)) {
		src->quality->bytes_missing =
		    h->data.size - (size - h->data.offset);
		cp_diag_at(src->diags, CP_D_TRUNCATED, size,
		    "%" PRIu64 " of %" PRIu64 " bytes of data are there",
		    size - h->data.offset, h->data.size);
	} else if (h->data.size != 0)
		return;
	h->data.size = size - h->data.offset;
	memset(h->features, 0, sizeof(h->features));
}

int
cp_file_header_read(struct cp_capture *src, struct cp_file_header *h)
{
	size_t n;

	/* The features follow the data but are needed before them. */
	if (!src->in.seekable) {
		if (cp_input_spool(&src->in, src->diags) != CP_OK)
			return CP_FAIL;
		src->quality->bytes_total = src->in.size;
	}
	header_fields(&src->in, h);
	old_header(src, h);
	n = h->old ? CP_FILE_HEAD_OLD : CP_FILE_HEAD;
	if (h->guessed)
		cp_found(src->diags, CP_R_MAGIC, 0,
		    "what follows it tells that this is a capture");
	if (h->size != n)
		cp_found(
		    src->diags, CP_R_HEADER_SIZE, 8, "size %" PRIu64, h->size);
	if (src->in.head_len < n) {
		cp_diag_at(src->diags, CP_D_NO_ATTRS, src->in.head_len,
		    "the file ends in its header");
		return CP_FAIL;
	}
	cp_capture_claim(src, 0, n);
	src->rec->swap = h->swap;
	cp_attrs_place(src, h);
	data_place(src, h);
	data_check(src, h);
	cp_attrs_read(src, h);
	if (h->event_types.offset < src->in.size &&
	    h->event_types.size <= src->in.size - h->event_types.offset)
		cp_capture_claim(
		    src, h->event_types.offset, h->event_types.size);
	features_read(src, h);
	return CP_OK;
}
