/* SPDX-License-Identifier: MIT */
/*
 * repair-symbols: objects and symbols as simpleperf wrote them.
 *
 * perf does not know the records DSO and SYMBOL of older versions, and a
 * damaged feature is left out.  The symbols read from both are written to one
 * feature FILE.
 */
#include "readers/rewrite/repaired.h"

#include "base/limits.h"
#include "readers/rewrite/put.h"

enum { FILE1 = 128, FILE2 = 132 };

static bool
is_file(uint32_t bit)
{
	return bit == FILE1 || bit == FILE2;
}

/* Would the new file lack some of them? */
static bool
lacks_some(const struct cp_repair *r, const struct cp_info *info)
{
	if (info->sp_by_id.len != 0)
		return true;
	for (size_t i = 0; i < r->damaged.len; i++)
		if (is_file(r->damaged.data[i]))
			return true;
	return false;
}

static void
put_text(struct cp_buf *b, const char *text)
{
	cp_buf_add(b, text, strlen(text) + 1);
}

static void
put_symbols(struct cp_buf *b, const struct cp_sp_file *f, bool swap)
{
	cp_put32(b, (uint32_t)f->symbols.len, swap);
	for (size_t i = 0; i < f->symbols.len; i++) {
		const struct cp_sp_symbol *s = &f->symbols.data[i];

		cp_put64(b, s->vaddr, swap);
		cp_put32(b, s->len, swap);
		put_text(b, s->name);
	}
}

/*
 * Writes the files.  A symbol whose object's record is lost has no path, and is
 * left out.
 */
static void
put_files(struct cp_buf *b, const struct cp_info *info, bool swap)
{
	for (size_t i = 0; i < info->sp_files.len; i++) {
		const struct cp_sp_file *f = &info->sp_files.data[i];
		struct cp_buf one;

		if (f->path[0] == '\0')
			continue;
		cp_buf_init(&one, CP_MAX_FEATURE);
		/* A dex file has a list of offsets, which is empty here. */
		put_text(&one, f->path);
		cp_put32(&one, f->type, swap);
		cp_put64(&one, f->min_vaddr, swap);
		put_symbols(&one, f, swap);
		if (f->type == CP_SP_DEX)
			cp_put32(&one, 0, swap);
		else if (f->has_offset)
			cp_put64(&one, f->offset_of_min_vaddr, swap);
		cp_put32(b, (uint32_t)one.len, swap);
		cp_buf_add(b, one.data, one.len);
		b->full |= one.full;
		cp_buf_free(&one);
	}
}

void
cp_repair_symbols(struct cp_repair *r, const struct cp_recording *rec)
{
	struct cp_buf b;

	if (rec->info.n_sp_symbols == 0 || !lacks_some(r, &rec->info))
		return;
	cp_buf_init(&b, CP_MAX_FEATURE);
	put_files(&b, &rec->info, rec->swap);
	if (!b.full && b.len != 0) {
		cp_repair_remove(r, FILE2);
		cp_repair_replace(r, FILE1, (uint8_t *)b.data, b.len);
	}
	cp_buf_free(&b);
}
