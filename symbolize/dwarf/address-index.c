/* SPDX-License-Identifier: MIT */
/*
 * Finds the unit of an address.
 *
 * .debug_aranges lists the ranges of units if the compiler wrote it (GCC does).
 * Ranges of other units come from their first DIE.
 */
#include "base/limits.h"
#include "symbolize/dwarf/internal.h"

static void
add(struct cp_dwarf *d, struct dw_unit *u, uint64_t lo, uint64_t hi)
{
	if (!dw_range_is_real(u, lo, hi))
		return;
	*cp_vec_push(&d->index) = (struct dw_range){ lo, hi, u };
	u->indexed = true;
}

/* Reads one set: the ranges of one unit. */
static void
read_set(struct cp_dwarf *d, struct cp_bytes b, const uint8_t *set,
    uint8_t offset_size)
{
	uint16_t version = cp_bytes_u16(&b);
	uint64_t at = dw_word(&b, offset_size);
	uint8_t size = cp_bytes_u8(&b), segment = cp_bytes_u8(&b);
	struct dw_unit *u;

	if (b.failed || version != 2 || segment != 0 ||
	    (size != 4 && size != 8))
		return;
	u = dw_unit_from(&d->main, DW_INFO, at);
	if (u == NULL || u->version == 0)
		return;
	/* Pairs are aligned to their size, relative to the set. */
	cp_bytes_take(&b, (size_t)(-(b.at - set)) & (2u * size - 1));
	for (;;) {
		uint64_t lo = dw_word(&b, size), n = dw_word(&b, size);

		if (b.failed || (lo == 0 && n == 0))
			return;
		add(d, u, lo, lo + n);
	}
}

static void
read_aranges(struct cp_dwarf *d)
{
	struct cp_bytes b = dw_section(&d->main, DW_ARANGES);

	while (!b.failed && cp_bytes_left(&b) != 0) {
		const uint8_t *set = b.at;
		uint8_t offset_size;
		uint64_t n = dw_length(&b, &offset_size);
		const uint8_t *in = cp_bytes_take(&b, (size_t)n);

		if (in != NULL)
			read_set(d, cp_bytes_of(in, (size_t)n, b.swap), set,
			    offset_size);
	}
}

static void
read_unit(struct cp_dwarf *d, struct dw_unit *u)
{
	if (u->indexed || u->kind == DW_UT_type || !dw_unit_open(u))
		return;
	if (u->has_ranges) {
		d->scratch.len = 0;
		if (!dw_range_list(u, u->ranges_form, u->ranges, &d->scratch))
			d->damaged = true;
		for (size_t i = 0; i < d->scratch.len; i++)
			add(d, u, d->scratch.data[i].lo, d->scratch.data[i].hi);
	} else if (u->has_low) {
		add(d, u, u->low, u->high_is_size ? u->low + u->high : u->high);
	}
}

static int
by_address(const void *a, const void *b)
{
	const struct dw_range *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	if (x->hi != y->hi)
		return x->hi > y->hi ? -1 : 1;
	if (x->unit->start != y->unit->start)
		return x->unit->start < y->unit->start ? 1 : -1;
	/* A unit may say the same twice. */
	return 0;
}

static bool
is_sorted(const struct cp_dwarf *d)
{
	for (size_t i = 1; i < d->index.len; i++)
		if (d->index.data[i - 1].lo >= d->index.data[i].lo)
			return false;
	return true;
}

void
dw_index_build(struct cp_dwarf *d)
{
	if (d->indexed)
		return;
	d->indexed = true;
	dw_units_read(&d->main);
	read_aranges(d);
	for (size_t i = 0; i < d->main.units.len; i++)
		read_unit(d, d->main.units.data[i]);
	if (!is_sorted(d))
		qsort(d->index.data, d->index.len, sizeof(*d->index.data),
		    by_address);
}

struct dw_unit *
dw_index_find(const struct cp_dwarf *d, uint64_t addr, size_t *hint)
{
	const struct dw_range *r = d->index.data;
	size_t lo = *hint, hi = d->index.len;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r[mid].lo <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	*hint = lo;
	for (size_t i = lo; i > 0 && lo - i < CP_MAX_OVERLAPS; i--)
		if (addr < r[i - 1].hi)
			return r[i - 1].unit;
	return NULL;
}
