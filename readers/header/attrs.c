/* SPDX-License-Identifier: MIT */
/*
 * attrs: the event descriptions of a seekable file and their ids.
 *
 * An entry is an attr of the writer's size, followed by offset and size of its
 * ids.  If the header's offset of the section is wrong, the section is searched
 * for backwards from the data, which follow it.
 */
#include "readers/header/attrs.h"

#include "base/limits.h"
#include "base/retry.h"
#include "readers/byte-account.h"
#include "readers/header/attr-agree.h"
#include "readers/header/attr-decode.h"
#include "readers/header/ids.h"
#include "readers/header/magic.h"
#include "readers/record-head.h"
#include "readers/rules.h"

enum { IDS_SECTION = 16 };

/*
 * Returns the span of the ids: from the last words of the entry, or from those
 * after the attr.
 */
static struct cp_file_span
ids_place(const struct cp_capture *src, struct cp_bytes entry, uint32_t used)
{
	struct cp_bytes b =
	    cp_bytes_of(entry.end - IDS_SECTION, IDS_SECTION, entry.swap);
	struct cp_file_span last, after;

	last.offset = cp_bytes_u64(&b);
	last.size = cp_bytes_u64(&b);
	if (cp_bytes_left(&entry) == (size_t)used + IDS_SECTION ||
	    (last.size != 0 && last.size % 8 == 0 &&
		last.offset >= CP_FILE_HEAD_OLD &&
		last.offset <= src->in.size &&
		last.size <= src->in.size - last.offset))
		return last;
	b = entry;
	cp_bytes_take(&b, used);
	after.offset = cp_bytes_u64(&b);
	after.size = cp_bytes_u64(&b);
	if (!b.failed && after.size % 8 == 0 && after.offset <= src->in.size &&
	    after.size <= src->in.size - after.offset)
		return after;
	return last;
}

static void
entry_read(struct cp_capture *src, struct cp_bytes entry, cp_attrs *attrs,
    cp_spans *ids)
{
	struct cp_bytes b = entry;
	struct cp_placed_attr a = { .offset = src->diags->at_offset };

	b.end -= IDS_SECTION;
	if (cp_attr_read(&b, &a.attr, src->diags) != CP_OK)
		return;
	*cp_vec_push(attrs) = a;
	*cp_vec_push(ids) = ids_place(src, entry, a.attr.size);
}

static bool
size_possible(const uint8_t *p, uint64_t entry, bool swap)
{
	uint32_t size = cp_load32(p + 4, swap);

	return size == 0 || (size >= CP_ATTR_SIZE_VER0 && size % 8 == 0 &&
				size <= entry - IDS_SECTION);
}

/*
 * An attr fills its entry up to the place of the ids.  If the size of one
 * cannot be, but its sample_type can, it gets that size.  Are there several,
 * the entries are not where they seem to be.
 */
static void
mend_size(struct cp_capture *src, const struct cp_file_header *h, uint8_t *p)
{
	uint32_t whole = (uint32_t)h->attr_size - IDS_SECTION;
	uint64_t found = 0;
	unsigned n = 0;

	for (uint64_t at = 0; at + h->attr_size <= h->attrs.size;
	     at += h->attr_size)
		if (!size_possible(p + at, h->attr_size, h->swap)) {
			found = at;
			n++;
		}
	if (n != 1 ||
	    cp_load64(p + found + 24, h->swap) & ~(uint64_t)CP_SAMPLE_KNOWN)
		return;
	cp_found(src->diags, CP_R_ATTR_SIZE, h->attrs.offset + found,
	    "size %" PRIu32 ", not %" PRIu32, cp_load32(p + found + 4, h->swap),
	    whole);
	whole = h->swap ? __builtin_bswap32(whole) : whole;
	memcpy(p + found + 4, &whole, sizeof(whole));
}

/* False: one is all noise, so the ids belong to others than these events. */
static bool
add_events(struct cp_capture *src, cp_attrs *attrs)
{
	bool sound = true;

	for (size_t i = 0; i < attrs->len && sound; i++) {
		struct cp_attr *a = &attrs->data[i].attr;

		src->diags->at_offset = attrs->data[i].offset;
		sound = cp_attr_clear_noise(a, src->diags);
		if (sound)
			cp_evsels_add(&src->rec->evsels, a, src->diags);
	}
	src->diags->at_offset = CP_NO_OFFSET;
	return sound;
}

/* ------------------------------------------------------------- recovery */

/* Could there be an entry of n bytes at p?  Its attr.size must fit. */
static bool
entry_plausible(
    const struct cp_input *in, const uint8_t *p, uint64_t n, bool swap)
{
	uint64_t ids = cp_load64(p + n - 16, swap);
	uint64_t size = cp_load64(p + n - 8, swap);

	return cp_load32(p + 4, swap) + IDS_SECTION == n && size % 8 == 0 &&
	       (!in->seekable || (ids <= in->size && size <= in->size - ids));
}

/*
 * Does an entry with a plausible sample_type start there?  Returns its size, or
 * 0.
 */
static uint64_t
entry_at(const struct cp_input *in, const uint8_t *p, size_t left, bool swap)
{
	uint64_t n;

	if (left < CP_ATTR_SIZE_VER0 + IDS_SECTION)
		return 0;
	n = (uint64_t)cp_load32(p + 4, swap) + IDS_SECTION;
	if (n % 8 != 0 || n < CP_ATTR_SIZE_VER0 + IDS_SECTION ||
	    n > CP_ATTR_SIZE_KNOWN + IDS_SECTION || n > left)
		return 0;
	if (cp_load64(p + 24, swap) & ~(uint64_t)CP_SAMPLE_KNOWN ||
	    !entry_plausible(in, p, n, swap))
		return 0;
	return n;
}

/* Does the header say that data or names of events start there? */
static bool
part_starts(const struct cp_input *in, bool swap, uint64_t offset)
{
	return in->head_len >= CP_FILE_HEAD_OLD &&
	       (cp_load64(in->head + 40, swap) == offset ||
		   cp_load64(in->head + 56, swap) == offset);
}

/*
 * Are there entries of one size at p, which is at where->offset: two, or one
 * that is followed by a record, another part or the end of the file?
 */
static bool
entries_at(const struct cp_input *in, const uint8_t *p, size_t left, bool swap,
    bool last, struct cp_file_span *where, uint64_t *entry)
{
	uint64_t n = entry_at(in, p, left, swap), used = 0;
	struct cp_record_head h;
	bool known;

	while (n != 0 && entry_at(in, p + used, left - used, swap) == n)
		used += n;
	where->size = used;
	*entry = n;
	if (n == 0 || used > n || (last && left == used) ||
	    part_starts(in, swap, where->offset + used))
		return n != 0;
	if (left - used < CP_HEAD_SIZE)
		return false;
	h = cp_head_read(p + used, swap);
	return cp_head_plausible(&h, &known) && known;
}

/* Searches n bytes at p, which are at that offset. */
static bool
search(const struct cp_input *in, const uint8_t *p, size_t n, uint64_t offset,
    bool swap, struct cp_file_span *where, uint64_t *entry)
{
	bool last = in->seekable && offset + n == in->size;

	for (size_t at = 0; at + CP_ATTR_SIZE_VER0 < n; at++) {
		where->offset = offset + at;
		if (entries_at(in, p + at, n - at, swap, last, where, entry))
			return true;
	}
	return false;
}

/* perf writes them before the data, or after all else. */
bool
cp_attrs_locate(const struct cp_input *in, bool swap,
    struct cp_file_span *where, uint64_t *entry)
{
	const uint64_t from = CP_FILE_HEAD_OLD;
	CP_CLEANUP(cp_cleanup_free) uint8_t *p = NULL;
	uint64_t n, at;
	ssize_t got;

	if (!in->seekable)
		return in->head_len > from &&
		       search(in, in->head + from, in->head_len - from, from,
			   swap, where, entry);
	p = cp_xmalloc(CP_MAX_ATTR_SEARCH);
	got = cp_pread(in->fd, p, CP_MAX_ATTR_SEARCH, (off_t)from);
	if (got > 0 && search(in, p, (size_t)got, from, swap, where, entry))
		return true;
	if (in->size < from || in->size - from <= CP_MAX_ATTR_SEARCH)
		return false;
	n = CP_MAX_ATTR_SEARCH;
	at = in->size - n;
	return cp_pread(in->fd, p, n, (off_t)at) == (ssize_t)n &&
	       search(in, p, n, at, swap, where, entry);
}

/*
 * Looks for entries of n bytes that end where the data begin.  Returns their
 * offset.
 */
static uint64_t
entries_before(
    struct cp_capture *src, const struct cp_file_header *h, uint64_t n)
{
	uint8_t p[CP_ATTR_SIZE_KNOWN + IDS_SECTION];
	uint64_t found = 0, at = h->data.offset;

	while (found < CP_MAX_EVSELS && at >= n + CP_FILE_HEAD_OLD &&
	       cp_input_read(&src->in, p, (size_t)n, at - n) == (ssize_t)n &&
	       entry_plausible(&src->in, p, n, h->swap)) {
		at -= n;
		found++;
	}
	return found;
}

static bool
attrs_find(struct cp_capture *src, struct cp_file_header *h)
{
	for (uint64_t n = CP_ATTR_SIZE_VER0 + IDS_SECTION;
	     n <= CP_ATTR_SIZE_KNOWN + IDS_SECTION; n += 8) {
		uint64_t found = entries_before(src, h, n);

		if (found == 0)
			continue;
		h->attr_size = n;
		h->attrs.size = found * n;
		h->attrs.offset = h->data.offset - h->attrs.size;
		return true;
	}
	return false;
}

static bool
attrs_plausible(const struct cp_capture *src, const struct cp_file_header *h)
{
	return h->attr_size >= CP_ATTR_SIZE_VER0 + IDS_SECTION &&
	       h->attr_size <= CP_MAX_ATTR_SIZE + IDS_SECTION &&
	       h->attr_size % 8 == 0 && h->attrs.size >= h->attr_size &&
	       h->attrs.offset <= src->in.size &&
	       h->attrs.size <= src->in.size - h->attrs.offset &&
	       h->attrs.size / h->attr_size <= CP_MAX_EVSELS;
}

/* Counts the entries that follow each other from the header's offset on. */
static uint64_t
entries_there(struct cp_capture *src, const struct cp_file_header *h)
{
	uint8_t p[CP_ATTR_SIZE_KNOWN + IDS_SECTION];
	uint64_t n = 0, at = h->attrs.offset;
	ssize_t got;

	while (n < CP_MAX_EVSELS &&
	       (got = cp_input_read(&src->in, p, sizeof(p), at)) > 0 &&
	       entry_at(&src->in, p, (size_t)got, h->swap) == h->attr_size) {
		at += h->attr_size;
		n++;
	}
	return n;
}

/* Are ids of an entry in the file: in its last words, or after the attr? */
static bool
ids_in_file(const struct cp_capture *src, const uint8_t *p, bool swap)
{
	uint64_t offset = cp_load64(p, swap), size = cp_load64(p + 8, swap);

	return size % 8 == 0 && offset <= src->in.size &&
	       size <= src->in.size - offset;
}

/*
 * Can all entries be descriptions as the header has them?  simpleperf's have
 * room between the attr and its ids.
 */
static bool
entries_sound(struct cp_capture *src, const struct cp_file_header *h)
{
	uint8_t p[CP_MAX_ATTR_SIZE + IDS_SECTION];
	uint64_t n = h->attr_size;

	if (!attrs_plausible(src, h) || h->attrs.size % n != 0)
		return false;
	for (uint64_t at = 0; at < h->attrs.size; at += n) {
		uint32_t size;

		if (cp_input_read(&src->in, p, (size_t)n,
			h->attrs.offset + at) != (ssize_t)n ||
		    !size_possible(p, n, h->swap))
			return false;
		size = cp_load32(p + 4, h->swap);
		if (size == 0 || !(ids_in_file(src, p + n - 16, h->swap) ||
				     ids_in_file(src, p + size, h->swap)))
			return false;
	}
	return true;
}

/* The section ends where the data begin. */
static void
size_check(struct cp_capture *src, struct cp_file_header *h, uint64_t n)
{
	uint64_t size = n * h->attr_size;

	if (size == h->attrs.size || h->attrs.offset + size != h->data.offset)
		return;
	cp_found(src->diags, CP_R_ATTRS_SIZE, 32,
	    "%" PRIu64 " bytes of event descriptions, not %" PRIu64, size,
	    h->attrs.size);
	h->attrs.size = size;
}

void
cp_attrs_place(struct cp_capture *src, struct cp_file_header *h)
{
	uint64_t n = entries_there(src, h), entry;
	struct cp_file_span where;

	if (n != 0)
		size_check(src, h, n);
	if ((n * h->attr_size >= h->attrs.size && attrs_plausible(src, h)) ||
	    entries_sound(src, h))
		return;
	if (!cp_attrs_locate(&src->in, h->swap, &where, &entry) ||
	    (attrs_plausible(src, h) && where.size <= n * entry))
		return;
	/*
	 * The header's place may have entries of another form before those
	 * found.
	 */
	if (attrs_plausible(src, h) && where.offset > h->attrs.offset &&
	    (where.offset - h->attrs.offset) % h->attr_size == 0)
		return;
	if (where.offset == h->attrs.offset)
		cp_found(src->diags, CP_R_ATTRS_PLACE, 16,
		    "an event description has %" PRIu64 " bytes, not %" PRIu64,
		    entry, h->attr_size);
	else
		cp_found(src->diags, CP_R_ATTRS_PLACE, 24,
		    "event descriptions are at %" PRIu64 ", not at %" PRIu64,
		    where.offset, h->attrs.offset);
	h->attrs = where;
	h->attr_size = entry;
}

void
cp_attrs_read(struct cp_capture *src, struct cp_file_header *h)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *p = NULL;
	cp_attrs attrs = { 0 };
	cp_spans ids = { 0 };
	uint64_t at;

	if (!attrs_plausible(src, h)) {
		cp_found(src->diags, CP_R_ATTRS_PLACE, 16,
		    "%" PRIu64 " bytes of event descriptions at %" PRIu64,
		    h->attrs.size, h->attrs.offset);
		if (!attrs_find(src, h))
			return;
	}
	p = cp_section_read(src, h->attrs, UINT32_MAX, CP_D_BAD_ATTR);
	if (p == NULL)
		return;
	cp_capture_claim(src, h->attrs.offset, h->attrs.size);
	mend_size(src, h, p);
	for (at = 0; at + h->attr_size <= h->attrs.size; at += h->attr_size) {
		src->diags->at_offset = h->attrs.offset + at;
		entry_read(src,
		    cp_bytes_of(p + at, (size_t)h->attr_size, h->swap), &attrs,
		    &ids);
	}
	cp_attrs_agree(&attrs, src->diags);
	h->ids = add_events(src, &attrs);
	if (h->ids)
		cp_ids_read(src, h, &ids);
	cp_vec_free(&attrs);
	cp_vec_free(&ids);
}
