/* SPDX-License-Identifier: MIT */
/*
 * Split DWARF: the executable has a skeleton per unit; the DIEs are in a .dwo
 * file, or together with those of other units in a .dwp package.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "symbolize/dwarf/internal.h"

#define MAX_PATH 4096
#define MAX_TRIES 8 /* candidates per file */

/* Section numbers in a package's index. */
enum {
	INDEX_INFO = 1,
	INDEX_ABBREV = 3,
	INDEX_LINE = 4,
	INDEX_STR_OFFSETS = 6,
	INDEX_RNGLISTS = 8, /* in version 2: .debug_macro */
};

/* Offsets of one unit's parts in a package. */
struct parts {
	uint64_t info, abbrev, line, str_offsets, rnglists;
};

static void
set_part(struct parts *p, uint32_t version, uint32_t section, uint32_t at)
{
	switch (section) {
	case INDEX_INFO: p->info = at; break;
	case INDEX_ABBREV: p->abbrev = at; break;
	case INDEX_LINE: p->line = at; break;
	case INDEX_STR_OFFSETS: p->str_offsets = at; break;
	case INDEX_RNGLISTS:
		if (version >= 5)
			p->rnglists = at;
		break;
	}
}

/* Returns the row of an id in the index's hash table; 0: none. */
static uint32_t
index_row(
    struct cp_bytes hashes, struct cp_bytes rows, uint32_t slots, uint64_t id)
{
	uint32_t mask = slots - 1;
	uint32_t i = (uint32_t)id & mask;
	uint32_t step = ((uint32_t)(id >> 32) & mask) | 1;

	for (uint32_t tries = 0; tries < slots; tries++) {
		uint32_t row = cp_load32(rows.at + 4 * (size_t)i, rows.swap);

		if (row == 0)
			return 0;
		if (cp_load64(hashes.at + 8 * (size_t)i, hashes.swap) == id)
			return row;
		i = (i + step) & mask;
	}
	return 0;
}

/* Finds a unit's parts in .debug_cu_index. */
static bool
find_parts(struct dw_file *f, uint64_t id, struct parts *out)
{
	struct cp_bytes b = dw_section(f, DW_CU_INDEX), hashes, rows;
	uint32_t version = cp_bytes_u32(&b) & 0xffff;
	uint32_t columns = cp_bytes_u32(&b), units = cp_bytes_u32(&b);
	uint32_t slots = cp_bytes_u32(&b), row, section[CP_MAX_INDEX_COLUMNS];

	/* Version 5 has 16 bits and padding, in either byte order. */
	if (b.swap && version == 0)
		version = 5;
	if (b.failed || columns > CP_MAX_INDEX_COLUMNS || slots == 0 ||
	    (slots & (slots - 1)) != 0 || slots > cp_bytes_left(&b) / 12)
		return false;
	hashes = b;
	cp_bytes_take(&b, 8 * (size_t)slots);
	rows = b;
	cp_bytes_take(&b, 4 * (size_t)slots);
	row = index_row(hashes, rows, slots, id);
	if (row == 0 || row > units)
		return false;
	for (uint32_t i = 0; i < columns; i++)
		section[i] = cp_bytes_u32(&b);
	cp_bytes_take(&b, 4 * (size_t)columns * (row - 1));
	for (uint32_t i = 0; i < columns; i++)
		set_part(out, version, section[i], cp_bytes_u32(&b));
	return !b.failed;
}

/* Takes the first package that has the unit, or else the first package. */
static void
choose_package(struct cp_dwarf *d, uint64_t id)
{
	struct parts p = { 0 };
	struct cp_elf elf;

	d->dwp_tried = true;
	if (d->files.dwp == NULL)
		return;
	for (unsigned n = 0; n < MAX_TRIES; n++) {
		struct dw_file *f;

		if (!d->files.dwp(d->files.arg, n, &elf))
			return;
		f = dw_file_add(d, &elf, true);
		if (f == NULL)
			return;
		if (d->dwp == NULL)
			d->dwp = f;
		if (find_parts(f, id, &p)) {
			d->dwp = f;
			return;
		}
	}
}

static struct dw_unit *
from_package(struct dw_unit *skeleton)
{
	struct cp_dwarf *d = skeleton->file->dwarf;
	struct parts p = { 0 };
	struct dw_unit *u;

	if (!d->dwp_tried)
		choose_package(d, skeleton->signature);
	if (d->dwp == NULL || !find_parts(d->dwp, skeleton->signature, &p))
		return NULL;
	u = dw_unit_from(d->dwp, DW_INFO, p.info);
	d->damaged |= u == NULL;
	if (u == NULL || u->read)
		return NULL;
	u->abbrev_at += p.abbrev;
	u->str_add = p.str_offsets;
	u->rnglists_add = p.rnglists;
	u->line_add = p.line;
	return u;
}

/* Writes the path where the compiler put the .dwo.  False: unknown. */
static bool
dwo_path(const struct dw_unit *skeleton, struct cp_buf *b)
{
	cp_buf_init(b, MAX_PATH);
	if (skeleton->dwo_name == NULL)
		return false;
	if (skeleton->dwo_name[0] != '/' && skeleton->dir != NULL) {
		cp_buf_str(b, skeleton->dir);
		cp_buf_str(b, "/");
	}
	cp_buf_str(b, skeleton->dwo_name);
	return !b->full;
}

static struct dw_unit *
code_unit(struct dw_file *f)
{
	dw_units_read(f);
	for (size_t i = 0; i < f->units.len; i++) {
		struct dw_unit *u = f->units.data[i];

		if (u->kind != DW_UT_type && u->kind != DW_UT_split_type)
			return u;
	}
	return NULL;
}

/* True if the DWO ids are equal: both are of one build. */
static bool
same_dwo_id(struct dw_unit *full, struct dw_unit *skeleton)
{
	if (full == NULL)
		return false;
	full->skeleton = skeleton;
	return dw_unit_open(full) && full->signature == skeleton->signature;
}

static struct dw_unit *
from_dwo(struct dw_unit *skeleton)
{
	struct cp_dwarf *d = skeleton->file->dwarf;
	struct dw_unit *found = NULL;
	struct cp_elf elf;
	struct cp_buf b;

	if (d->files.dwo == NULL)
		return NULL;
	if (dwo_path(skeleton, &b))
		for (unsigned n = 0; n < MAX_TRIES && found == NULL; n++) {
			struct dw_file *f;

			if (!d->files.dwo(
				d->files.arg, cp_buf_text(&b), n, &elf))
				break;
			f = dw_file_add(d, &elf, true);
			found = f != NULL ? code_unit(f) : NULL;
			if (!same_dwo_id(found, skeleton))
				found = NULL;
		}
	cp_buf_free(&b);
	return found;
}

struct dw_unit *
dw_unit_full(struct dw_unit *u)
{
	struct dw_unit *full;

	if (!dw_unit_open(u) || !u->has_id || u->file->dwo)
		return u;
	if (u->split_tried)
		return u->split != NULL ? u->split : u;
	u->split_tried = true;
	full = from_package(u);
	if (!same_dwo_id(full, u)) {
		/* The package's index has the id, and its unit another one. */
		u->file->dwarf->damaged |= full != NULL;
		full = from_dwo(u);
	}
	if (full == NULL) {
		u->file->dwarf->incomplete = true;
		if (u->file->dwarf->missing == NULL)
			u->file->dwarf->missing = u->dwo_name;
		return u;
	}
	u->split = full;
	return full;
}

void
dw_split_each(struct cp_dwarf *d, cp_dwarf_split_fn each, void *ctx)
{
	struct cp_map64 given = { 0 };
	struct cp_buf path;

	dw_units_read(&d->main);
	for (size_t i = 0; i < d->main.units.len; i++) {
		struct dw_unit *u = d->main.units.data[i];
		struct dw_unit *full = dw_unit_full(u);
		struct dw_file *f = full->file;
		uint32_t *seen;

		if (!u->has_id || (d->dwp != NULL && f == d->dwp))
			continue;
		seen = cp_map64_put(&given, f->number);
		if (dwo_path(u, &path) && (full == u || *seen == 0))
			each(
			    ctx, cp_buf_text(&path), full != u ? f->elf : NULL);
		*seen = 1;
		cp_buf_free(&path);
	}
	if (d->dwp != NULL)
		each(ctx, NULL, d->dwp->elf);
	cp_map64_free(&given);
}
