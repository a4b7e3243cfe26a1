/* SPDX-License-Identifier: MIT */
/*
 * symbolize/dwarf/internal.h: what the parts of the DWARF reader share: files,
 * units, abbreviations, attribute values.
 *
 * From what is basic to what is built on it: file, form, abbrev, range, unit,
 * reference, split, address-index; then name, line, line-program, inline-walk;
 * dwarf.c asks them all, parallel.c in several threads.  No file calls one
 * that comes after it in this list.
 */
#ifndef CP_SYMBOLIZE_DWARF_INTERNAL_H
#define CP_SYMBOLIZE_DWARF_INTERNAL_H

#include "base/hash.h"
#include "base/leb128.h"
#include "base/limits.h"
#include "base/strings.h"
#include "symbolize/dwarf/answer.h"
#include "symbolize/dwarf/constants.h"
#include "symbolize/elf/section-data.h"

enum dw_section {
	DW_INFO,
	DW_TYPES,
	DW_ABBREV,
	DW_STR,
	DW_LINE,
	DW_LINE_STR,
	DW_RANGES,
	DW_RNGLISTS,
	DW_ADDR,
	DW_STR_OFFSETS,
	DW_ARANGES,
	DW_CU_INDEX,
	DW_TU_INDEX,
	DW_SECTIONS
};

/* One attribute in an abbreviation. */
struct dw_spec {
	uint16_t name, form;
	int32_t size;     /* bytes of the form, or -1 */
	int64_t constant; /* DW_FORM_implicit_const */
};

/* What a walk does with an entry. */
enum dw_action {
	DW_LEAF,  /* nothing: it has no children */
	DW_SHUT,  /* children that never hold code */
	DW_TREE,  /* children that hold code only seldom: types */
	DW_SCOPE, /* a namespace */
	DW_CODE,  /* a function, an inlined one or a block, with its range */
	DW_BLOCK, /* a block that does not say where it is */
};

struct dw_abbrev {
	uint32_t spec, step; /* first of its specs and steps */
	uint32_t fixed;      /* bytes, if that is all of its plan */
	uint16_t specs, steps;
	uint16_t tag;
	uint8_t action; /* enum dw_action */
	bool children;
	bool has_sibling;
	bool is_fixed;
	/* Where DW_AT_sibling is, + 1, if it is a ref4 and what is before it
	 * is fixed; counted from behind the code. */
	uint8_t sibling_at;
};

/* The abbreviations of units that agree on sizes. */
struct dw_abbrevs {
	CP_VEC(struct dw_abbrev) all; /* the first `dense` have codes 1... */
	CP_VEC(struct dw_spec) specs;
	CP_VEC(uint32_t) steps; /* how to pass an entry, abbrev.c */
	size_t dense;
	CP_VEC(uint8_t) leaves; /* of the dense: bytes + 1 of fixed leaves */
	struct cp_map64 others; /* code -> index + 1 */
};

struct dw_lines;
struct dw_file;

struct dw_unit {
	struct dw_file *file;
	uint64_t start, die, end; /* offsets in its section */
	uint64_t abbrev_at;
	uint64_t signature; /* of a type unit, or the id of a split one */
	uint64_t type_die;  /* offset of the type in a type unit */
	uint8_t version, kind, addr_size, offset_size;
	uint8_t section; /* DW_INFO or DW_TYPES */
	bool read;       /* what follows is known */
	bool has_low, has_ranges, has_lines, has_id;
	uint16_t language;
	uint16_t ranges_form;
	uint64_t low, high, ranges, stmt_list;
	bool high_is_size;
	uint64_t str_base, addr_base, rnglists_base, ranges_base;
	/* Of a split unit: what its package adds to offsets. */
	uint64_t str_add, rnglists_add, line_add;
	const char *name, *dir, *dwo_name;
	struct dw_abbrevs *abbrevs;
	struct dw_unit *skeleton; /* of a split unit */
	struct dw_unit *split;    /* of a skeleton, when found */
	bool split_tried;
	struct dw_lines *lines;
	bool indexed;         /* its addresses are known */
	uint32_t first, last; /* addresses asked for, see dwarf.c */
	/* Entries at the top that have children, seen by a walk. */
	CP_VEC(uint64_t) tops;
};

struct dw_file {
	struct cp_dwarf *dwarf;
	const struct cp_elf *elf;
	struct cp_elf own; /* if it was opened for us */
	uint16_t number;   /* unique */
	bool dwo;          /* sections are named .dwo */
	bool swap;
	bool loaded[DW_SECTIONS];
	struct cp_bytes section[DW_SECTIONS];
	bool units_read, types_read;
	CP_VEC(struct dw_unit *) units; /* by section and offset */
	struct cp_map64 abbrevs;        /* offset and sizes -> index + 1 */
	CP_VEC(struct dw_abbrevs *) tables;
};

struct dw_range {
	uint64_t lo, hi;
	struct dw_unit *unit;
};
typedef CP_VEC(struct dw_range) dw_ranges;

struct dw_md5 {
	uint8_t sum[16];
};

struct cp_dwarf {
	struct dw_file main;
	struct cp_dwarf_files files;
	CP_VEC(struct dw_file *) others; /* alt, dwp, dwo */
	struct dw_file *alt, *dwp;
	bool alt_tried, dwp_tried;
	dw_ranges index; /* by address */
	bool indexed;
	struct cp_strings strings;
	struct cp_map64 names; /* entry -> name, see name.c */
	struct cp_arena arena;
	dw_ranges scratch;
	/* Steps that hostile input may cost a look-up, and what is left of
	 * them; 0: everything fails. */
	uint64_t allowed, budget;
	struct cp_map64 types; /* signature -> unit of the list + 1 */
	CP_VEC(struct dw_unit *) type_units;
	bool relocatable;
	bool incomplete; /* a file was not found */
	bool too_deep;   /* innermost functions of the look-up are left out */
	bool alone;      /* has to do without, and else gives up */
	bool together;   /* not in parts: see parallel.c */
	struct cp_map64 md5_of; /* path of a source -> md5s + 1 */
	CP_VEC(struct dw_md5) md5s;
};

/* False when the input asks for more work than its size justifies. */
static inline bool
dw_spend(struct cp_dwarf *d, uint64_t steps)
{
	if (CP_UNLIKELY(steps >= d->budget)) {
		d->budget = 0;
		return false;
	}
	d->budget -= steps;
	return true;
}

/* ------------------------------------------------------------- numbers */

/* A number that is known only if it is small. */
static inline uint16_t
dw_code(struct cp_bytes *b)
{
	uint64_t v = cp_bytes_uleb(b);

	return v < UINT16_MAX ? (uint16_t)v : UINT16_MAX;
}

static inline uint8_t
dw_version(struct cp_bytes *b)
{
	uint16_t v = cp_bytes_u16(b);

	return v < UINT8_MAX ? (uint8_t)v : UINT8_MAX;
}

/* Unsigned, of 1 to 8 bytes. */
static inline uint64_t
dw_word(struct cp_bytes *b, unsigned size)
{
	switch (size) {
	case 1: return cp_bytes_u8(b);
	case 2: return cp_bytes_u16(b);
	case 4: return cp_bytes_u32(b);
	case 8: return cp_bytes_u64(b);
	default: b->failed = true; return 0;
	}
}

/* The length of a unit or table: sets the size of its offsets. */
static inline uint64_t
dw_length(struct cp_bytes *b, uint8_t *offset_size)
{
	uint32_t n = cp_bytes_u32(b);

	*offset_size = 4;
	if (n < 0xfffffff0u)
		return n;
	if (n != 0xffffffffu)
		b->failed = true;
	*offset_size = 8;
	return cp_bytes_u64(b);
}

/* ------------------------------------------------ files and units */

/* file.c */
void dw_file_init(struct dw_file *, struct cp_dwarf *, const struct cp_elf *);
struct dw_file *dw_file_add(struct cp_dwarf *, struct cp_elf *, bool dwo);
/* The whole section; empty and failed if there is none. */
struct cp_bytes dw_section(struct dw_file *, enum dw_section);
/* A section from an offset on; failed if that is outside. */
struct cp_bytes dw_section_at(struct dw_file *, enum dw_section, uint64_t at);
/* The supplementary file; NULL if there is none. */
struct dw_file *dw_alt(struct cp_dwarf *);

/* unit.c */
/* Reads the headers of the units of .debug_info, once. */
void dw_units_read(struct dw_file *);
/* Reads the unit's first entry, once; false if it is damaged. */
bool dw_unit_open(struct dw_unit *);
/* The unit that has an entry at that offset; NULL if there is none. */
struct dw_unit *dw_unit_at(struct dw_file *, enum dw_section, uint64_t);
/* The unit that begins there, or NULL. */
struct dw_unit *dw_unit_from(struct dw_file *, enum dw_section, uint64_t);
/* The type unit of a signature, or NULL. */
struct dw_unit *dw_unit_of_type(struct dw_file *, uint64_t signature);
/* A cursor at an entry, bounded by its unit. */
struct cp_bytes dw_unit_bytes(const struct dw_unit *, uint64_t die);

/* split.c: the split unit of a skeleton, or itself. */
struct dw_unit *dw_unit_full(struct dw_unit *);
void dw_split_each(struct cp_dwarf *, cp_dwarf_split_fn, void *ctx);

/* ---------------------------------------------- abbreviations, values */

/* abbrev.c */
/* NULL if they are damaged. */
struct dw_abbrevs *dw_abbrevs_of(struct dw_unit *);
void dw_abbrevs_free(struct dw_abbrevs *);

static inline const struct dw_abbrev *
dw_abbrev(const struct dw_abbrevs *t, uint64_t code)
{
	uint32_t i;

	if (CP_LIKELY(code - 1 < t->dense))
		return &t->all.data[code - 1];
	i = cp_map64_get(&t->others, code);
	return i != 0 ? &t->all.data[i - 1] : NULL;
}

/* What a walk wants to know of an entry with code. */
struct dw_extent {
	uint64_t low, high, ranges, sibling; /* sibling: offset in section */
	bool has_low, has_high, has_ranges, high_is_size;
	uint16_t ranges_form;
};
/* Passes the attributes of an entry. */
void dw_pass(struct cp_bytes *, struct dw_unit *, const struct dw_abbrevs *,
    const struct dw_abbrev *, struct dw_extent *);

/* form.c */
struct dw_value {
	uint16_t form; /* the real one: indirect is followed */
	uint64_t u;    /* number, offset, index */
	const char *s; /* DW_FORM_string */
};
/* Bytes of a form if they are the same in the whole unit; else -1. */
int dw_form_size(uint16_t form, const struct dw_unit *);
void dw_form_skip(struct cp_bytes *, uint16_t form, const struct dw_unit *);
struct dw_value dw_form_read(
    struct cp_bytes *, const struct dw_spec *, const struct dw_unit *);
const char *dw_value_string(struct dw_unit *, const struct dw_value *);
bool dw_value_address(struct dw_unit *, const struct dw_value *, uint64_t *);
bool dw_address_at(struct dw_unit *, uint64_t index, uint64_t *out);

/* reference.c: where a reference leads; false if nowhere. */
struct dw_die {
	struct dw_unit *unit;
	uint64_t at;
};
bool dw_value_die(
    struct dw_unit *, const struct dw_value *, struct dw_die *out);

/* range.c: adds the ranges of a list; false if it is damaged. */
bool dw_range_list(
    struct dw_unit *, uint16_t form, uint64_t value, dw_ranges *out);
/* Whether code can be there: linkers leave marks where they dropped some. */
bool dw_range_is_real(const struct dw_unit *, uint64_t lo, uint64_t hi);

/* address-index.c: address -> unit. */
void dw_index_build(struct cp_dwarf *);
/* The unit or NULL; the hint is 0 at first, and addresses ascend. */
struct dw_unit *dw_index_find(
    const struct cp_dwarf *, uint64_t addr, size_t *hint);

/* -------------------------------------------------------------- look-up */

/* name.c */
struct dw_name {
	cp_string_id text;
	bool linkage;
};
struct dw_name dw_name_of(struct cp_dwarf *, struct dw_die);

/* line.c */
struct dw_row {
	uint32_t file, line, column;
	bool found;
};
/* The rows of n ascending addresses. */
void dw_lines_rows(
    struct dw_unit *, const uint64_t *addr, size_t n, struct dw_row *out);
/* Path of a file of the unit's line table; 0 if there is none. */
cp_string_id dw_lines_file(struct dw_unit *, uint64_t index);
void dw_lines_drop(struct dw_unit *);
/* The first one that is said of a file counts. */
void dw_remember_md5(struct cp_dwarf *, cp_string_id file, const uint8_t *md5);

/* inline-walk.c */
struct dw_node { /* a function or an inlined one, hit by an address */
	struct dw_die die;
	uint32_t parent; /* number + 1; 0: the function itself */
	uint32_t depth;
	bool known; /* what follows is filled in */
	struct dw_name name;
	cp_string_id call_file;
	uint32_t call_line, call_column;
};
struct dw_walk {
	const uint64_t *addr; /* ascending */
	size_t n;
	size_t left;    /* in no function yet */
	uint32_t *leaf; /* by address: number of the node + 1 */
	CP_VEC(struct dw_node) nodes;
	CP_VEC(uint32_t) open; /* by depth: node + 1 that is being read */
};
/* all: look into everything; else where functions usually are. */
void dw_walk_unit(struct dw_walk *, struct dw_unit *, bool all);

#endif
