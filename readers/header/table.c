/* SPDX-License-Identifier: MIT */
/*
 * table: the table of features behind the data.
 *
 * It has one {offset, size} for each feature.  perf writes the features behind
 * it, one after the other without a gap.  So the table can be found where the
 * header tells another place, and one wrong entry is what its neighbours leave.
 */
#include "readers/header/table.h"

#include "base/bytes.h"
#include "readers/byte-account.h"
#include "readers/rules.h"

enum {
	ENTRY = 16,
	PLACES = 256,   /* reserved, some of them unused */
	FAR = 32 << 20, /* bytes before the end that are searched */
	LEAST = 3,      /* joints that show how the features were written */
};

static struct cp_file_span
entry_at(const uint8_t *p, bool swap)
{
	return (
	    struct cp_file_span){ cp_load64(p, swap), cp_load64(p + 8, swap) };
}

uint32_t
cp_table_points(struct cp_input *in, uint64_t at, uint32_t n, bool swap)
{
	uint8_t p[ENTRY];
	uint32_t good = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct cp_file_span e;

		if (cp_input_read(in, p, ENTRY, at + (uint64_t)ENTRY * i) !=
		    ENTRY)
			break;
		e = entry_at(p, swap);
		good += e.offset > at && e.offset <= in->size &&
			e.size <= in->size - e.offset;
	}
	return good;
}

/* Is this the table, at that offset of the file?  left: bytes from p on. */
static bool
is_table(const uint8_t *p, size_t left, uint64_t at, uint32_t n, bool swap)
{
	struct cp_file_span e = entry_at(p, swap);

	if (e.offset < at + (uint64_t)ENTRY * n ||
	    e.offset > at + (uint64_t)ENTRY * PLACES ||
	    (e.offset - at) % ENTRY != 0)
		return false;
	for (uint32_t i = 1; i < n; i++) {
		struct cp_file_span next =
		    entry_at(p + (size_t)ENTRY * i, swap);

		if (e.size > left || next.offset != e.offset + e.size)
			return false;
		e = next;
	}
	return e.size <= left && e.offset + e.size <= at + left;
}

uint64_t
cp_table_find(struct cp_input *in, uint64_t from, uint32_t n, bool swap)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *buf = NULL;
	size_t size, least = (size_t)ENTRY * n;

	if (in->size == UINT64_MAX || n <= LEAST || from >= in->size)
		return 0;
	from = CP_MAX(from, in->size - CP_MIN(in->size, (uint64_t)FAR));
	size = (size_t)(in->size - from);
	buf = cp_xmalloc(size);
	if (cp_input_read(in, buf, size, from) != (ssize_t)size)
		return 0;
	for (size_t i = 0; i + least <= size; i++)
		if (is_table(buf + i, size - i, from + i, n, swap))
			return from + i;
	return 0;
}

static uint64_t
end_of(struct cp_file_span e)
{
	return e.offset + e.size;
}

/*
 * Returns which entry is wrong: a size breaks the joint behind its entry, an
 * offset the one before, too.  n: none, or more than one.
 */
static uint32_t
wrong_entry(const struct cp_file_span *e, uint32_t n, uint64_t size)
{
	uint32_t broken = 0, last = 0;
	bool whole =
	    e[n - 1].offset <= size && e[n - 1].size <= size - e[n - 1].offset;

	for (uint32_t i = 0; i + 1 < n; i++) {
		if (end_of(e[i]) == e[i + 1].offset)
			continue;
		if (broken != 0 && last + 1 != i)
			return n;
		broken++;
		last = i;
	}
	if (broken > 2 || n < LEAST + 1 + broken)
		return n;
	if (broken == 0)
		return whole ? n : n - 1;
	return broken == 1 && last + 2 == n && end_of(e[n - 1]) != size ? n - 1
									: last;
}

/* The first feature starts where its offset, its size or the table tells. */
static uint64_t
first_begin(const struct cp_file_span *e, uint64_t table)
{
	const uint64_t next = e[1].offset, most = table + ENTRY * PLACES;

	if (e[0].offset >= table && e[0].offset <= CP_MIN(next, most) &&
	    (e[0].offset - table) % ENTRY == 0)
		return e[0].offset;
	return next > table && e[0].size <= next - table ? next - e[0].size
							 : table;
}

uint32_t
cp_table_mend(struct cp_file_span *e, uint32_t n, uint64_t table, uint64_t size)
{
	uint32_t i = n > LEAST ? wrong_entry(e, n, size) : n;
	uint64_t begin, end;

	if (i == n)
		return n;
	begin = i != 0 ? end_of(e[i - 1]) : first_begin(e, table);
	if (begin < table || begin > size)
		return n;
	if (i + 1 < n)
		end = e[i + 1].offset;
	else
		end = e[i].size <= size - begin ? begin + e[i].size : size;
	if (end < begin || end > size)
		return n;
	e[i] = (struct cp_file_span){ begin, end - begin };
	return i;
}

/* Does an entry of the list of build IDs start there, and end before `to`? */
static bool
build_id_starts(struct cp_capture *src, const struct cp_file_header *h,
    uint64_t from, uint64_t to)
{
	enum { NAME = 36, GUEST_USER = 5 };
	uint8_t p[NAME + 1];
	uint16_t size;

	if (cp_input_read(&src->in, p, sizeof(p), from) != (ssize_t)sizeof(p))
		return false;
	size = cp_load16(p + 6, h->swap);
	return size > NAME && size <= to - from && size % 4 == 0 &&
	       (cp_load16(p + 4, h->swap) & 7) <= GUEST_USER &&
	       (p[NAME] == '/' || p[NAME] == '[');
}

void
cp_table_judge(struct cp_capture *src, const struct cp_file_header *h,
    uint64_t from, uint64_t end, const struct cp_file_span *over)
{
	uint64_t at, n = cp_capture_hole(src, from, end, &at);
	uint64_t ids = h->build_ids.offset + h->build_ids.size;

	if (src->diags->count[CP_D_BAD_FEATURE] != 0)
		return;
	if (n != 0 && ids == at && build_id_starts(src, h, at, at + n))
		cp_found(src->diags, CP_R_FEATURE_REST, at,
		    "%" PRIu64 " bytes of build IDs follow their section", n);
	else if (n != 0 && over->size != 0)
		cp_found(src->diags, CP_R_FEATURE_MOVED, over->offset,
		    "two features overlap, and %" PRIu64 " bytes at %" PRIu64
		    " belong to none",
		    n, at);
	else if (n != 0)
		cp_found(src->diags, CP_R_FEATURE_HOLE, at,
		    "%" PRIu64 " bytes belong to no feature", n);
	else if (over->size != 0)
		cp_found(src->diags, CP_R_FEATURE_OVERLAP, over->offset,
		    "two features overlap");
}
