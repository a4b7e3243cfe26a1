/* SPDX-License-Identifier: MIT */
/*
 * Address range lists: .debug_ranges up to DWARF 4, .debug_rnglists since.
 */
#include "symbolize/dwarf/internal.h"

struct list {
	struct dw_unit *unit;
	struct cp_bytes b;
	uint64_t base;
	dw_ranges *out;
};

static uint64_t
highest(const struct dw_unit *u)
{
	return u->addr_size == 8   ? UINT64_MAX
	       : u->addr_size == 4 ? UINT32_MAX
				   : UINT16_MAX;
}

bool
dw_range_is_real(const struct dw_unit *u, uint64_t lo, uint64_t hi)
{
	/*
	 * The linker dropped code at 0 (GNU), at -1 (LLVM), or at -2 (LLVM,
	 * where -1 has another meaning).
	 */
	return lo < hi && lo < highest(u) - 1 &&
	       (lo != 0 || u->file->dwarf->relocatable);
}

static void
add(struct list *l, uint64_t lo, uint64_t hi)
{
	/* Charges memory: any number of units may have the same list. */
	if (dw_range_is_real(l->unit, lo, hi) &&
	    dw_spend(l->unit->file->dwarf, sizeof(struct dw_range)))
		*cp_vec_push(l->out) = (struct dw_range){ lo, hi, l->unit };
}

static uint64_t
address(struct list *l)
{
	return dw_word(&l->b, l->unit->addr_size);
}

static uint64_t
indexed(struct list *l)
{
	uint64_t a = 0;

	if (!dw_address_at(l->unit, cp_bytes_uleb(&l->b), &a))
		l->b.failed = true;
	return a;
}

/* Pairs up to two zeros.  A pair that begins with -1 sets the base. */
static bool
read_pairs(struct list *l)
{
	while (!l->b.failed && dw_spend(l->unit->file->dwarf, 1)) {
		uint64_t lo = address(l), hi = address(l);

		if (l->b.failed || (lo == 0 && hi == 0))
			break;
		if (lo == highest(l->unit))
			l->base = hi;
		else
			add(l, l->base + lo, l->base + hi);
	}
	return !l->b.failed;
}

/* Reads one entry.  False at the end of the list. */
static bool
read_entry(struct list *l)
{
	uint64_t lo, hi;

	switch (cp_bytes_u8(&l->b)) {
	case DW_RLE_end_of_list: return false;
	case DW_RLE_base_addressx: l->base = indexed(l); return true;
	case DW_RLE_base_address: l->base = address(l); return true;
	case DW_RLE_startx_endx:
		lo = indexed(l);
		hi = indexed(l);
		break;
	case DW_RLE_startx_length:
		lo = indexed(l);
		hi = lo + cp_bytes_uleb(&l->b);
		break;
	case DW_RLE_offset_pair:
		lo = l->base + cp_bytes_uleb(&l->b);
		hi = l->base + cp_bytes_uleb(&l->b);
		/* A dropped base means dropped code. */
		if (!dw_range_is_real(l->unit, l->base, UINT64_MAX))
			return true;
		break;
	case DW_RLE_start_end:
		lo = address(l);
		hi = address(l);
		break;
	case DW_RLE_start_length:
		lo = address(l);
		hi = lo + cp_bytes_uleb(&l->b);
		break;
	default: l->b.failed = true; return false;
	}
	if (!l->b.failed)
		add(l, lo, hi);
	return true;
}

/* Finds the offset of a list in .debug_rnglists. */
static bool
list_offset(struct dw_unit *u, uint16_t form, uint64_t *value)
{
	struct cp_bytes b;
	uint64_t at;

	if (form != DW_FORM_rnglistx) {
		*value += u->rnglists_add;
		return true;
	}
	if (__builtin_mul_overflow(*value, u->offset_size, &at) ||
	    __builtin_add_overflow(at, u->rnglists_base, &at))
		return false;
	b = dw_section_at(u->file, DW_RNGLISTS, at);
	*value = dw_word(&b, u->offset_size) + u->rnglists_base;
	return !b.failed;
}

bool
dw_range_list(struct dw_unit *u, uint16_t form, uint64_t value, dw_ranges *out)
{
	struct dw_unit *main = u->skeleton != NULL ? u->skeleton : u;
	struct list l = { .unit = u, .base = main->low, .out = out };

	if (u->version >= 5) {
		if (!list_offset(u, form, &value))
			return false;
		l.b = dw_section_at(u->file, DW_RNGLISTS, value);
		while (!l.b.failed && dw_spend(l.unit->file->dwarf, 1))
			if (!read_entry(&l))
				break;
		return !l.b.failed;
	}
	if (u->skeleton != NULL)
		value += main->ranges_base;
	l.b = dw_section_at(main->file, DW_RANGES, value);
	return read_pairs(&l);
}
