/* SPDX-License-Identifier: MIT */
/*
 * file: header, event descriptions and features around the new, shorter
 * records.  The parts after the records move up.
 */
#include "readers/rewrite/writer.h"

#include "base/limits.h"
#include "readers/header/attr-decode.h"
#include "readers/header/section.h"
#include "readers/header/magic.h"
#include "readers/rewrite/feature.h"

struct around {
	struct cp_rewriter *w;
	const struct cp_file_header *h;
	uint64_t old_end, new_end; /* of the records */
};

static uint64_t
moved(const struct around *a, uint64_t offset)
{
	return offset >= a->old_end ? offset - a->old_end + a->new_end : offset;
}

static void
put_at(struct around *a, const uint8_t *p, size_t n, uint64_t at)
{
	cp_rewrite_flush(a->w);
	a->w->at = at;
	cp_rewrite_put(a->w, p, n);
	cp_rewrite_flush(a->w);
}

static void
move_word(const struct around *a, uint8_t *p)
{
	bool swap = a->w->swap;

	cp_rewrite_store64(p, moved(a, cp_load64(p, swap)), swap);
}

/* Corrects the entries, whose ids' offset is at their end or after the attr. */
static bool
put_attrs(struct around *a)
{
	const struct cp_file_header *h = a->h;
	size_t n = (size_t)h->attr_size;
	CP_CLEANUP(cp_cleanup_free)
	uint8_t *p =
	    cp_section_read(a->w->src, h->attrs, UINT32_MAX, CP_D_BAD_ATTR);

	/* The reader goes on without events if their size is damaged. */
	if (p == NULL || n < CP_ATTR_SIZE_VER0 + 16)
		return false;
	for (uint64_t at = 0; at + n <= h->attrs.size; at += n) {
		uint32_t used = cp_load32(p + at + 4, a->w->swap);

		cp_rewrite_attr(a->w, p + at, n - 16);
		move_word(a, p + at + n - 16);
		if (used >= CP_ATTR_SIZE_VER0 && used < n - 16)
			move_word(a, p + at + used);
	}
	put_at(a, p, (size_t)h->attrs.size, moved(a, h->attrs.offset));
	return true;
}

static bool
put_feature_table(struct around *a)
{
	uint8_t p[256 * 16], bits[256];
	size_t n = 0;

	for (unsigned bit = 0; bit < 256; bit++)
		if (a->h->features[bit / 64] >> (bit % 64) & 1)
			bits[n++] = (uint8_t)bit;
	if (n == 0 || cp_input_read(&a->w->src->in, p, n * 16, a->old_end) !=
			  (ssize_t)n * 16)
		return true;
	for (size_t i = 0; i < n; i++) {
		struct cp_file_span s = { cp_load64(p + i * 16, a->w->swap),
			cp_load64(p + i * 16 + 8, a->w->swap) };

		if (!cp_rewrite_feature(a->w, bits[i], s, moved(a, s.offset)))
			return false;
		move_word(a, p + i * 16);
	}
	put_at(a, p, n * 16, a->new_end);
	return true;
}

static void
put_header(struct around *a)
{
	const struct cp_file_header *h = a->h;
	bool swap = a->w->swap;
	size_t n = h->old ? CP_FILE_HEAD_OLD : CP_FILE_HEAD;
	uint8_t p[CP_FILE_HEAD];

	memcpy(p, a->w->src->in.head, n);
	cp_rewrite_store64(p + 16, h->attr_size, swap);
	cp_rewrite_store64(p + 24, moved(a, h->attrs.offset), swap);
	cp_rewrite_store64(p + 32, h->attrs.size, swap);
	cp_rewrite_store64(p + 40, h->data.offset, swap);
	cp_rewrite_store64(p + 48, a->new_end - h->data.offset, swap);
	if (h->event_types.size != 0)
		move_word(a, p + 56);
	/* A killed recorder has set bits of features that it never wrote. */
	if (!h->old && (h->features[0] | h->features[1] | h->features[2] |
			   h->features[3]) == 0)
		memset(p + 72, 0, 32);
	put_at(a, p, n, 0);
}

bool
cp_rewrite_around(
    struct cp_rewriter *w, const struct cp_file_span *claimed, size_t n)
{
	const struct cp_file_header *h = w->src->header;
	struct around a = { .w = w,
		.h = h,
		.new_end = w->at,
		.old_end = h->data.offset + h->data.size };

	for (size_t i = 0; i < n; i++) {
		const struct cp_file_span *s = &claimed[i];

		if (s->size == 0)
			continue;
		if (s->offset < a.old_end &&
		    s->offset + s->size > h->data.offset)
			return false;
		cp_rewrite_copy(w, s->offset, s->size, moved(&a, s->offset));
	}
	if (!put_attrs(&a) || !put_feature_table(&a))
		return false;
	put_header(&a);
	return !w->failed;
}
