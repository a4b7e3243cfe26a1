/* SPDX-License-Identifier: MIT */
/*
 * attrs: the event descriptions of a seekable file and their ids.
 *
 * An entry is an attr of the writer's size and then the place of its ids.
 * When the header has lost the place of the section, it is found from the
 * end: it ends where the data begin.
 */
#include "readers/header/attrs.h"

#include "base/limits.h"
#include "readers/byte-account.h"
#include "readers/header/attr-decode.h"
#include "readers/header/magic.h"

enum { IDS_SECTION = 16 };

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
		cp_diag_at(src->diags, CP_D_BAD_ATTR, at.offset,
		    "ids of %" PRIu64 " bytes", at.size);
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

/* The ids' place: the entry's last words, or right behind the attr. */
static struct cp_file_span
ids_place(const struct cp_capture *src, struct cp_bytes entry, uint32_t used)
{
	struct cp_bytes b =
	    cp_bytes_of(entry.end - IDS_SECTION, IDS_SECTION, entry.swap);
	struct cp_file_span last, behind;

	last.offset = cp_bytes_u64(&b);
	last.size = cp_bytes_u64(&b);
	if (cp_bytes_left(&entry) == (size_t)used + IDS_SECTION)
		return last;
	b = entry;
	cp_bytes_take(&b, used);
	behind.offset = cp_bytes_u64(&b);
	behind.size = cp_bytes_u64(&b);
	if (!b.failed && behind.size % 8 == 0 &&
	    behind.offset <= src->in.size &&
	    behind.size <= src->in.size - behind.offset)
		return behind;
	return last;
}

static void
entry_read(struct cp_capture *src, struct cp_bytes entry)
{
	struct cp_bytes b = entry;
	struct cp_evsel_info *ev;
	struct cp_attr attr;

	b.end -= IDS_SECTION;
	if (cp_attr_read(&b, &attr, src->diags) != CP_OK)
		return;
	ev = cp_evsels_add(&src->rec->evsels, &attr, src->diags);
	ids_read(src, ev, ids_place(src, entry, attr.size), entry.swap);
}

/* ------------------------------------------------------------- recovery */

/* Is there an entry of n bytes at p that describes itself? */
static bool
entry_plausible(
    const struct cp_capture *src, const uint8_t *p, uint64_t n, bool swap)
{
	uint64_t ids = cp_load64(p + n - 16, swap);
	uint64_t size = cp_load64(p + n - 8, swap);

	return cp_load32(p + 4, swap) + IDS_SECTION == n && size % 8 == 0 &&
	       ids <= src->in.size && size <= src->in.size - ids;
}

/* Looks for entries of n bytes that end where the data begin. */
static uint64_t
entries_before(
    struct cp_capture *src, const struct cp_file_header *h, uint64_t n)
{
	uint8_t p[CP_ATTR_SIZE_KNOWN + IDS_SECTION];
	uint64_t found = 0, at = h->data.offset;

	while (found < CP_MAX_EVSELS && at >= n + CP_FILE_HEAD_OLD &&
	       cp_input_read(&src->in, p, (size_t)n, at - n) == (ssize_t)n &&
	       entry_plausible(src, p, n, h->swap)) {
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

int
cp_attrs_read(struct cp_capture *src, struct cp_file_header *h)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *p = NULL;
	uint64_t at;

	if (!attrs_plausible(src, h)) {
		cp_diag_at(src->diags, CP_D_BAD_HEADER, 16,
		    "%" PRIu64 " bytes of event descriptions at %" PRIu64,
		    h->attrs.size, h->attrs.offset);
		if (!attrs_find(src, h))
			goto fail;
	}
	p = cp_section_read(src, h->attrs, UINT32_MAX, CP_D_BAD_ATTR);
	if (p == NULL)
		goto fail;
	cp_capture_claim(src, h->attrs.offset, h->attrs.size);
	for (at = 0; at + h->attr_size <= h->attrs.size; at += h->attr_size)
		entry_read(
		    src, cp_bytes_of(p + at, (size_t)h->attr_size, h->swap));
	if (src->rec->evsels.all.len != 0)
		return CP_OK;
fail:
	cp_diag(src->diags, CP_D_NO_ATTRS, NULL);
	return CP_FAIL;
}
