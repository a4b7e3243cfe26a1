/* SPDX-License-Identifier: MIT */
/* Values of attributes: sizes, strings, addresses, references. */
#include "symbolize/dwarf/internal.h"

int
dw_form_size(uint16_t form, const struct dw_unit *u)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const: return 0;
	case DW_FORM_data1:
	case DW_FORM_flag:
	case DW_FORM_ref1:
	case DW_FORM_strx1:
	case DW_FORM_addrx1: return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2: return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3: return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4: return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8: return 8;
	case DW_FORM_data16: return 16;
	case DW_FORM_addr: return u->addr_size;
	case DW_FORM_ref_addr:
		return u->version == 2 ? u->addr_size : u->offset_size;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt: return u->offset_size;
	default: return -1;
	}
}

void
dw_form_skip(struct cp_bytes *b, uint16_t form, const struct dw_unit *u)
{
	const struct dw_spec s = { .form = form,
		.size = dw_form_size(form, u) };

	dw_form_read(b, &s, u);
}

/* Reads forms of variable size. */
static uint64_t
read_variable(struct cp_bytes *b, struct dw_value *v)
{
	switch (v->form) {
	case DW_FORM_sdata: return (uint64_t)cp_bytes_sleb(b);
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index: return cp_bytes_uleb(b);
	case DW_FORM_string: v->s = cp_bytes_str(b); return 0;
	case DW_FORM_exprloc:
	case DW_FORM_block: cp_bytes_take(b, cp_bytes_uleb(b)); return 0;
	case DW_FORM_block1: cp_bytes_take(b, cp_bytes_u8(b)); return 0;
	case DW_FORM_block2: cp_bytes_take(b, cp_bytes_u16(b)); return 0;
	case DW_FORM_block4: cp_bytes_take(b, cp_bytes_u32(b)); return 0;
	default: b->failed = true; return 0;
	}
}

static uint64_t
read_three(struct cp_bytes *b)
{
	const uint8_t *p = cp_bytes_take(b, 3);
	bool big = b->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	if (p == NULL)
		return 0;
	return big ? (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]
		   : (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

struct dw_value
dw_form_read(
    struct cp_bytes *b, const struct dw_spec *s, const struct dw_unit *u)
{
	struct dw_value v = { .form = s->form };
	int size = s->size;

	/* DWARF forbids a second DW_FORM_indirect. */
	if (CP_UNLIKELY(v.form == DW_FORM_indirect)) {
		v.form = dw_code(b);
		size = dw_form_size(v.form, u);
	}
	if (v.form == DW_FORM_implicit_const) {
		v.u = (uint64_t)s->constant;
		return v;
	}
	if (size < 0)
		v.u = read_variable(b, &v);
	else if (size == 0)
		v.u = 1; /* DW_FORM_flag_present */
	else if (size == 3)
		v.u = read_three(b);
	else if (size == 16)
		cp_bytes_take(b, 16);
	else
		v.u = dw_word(b, (unsigned)size);
	return v;
}

static const char *
string_at(struct dw_file *f, enum dw_section s, uint64_t at)
{
	const char *text;
	struct cp_bytes b;

	if (f == NULL)
		return NULL;
	b = dw_section_at(f, s, at);
	text = cp_bytes_str(&b);
	f->dwarf->damaged |= text == NULL;
	return text;
}

/* Returns the string of an entry in .debug_str_offsets. */
static const char *
string_of_index(struct dw_unit *u, uint64_t index)
{
	uint64_t at;
	struct cp_bytes b;

	if (__builtin_mul_overflow(index, u->offset_size, &at) ||
	    __builtin_add_overflow(at, u->str_base, &at))
		return NULL;
	b = dw_section_at(u->file, DW_STR_OFFSETS, at);
	at = dw_word(&b, u->offset_size);
	u->file->dwarf->damaged |= b.failed;
	return b.failed ? NULL : string_at(u->file, DW_STR, at);
}

const char *
dw_value_string(struct dw_unit *u, const struct dw_value *v)
{
	switch (v->form) {
	case DW_FORM_string: return v->s;
	case DW_FORM_strp: return string_at(u->file, DW_STR, v->u);
	case DW_FORM_line_strp: return string_at(u->file, DW_LINE_STR, v->u);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return string_at(dw_alt(u->file->dwarf), DW_STR, v->u);
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index: return string_of_index(u, v->u);
	default: return NULL;
	}
}

bool
dw_address_at(struct dw_unit *u, uint64_t index, uint64_t *out)
{
	/*
	 * Addresses of a split unit are in the main file, which the linker
	 * made.
	 */
	struct dw_unit *main = u->skeleton != NULL ? u->skeleton : u;
	struct cp_bytes b;
	uint64_t at;

	if (__builtin_mul_overflow(index, u->addr_size, &at) ||
	    __builtin_add_overflow(at, main->addr_base, &at))
		return false;
	b = dw_section_at(main->file, DW_ADDR, at);
	*out = dw_word(&b, u->addr_size);
	return !b.failed;
}

bool
dw_value_address(struct dw_unit *u, const struct dw_value *v, uint64_t *out)
{
	switch (v->form) {
	case DW_FORM_addr: *out = v->u; return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index: return dw_address_at(u, v->u, out);
	default: return false;
	}
}
