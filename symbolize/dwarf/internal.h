/* SPDX-License-Identifier: MIT */
/*
 * symbolize/dwarf/internal.h: shared by the parts of the DWARF reader: files,
 * units, abbreviations, attribute values.
 *
 * The parts from the bottom up: file, form, abbrev, range, unit, reference,
 * split, address-index; then name, line, line-program, inline-walk; dwarf.c
 * uses them all, parallel.c in several threads.  No part calls a later one in
 * this list.
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

/* What a walk does with a DIE. */
enum dw_action {
	DW_LEAF,  /* skip it: no children */
	DW_SHUT,  /* skip it: its children never have code */
	DW_TREE,  /* a type: its children rarely have code */
	DW_SCOPE, /* a namespace */
	DW_CODE,  /* a function, inlined function or block, with ranges */
	DW_BLOCK, /* a block without usable ranges */
};

struct dw_abbrev {
	uint32_t spec, step; /* index of its first spec and step */
	/* size in bytes if all attributes have fixed size */
	uint32_t fixed;
	uint16_t specs, steps;
	uint16_t tag;
	uint8_t action; /* enum dw_action */
	bool children;
	bool has_sibling;
	bool is_fixed;
	/*
	 * Offset + 1 of DW_AT_sibling after the code, if it is a ref4 and the
	 * attributes before it have fixed size; else 0.
	 */
	uint8_t sibling_at;
};

/* The abbreviations of units with equal address and offset sizes. */
struct dw_abbrevs {
	/* the first `dense` have the codes 1, 2, 3 ... */
	CP_VEC(struct dw_abbrev) all;
	CP_VEC(struct dw_spec) specs;
	CP_VEC(uint32_t) steps; /* how to skip a DIE, see abbrev.c */
	size_t dense;
	/* per dense code: size + 1 of a childless fixed-size DIE */
	CP_VEC(uint8_t) leaves;
	struct cp_map64 others; /* code -> index + 1 */
};

struct dw_lines;
struct dw_file;

struct dw_unit {
	struct dw_file *file;
	uint64_t start, die, end; /* offsets in the section */
	uint64_t abbrev_at;
	uint64_t signature; /* of a type unit; or the DWO id */
	uint64_t type_die;  /* offset of the type in a type unit */
	uint8_t version, kind, addr_size, offset_size;
	uint8_t section; /* DW_INFO or DW_TYPES */
	bool damaged;    /* its header cannot be read */
	/* the first DIE was read: the fields below are valid */
	bool read;
	bool has_low, has_ranges, has_lines, has_id;
	uint16_t language;
	uint16_t ranges_form;
	uint64_t low, high, ranges, stmt_list;
	bool high_is_size;
	uint64_t str_base, addr_base, rnglists_base, ranges_base;
	/* Split units: offsets that the package's index adds. */
	uint64_t str_add, rnglists_add, line_add;
	const char *name, *dir, *dwo_name;
	struct dw_abbrevs *abbrevs;
	struct dw_unit *skeleton; /* the skeleton of a split unit */
	struct dw_unit *split;    /* the split unit of a skeleton, once found */
	bool split_tried;
	struct dw_lines *lines;
	bool indexed;         /* its ranges are in the index */
	uint32_t first, last; /* the requested addresses in it, see dwarf.c */
	/* Top-level DIEs with children, recorded by a walk. */
	CP_VEC(uint64_t) tops;
};

struct dw_file {
	struct cp_dwarf *dwarf;
	const struct cp_elf *elf;
	struct cp_elf own; /* the file if the reader owns it */
	uint16_t number;   /* unique among the reader's files */
	bool dwo;          /* section names end in .dwo */
	bool swap;
	bool loaded[DW_SECTIONS];
	struct cp_bytes section[DW_SECTIONS];
	bool units_read, types_read;
	CP_VEC(struct dw_unit *) units; /* sorted by section and offset */
	/* abbrev offset and sizes -> index + 1 */
	struct cp_map64 abbrevs;
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
	CP_VEC(struct dw_file *) others; /* alt, dwp and dwo files */
	struct dw_file *alt, *dwp;
	bool alt_tried, dwp_tried;
	dw_ranges index; /* sorted by address */
	bool indexed;
	struct cp_strings strings;
	struct cp_map64 names; /* DIE -> name, see name.c */
	struct cp_arena arena;
	dw_ranges scratch;
	/*
	 * Limit of steps per look-up, and the rest of it; 0: every read fails.
	 */
	uint64_t allowed, budget;
	struct cp_map64 types; /* signature -> index of its unit + 1 */
	CP_VEC(struct dw_unit *) type_units;
	bool relocatable;
	bool incomplete;     /* a split or supplementary file was not found */
	bool damaged;        /* something that a look-up needs cannot be read */
	const char *missing; /* the first split file that was not found */
	/* inlined functions beyond the maximum depth are missing */
	bool too_deep;
	bool alone; /* must not call the callbacks: gives up instead */
	/* gave up: must be done by one reader, see parallel.c */
	bool together;
	struct cp_map64 md5_of; /* path of a source file -> index in md5s + 1 */
	CP_VEC(struct dw_md5) md5s;
	struct cp_strings roots; /* folders of compilation */
};

/* Charges the budget.  False when the file asks for too much work. */
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

/*
 * Keeps a name.  Names may overlap in the file's strings, so that any number of
 * them are huge: charges its bytes here, in inlines/ and as they are shown.
 */
static inline cp_string_id
dw_keep(struct cp_dwarf *d, const char *name)
{
	size_t n = strnlen(name, CP_MAX_DEMANGLED);

	return dw_spend(d, 3 * n) ? cp_strings_addn(&d->strings, name, n) : 0;
}

/* ------------------------------------------------------------- numbers */

/* Reads a ULEB128 code; too large ones become an unknown one. */
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

/* Reads an unsigned number of 1 to 8 bytes. */
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

/* Reads the length of a unit or table, which tells the size of offsets. */
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
/* Returns the whole section; failed and empty if there is none. */
struct cp_bytes dw_section(struct dw_file *, enum dw_section);
/* Returns the section from an offset on; failed if that is outside. */
struct cp_bytes dw_section_at(struct dw_file *, enum dw_section, uint64_t at);
/* Returns the supplementary file (dwz); NULL if there is none. */
struct dw_file *dw_alt(struct cp_dwarf *);

/* unit.c */
/* Reads the unit headers of .debug_info, once. */
void dw_units_read(struct dw_file *);
/* Reads the unit's first DIE, once.  False if it is damaged. */
bool dw_unit_open(struct dw_unit *);
/* Returns the unit that contains that offset, or NULL. */
struct dw_unit *dw_unit_at(struct dw_file *, enum dw_section, uint64_t);
/* Returns the unit that begins at that offset, or NULL. */
struct dw_unit *dw_unit_from(struct dw_file *, enum dw_section, uint64_t);
/* Returns the type unit of a signature, or NULL. */
struct dw_unit *dw_unit_of_type(struct dw_file *, uint64_t signature);
/* Returns a cursor at a DIE, bounded by its unit. */
struct cp_bytes dw_unit_bytes(const struct dw_unit *, uint64_t die);

/* split.c: returns the split unit of a skeleton, else the unit itself. */
struct dw_unit *dw_unit_full(struct dw_unit *);
void dw_split_each(struct cp_dwarf *, cp_dwarf_split_fn, void *ctx);

/* ---------------------------------------------- abbreviations, values */

/* abbrev.c */
/* Returns NULL if the table is damaged. */
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

/* The attributes of a code DIE that a walk needs. */
struct dw_extent {
	/* sibling is an offset in the section */
	uint64_t low, high, ranges, sibling;
	bool has_low, has_high, has_ranges, high_is_size;
	uint16_t ranges_form;
};
/* Skips the attributes of a DIE and collects its extent. */
void dw_pass(struct cp_bytes *, struct dw_unit *, const struct dw_abbrevs *,
    const struct dw_abbrev *, struct dw_extent *);

/* form.c */
struct dw_value {
	uint16_t form; /* the final form: DW_FORM_indirect is resolved */
	uint64_t u;    /* number, offset or index */
	const char *s; /* the text of DW_FORM_string */
};
/* The size of a form if it is fixed within the unit; else -1. */
int dw_form_size(uint16_t form, const struct dw_unit *);
void dw_form_skip(struct cp_bytes *, uint16_t form, const struct dw_unit *);
struct dw_value dw_form_read(
    struct cp_bytes *, const struct dw_spec *, const struct dw_unit *);
const char *dw_value_string(struct dw_unit *, const struct dw_value *);
bool dw_value_address(struct dw_unit *, const struct dw_value *, uint64_t *);
bool dw_address_at(struct dw_unit *, uint64_t index, uint64_t *out);

/* reference.c: finds the DIE of a reference.  False: there is none. */
struct dw_die {
	struct dw_unit *unit;
	uint64_t at;
};
bool dw_value_die(
    struct dw_unit *, const struct dw_value *, struct dw_die *out);

/* range.c: appends the ranges of a list.  False if it is damaged. */
bool dw_range_list(
    struct dw_unit *, uint16_t form, uint64_t value, dw_ranges *out);
/* False for ranges of code that the linker dropped. */
bool dw_range_is_real(const struct dw_unit *, uint64_t lo, uint64_t hi);

/* address-index.c: finds the unit of an address. */
void dw_index_build(struct cp_dwarf *);
/* Returns the unit or NULL.  *hint starts at 0; addresses must ascend. */
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
/* Finds the line table rows of n ascending addresses. */
void dw_lines_rows(
    struct dw_unit *, const uint64_t *addr, size_t n, struct dw_row *out);
/* Path of a file in the unit's line table; 0: none. */
cp_string_id dw_lines_file(struct dw_unit *, uint64_t index);
void dw_lines_drop(struct dw_unit *);
/* Remembers the folders that the unit was compiled in. */
void dw_remember_root(struct cp_dwarf *, const struct dw_unit *);
/* Remembers the first MD5 of each file. */
void dw_remember_md5(struct cp_dwarf *, cp_string_id file, const uint8_t *md5);

/* inline-walk.c */
/* a function or inlined function that covers a requested address */
struct dw_node {
	struct dw_die die;
	uint32_t parent; /* index + 1; 0: the node is the function */
	uint32_t depth;
	bool known; /* the fields below are filled in */
	struct dw_name name;
	cp_string_id call_file;
	uint32_t call_line, call_column;
};
struct dw_walk {
	const uint64_t *addr; /* ascending */
	size_t n;
	size_t left;    /* addresses not in any function yet */
	uint32_t *leaf; /* per address: index + 1 of its node */
	CP_VEC(struct dw_node) nodes;
	CP_VEC(uint32_t) open; /* per depth: node + 1 of the DIE being read */
};
/* Walks a unit.  all: every DIE; else only where functions usually are. */
void dw_walk_unit(struct dw_walk *, struct dw_unit *, bool all);

#endif
