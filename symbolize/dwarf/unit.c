/* SPDX-License-Identifier: MIT */
/*
 * Units of .debug_info and .debug_types: headers, first DIEs, look-ups.
 */
#include "symbolize/dwarf/internal.h"

static void
read_kind(struct cp_bytes *b, struct dw_unit *u, enum dw_section section)
{
	if (u->version >= 5) {
		u->kind = cp_bytes_u8(b);
		u->addr_size = cp_bytes_u8(b);
		u->abbrev_at = dw_word(b, u->offset_size);
	} else {
		u->kind = section == DW_TYPES ? DW_UT_type : DW_UT_compile;
		u->abbrev_at = dw_word(b, u->offset_size);
		u->addr_size = cp_bytes_u8(b);
	}
	switch (u->kind) {
	case DW_UT_skeleton:
	case DW_UT_split_compile:
		u->signature = cp_bytes_u64(b);
		u->has_id = true;
		break;
	case DW_UT_type:
	case DW_UT_split_type:
		u->signature = cp_bytes_u64(b);
		u->type_die = dw_word(b, u->offset_size);
		break;
	}
}

/* Reads a header and moves the cursor to the next unit.  False at the end. */
static bool
unit_header(struct cp_bytes *b, const uint8_t *section, enum dw_section number,
    struct dw_unit *u)
{
	struct cp_bytes in;
	uint64_t length;

	*u = (struct dw_unit){ .section = (uint8_t)number };
	if (cp_bytes_left(b) == 0)
		return false;
	u->start = (uint64_t)(b->at - section);
	length = dw_length(b, &u->offset_size);
	if (b->failed || length > cp_bytes_left(b))
		return false;
	in = cp_bytes_of(b->at, (size_t)length, b->swap);
	cp_bytes_take(b, (size_t)length);
	u->end = (uint64_t)(b->at - section);
	u->version = dw_version(&in);
	read_kind(&in, u, number);
	u->die = (uint64_t)(in.at - section);
	/* A unit of an unknown version is skipped by its length. */
	if (in.failed || u->version < 2 || u->version > 5 ||
	    (u->addr_size != 4 && u->addr_size != 8 && u->addr_size != 2)) {
		u->damaged = length != 0 && u->version <= 5;
		u->version = 0;
	}
	return true;
}

static void
read_section(struct dw_file *f, enum dw_section section)
{
	struct cp_bytes b = dw_section(f, section);
	const uint8_t *start = b.at;
	struct dw_unit u;

	while (f->units.len < CP_MAX_UNITS &&
	       unit_header(&b, start, section, &u)) {
		struct dw_unit *kept =
		    cp_arena_alloc(&f->dwarf->arena, sizeof(u));

		*kept = u;
		kept->file = f;
		*cp_vec_push(&f->units) = kept;
		f->dwarf->damaged |= u.damaged;
	}
	if (f->units.len < CP_MAX_UNITS && cp_bytes_left(&b) != 0)
		f->dwarf->damaged = true;
}

void
dw_units_read(struct dw_file *f)
{
	if (f->units_read)
		return;
	f->units_read = true;
	read_section(f, DW_INFO);
}

/* Finds the unit that contains an offset. */
static struct dw_unit *
find_unit(struct dw_file *f, enum dw_section section, uint64_t at)
{
	size_t lo = 0, hi;

	dw_units_read(f);
	hi = f->units.len;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct dw_unit *u = f->units.data[mid];

		if (u->section < section ||
		    (u->section == section && u->end <= at))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == f->units.len || f->units.data[lo]->section != section)
		return NULL;
	return f->units.data[lo];
}

struct dw_unit *
dw_unit_at(struct dw_file *f, enum dw_section section, uint64_t at)
{
	struct dw_unit *u = find_unit(f, section, at);

	return u != NULL && at >= u->die ? u : NULL;
}

struct dw_unit *
dw_unit_from(struct dw_file *f, enum dw_section section, uint64_t start)
{
	struct dw_unit *u = find_unit(f, section, start);

	return u != NULL && start == u->start ? u : NULL;
}

static void
collect_types(struct cp_dwarf *d, struct dw_file *f)
{
	dw_units_read(f);
	/* DWARF 4 has type units in .debug_types, which is rarely needed. */
	read_section(f, DW_TYPES);
	for (size_t i = 0; i < f->units.len; i++) {
		struct dw_unit *u = f->units.data[i];
		uint32_t *slot;

		if (u->kind != DW_UT_type && u->kind != DW_UT_split_type)
			continue;
		slot = cp_map64_put(&d->types, u->signature);
		if (*slot != 0)
			continue;
		*cp_vec_push(&d->type_units) = u;
		*slot = (uint32_t)d->type_units.len;
	}
}

struct dw_unit *
dw_unit_of_type(struct dw_file *f, uint64_t signature)
{
	struct cp_dwarf *d = f->dwarf;
	uint32_t i;

	if (!f->types_read) {
		f->types_read = true;
		collect_types(d, f);
	}
	i = cp_map64_get(&d->types, signature);
	return i != 0 ? d->type_units.data[i - 1] : NULL;
}

struct cp_bytes
dw_unit_bytes(const struct dw_unit *u, uint64_t die)
{
	struct cp_bytes b = dw_section(u->file, (enum dw_section)u->section);

	if (die < u->die || die >= u->end) {
		b.failed = true;
		b.at = b.end;
		return b;
	}
	b.end = b.at + u->end;
	b.at += die;
	return b;
}

/* ------------------------------------------------------- first entry */

/* Attributes that need bases, which may be read after them. */
struct first {
	struct dw_value name, dir, dwo_name, low, high, ranges;
};

static void
store_attribute(
    struct dw_unit *u, struct first *f, uint16_t name, struct dw_value v)
{
	switch (name) {
	case DW_AT_name: f->name = v; break;
	case DW_AT_comp_dir: f->dir = v; break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name: f->dwo_name = v; break;
	case DW_AT_low_pc: f->low = v; break;
	case DW_AT_high_pc: f->high = v; break;
	case DW_AT_ranges: f->ranges = v; break;
	case DW_AT_language: u->language = (uint16_t)v.u; break;
	case DW_AT_stmt_list:
		u->stmt_list = v.u;
		u->has_lines = true;
		break;
	case DW_AT_str_offsets_base: u->str_base = v.u; break;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base: u->addr_base = v.u; break;
	case DW_AT_rnglists_base: u->rnglists_base = v.u; break;
	case DW_AT_GNU_ranges_base: u->ranges_base = v.u; break;
	case DW_AT_GNU_dwo_id:
		u->signature = v.u;
		u->has_id = true;
		break;
	}
}

/* Default bases: a split file has a single table. */
static void
set_default_bases(struct dw_unit *u)
{
	bool wide = u->offset_size == 8;

	if (!u->file->dwo)
		return;
	u->str_base = u->str_add;
	if (u->version >= 5) {
		u->str_base += wide ? 16 : 8;
		u->rnglists_base = u->rnglists_add + (wide ? 20 : 12);
	}
}

static void
resolve_attributes(struct dw_unit *u, const struct first *f)
{
	u->name = dw_value_string(u, &f->name);
	u->dir = dw_value_string(u, &f->dir);
	u->dwo_name = dw_value_string(u, &f->dwo_name);
	u->has_low = dw_value_address(u, &f->low, &u->low);
	u->high = f->high.u;
	u->high_is_size = !dw_value_address(u, &f->high, &u->high);
	u->has_ranges = f->ranges.form != 0;
	u->ranges = f->ranges.u;
	u->ranges_form = f->ranges.form;
}

bool
dw_unit_open(struct dw_unit *u)
{
	const struct dw_abbrevs *t;
	const struct dw_abbrev *a;
	struct first f = { 0 };
	struct cp_bytes b;

	if (u->read)
		return u->version != 0;
	u->read = true;
	set_default_bases(u);
	if (u->version == 0)
		return false;
	if ((t = dw_abbrevs_of(u)) == NULL) {
		u->version = 0;
		u->file->dwarf->damaged = true;
		return false;
	}
	b = dw_unit_bytes(u, u->die);
	a = dw_abbrev(t, cp_bytes_uleb(&b));
	for (unsigned i = 0; a != NULL && i < a->specs && !b.failed; i++) {
		const struct dw_spec *s = &t->specs.data[a->spec + i];

		store_attribute(u, &f, s->name, dw_form_read(&b, s, u));
	}
	if (a == NULL || b.failed) {
		u->version = 0;
		u->file->dwarf->damaged = true;
		return false;
	}
	resolve_attributes(u, &f);
	return true;
}
