/* SPDX-License-Identifier: MIT */
/*
 * Abbreviations, compiled to short programs.
 *
 * A walk skips most DIEs.  How to skip one depends only on its abbreviation:
 * often it is a fixed number of bytes, else a few steps.  Neighbouring
 * attributes of fixed size become one step.
 */
#include "symbolize/dwarf/internal.h"

enum step {
	STEP_FIXED, /* argument: bytes */
	STEP_ULEB,
	STEP_TEXT,
	STEP_BLOCK, /* length as ULEB128, then the bytes */
	STEP_FORM,  /* argument: the form */
	STEP_GET,   /* argument: index of the spec */
};

#define STEP(op, arg) ((uint32_t)(arg) << 4 | (op))
#define MAX_STEP_ARG ((1u << 28) - 1)

static bool
has(const struct dw_abbrevs *t, const struct dw_abbrev *a, uint16_t name)
{
	for (unsigned i = 0; i < a->specs; i++)
		if (t->specs.data[a->spec + i].name == name)
			return true;
	return false;
}

/* The action for a DIE with children. */
static enum dw_action
parent_action(const struct dw_abbrevs *t, const struct dw_abbrev *a)
{
	switch (a->tag) {
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		/*
		 * GCC's range lists of blocks may end too early: an empty range
		 * at the start of the unit looks like the end of the list.
		 */
		return has(t, a, DW_AT_low_pc) && !has(t, a, DW_AT_ranges)
			   ? DW_CODE
			   : DW_BLOCK;
	case DW_TAG_namespace:
	case DW_TAG_module: return DW_SCOPE;
	case DW_TAG_subprogram:
		return has(t, a, DW_AT_declaration) ? DW_SHUT : DW_TREE;
	case DW_TAG_array_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
	case DW_TAG_GNU_template_parameter_pack:
	case DW_TAG_GNU_formal_parameter_pack: return DW_SHUT;
	default: return DW_TREE;
	}
}

static enum dw_action
action_of(const struct dw_abbrevs *t, const struct dw_abbrev *a)
{
	if ((a->tag == DW_TAG_subprogram ||
		a->tag == DW_TAG_inlined_subroutine) &&
	    (has(t, a, DW_AT_low_pc) || has(t, a, DW_AT_ranges)))
		return DW_CODE;
	return a->children ? parent_action(t, a) : DW_LEAF;
}

static bool
is_wanted(const struct dw_abbrev *a, uint16_t name)
{
	switch (name) {
	case DW_AT_sibling: return a->children;
	case DW_AT_low_pc:
	case DW_AT_high_pc:
	case DW_AT_ranges: return a->action == DW_CODE;
	default: return false;
	}
}

static uint32_t
step_of(uint16_t form)
{
	switch (form) {
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index: return STEP(STEP_ULEB, 0);
	case DW_FORM_string: return STEP(STEP_TEXT, 0);
	case DW_FORM_exprloc:
	case DW_FORM_block: return STEP(STEP_BLOCK, 0);
	default: return STEP(STEP_FORM, form);
	}
}

static void
add_step(struct dw_abbrevs *t, struct dw_abbrev *a, uint32_t step)
{
	*cp_vec_push(&t->steps) = step;
	a->steps++;
}

static void
compile(struct dw_abbrevs *t, struct dw_abbrev *a)
{
	uint32_t fixed = 0;

	a->action = (uint8_t)action_of(t, a);
	a->step = (uint32_t)t->steps.len;
	for (unsigned i = 0; i < a->specs; i++) {
		const struct dw_spec *s = &t->specs.data[a->spec + i];
		bool get = is_wanted(a, s->name);

		if (get && s->name == DW_AT_sibling) {
			a->has_sibling = true;
			if (a->steps == 0 && s->form == DW_FORM_ref4 &&
			    fixed < UINT8_MAX)
				a->sibling_at = (uint8_t)(fixed + 1);
		}
		if (!get && s->size >= 0) {
			fixed += (uint32_t)s->size;
			continue;
		}
		if (fixed != 0)
			add_step(t, a, STEP(STEP_FIXED, fixed));
		fixed = 0;
		add_step(
		    t, a, get ? STEP(STEP_GET, a->spec + i) : step_of(s->form));
	}
	a->is_fixed = a->steps == 0;
	a->fixed = fixed;
	if (fixed != 0 && !a->is_fixed)
		add_step(t, a, STEP(STEP_FIXED, fixed));
}

/* Sizes of the common forms in a unit: a table has thousands of attributes. */
#define FORMS 0x30
struct sizes {
	const struct dw_unit *unit;
	int8_t of[FORMS];
};

static struct sizes
sizes_in(const struct dw_unit *u)
{
	struct sizes z = { .unit = u };

	for (uint16_t form = 0; form < FORMS; form++)
		z.of[form] = (int8_t)dw_form_size(form, u);
	return z;
}

static bool
read_specs(struct dw_abbrevs *t, struct dw_abbrev *a, struct cp_bytes *b,
    const struct sizes *z)
{
	for (;;) {
		struct dw_spec s = { 0 };
		uint64_t name = cp_bytes_uleb(b), form = cp_bytes_uleb(b);

		if (b->failed || (name == 0 && form == 0))
			return !b->failed;
		s.name = (uint16_t)CP_MIN(name, UINT16_MAX);
		s.form = (uint16_t)CP_MIN(form, UINT16_MAX);
		s.size = s.form < FORMS ? z->of[s.form]
					: dw_form_size(s.form, z->unit);
		if (s.form == DW_FORM_implicit_const)
			s.constant = cp_bytes_sleb(b);
		/* Room for one step per attribute and one between two. */
		if (a->specs >= UINT16_MAX / 2 || t->specs.len >= MAX_STEP_ARG)
			return false;
		*cp_vec_push(&t->specs) = s;
		a->specs++;
	}
}

/* Adds an abbreviation whose code follows the last one's. */
static void
add_dense(struct dw_abbrevs *t, const struct dw_abbrev *a)
{
	bool small =
	    a->action == DW_LEAF && a->is_fixed && a->fixed < UINT8_MAX;

	*cp_vec_push(&t->leaves) = (uint8_t)(small ? a->fixed + 1 : 0);
	t->dense++;
}

static bool
read_table(struct dw_abbrevs *t, struct cp_bytes *b, const struct dw_unit *u)
{
	const struct sizes z = sizes_in(u);

	for (;;) {
		struct dw_abbrev a = { .spec = (uint32_t)t->specs.len };
		uint64_t code;

		/* The last table of a section may lack its terminator. */
		if (cp_bytes_left(b) == 0 || (code = cp_bytes_uleb(b)) == 0)
			return !b->failed;
		a.tag = dw_code(b);
		a.children = cp_bytes_u8(b) != 0;
		if (!read_specs(t, &a, b, &z) || t->all.len >= CP_MAX_ABBREVS)
			return false;
		compile(t, &a);
		*cp_vec_push(&t->all) = a;
		if (code == t->all.len && t->dense == code - 1)
			add_dense(t, &a);
		else
			*cp_map64_put(&t->others, code) = (uint32_t)t->all.len;
	}
}

void
dw_abbrevs_free(struct dw_abbrevs *t)
{
	cp_vec_free(&t->all);
	cp_vec_free(&t->specs);
	cp_vec_free(&t->steps);
	cp_vec_free(&t->leaves);
	cp_map64_free(&t->others);
	free(t);
}

struct dw_abbrevs *
dw_abbrevs_of(struct dw_unit *u)
{
	struct dw_file *f = u->file;
	uint64_t key;
	struct cp_bytes b;
	uint32_t *slot;

	if (u->abbrevs != NULL)
		return u->abbrevs;
	b = dw_section_at(f, DW_ABBREV, u->abbrev_at);
	if (b.failed)
		return NULL;
	key = u->abbrev_at << 8 | (uint64_t)(u->version == 2) << 7 |
	      (uint64_t)u->offset_size << 3 | u->addr_size / 2;
	slot = cp_map64_put(&f->abbrevs, key);
	if (*slot == 0) {
		struct dw_abbrevs *t = cp_xcalloc(1, sizeof(*t));

		/* Keeps the good start of a damaged table. */
		if (!read_table(t, &b, u) && t->all.len == 0)
			t->dense = 0;
		dw_spend(f->dwarf, t->specs.len + 1);
		*cp_vec_push(&f->tables) = t;
		*slot = (uint32_t)f->tables.len;
	}
	u->abbrevs = f->tables.data[*slot - 1];
	return u->abbrevs;
}

/* ------------------------------------------------------------- passing */

static void
get_high(struct cp_bytes *b, struct dw_unit *u, const struct dw_spec *s,
    struct dw_extent *e)
{
	struct dw_value v;

	switch (s->form) {
	case DW_FORM_data8: e->high = cp_bytes_u64(b); break;
	case DW_FORM_data4: e->high = cp_bytes_u32(b); break;
	default: v = dw_form_read(b, s, u); goto other;
	}
	e->has_high = e->high_is_size = true;
	return;
other:
	e->has_high = true;
	e->high_is_size = !dw_value_address(u, &v, &e->high);
	if (e->high_is_size)
		e->high = v.u;
}

static void
get(struct cp_bytes *b, struct dw_unit *u, const struct dw_spec *s,
    struct dw_extent *e)
{
	struct dw_value v;

	switch (s->name) {
	case DW_AT_sibling:
		if (CP_LIKELY(s->form == DW_FORM_ref4)) {
			e->sibling = u->start + cp_bytes_u32(b);
			return;
		}
		v = dw_form_read(b, s, u);
		e->sibling = v.u + (v.form != DW_FORM_ref_addr ? u->start : 0);
		return;
	case DW_AT_low_pc:
		if (CP_LIKELY(s->form == DW_FORM_addr && u->addr_size == 8)) {
			e->low = cp_bytes_u64(b);
			e->has_low = true;
			return;
		}
		v = dw_form_read(b, s, u);
		e->has_low = dw_value_address(u, &v, &e->low);
		return;
	case DW_AT_high_pc: get_high(b, u, s, e); return;
	case DW_AT_ranges:
		v = dw_form_read(b, s, u);
		e->ranges = v.u;
		e->ranges_form = v.form;
		e->has_ranges = true;
		return;
	}
}

static inline const uint8_t *
skip_uleb(const uint8_t *at, const uint8_t *end)
{
	while (at < end && (*at++ & 0x80) != 0)
		continue;
	return at;
}

/* Runs a step that is rare or needs the value.  False if it failed. */
static bool
pass_slowly(struct cp_bytes *b, struct dw_unit *u, const struct dw_abbrevs *t,
    uint32_t step, struct dw_extent *e)
{
	uint32_t arg = step >> 4;

	switch ((enum step)(step & 15)) {
	case STEP_FIXED: cp_bytes_take(b, arg); break;
	case STEP_ULEB: cp_bytes_uleb(b); break;
	case STEP_TEXT: cp_bytes_str(b); break;
	case STEP_BLOCK: cp_bytes_take(b, cp_bytes_uleb(b)); break;
	case STEP_FORM: dw_form_skip(b, (uint16_t)arg, u); break;
	case STEP_GET: get(b, u, &t->specs.data[arg], e); break;
	}
	return !b->failed;
}

void
dw_pass(struct cp_bytes *b, struct dw_unit *u, const struct dw_abbrevs *t,
    const struct dw_abbrev *a, struct dw_extent *e)
{
	const uint32_t *step, *last;
	const uint8_t *at = b->at, *end = b->end;

	if (a->is_fixed) {
		cp_bytes_take(b, a->fixed);
		return;
	}
	step = t->steps.data + a->step;
	for (last = step + a->steps; step < last; step++) {
		uint32_t op = *step & 15, arg = *step >> 4;

		if (op == STEP_FIXED && arg <= (size_t)(end - at)) {
			at += arg;
		} else if (op == STEP_ULEB && at < end && end[-1] < 0x80) {
			at = skip_uleb(at, end);
		} else {
			b->at = at;
			if (!pass_slowly(b, u, t, *step, e))
				return;
			at = b->at;
		}
	}
	b->at = at;
}
