/* SPDX-License-Identifier: MIT */
/*
 * symbolize/golang/pclntab.h: what Go's runtime keeps of a program for itself
 * (.gopclntab), and no stripping takes away: functions, the size of their
 * frames, and from Go 1.18 on inlined calls and lines.
 *
 * The table is read where it is mapped; it has had four layouts so far (Go
 * 1.2, 1.16, 1.18, 1.20).  It may lie: whatever it holds, an answer comes out
 * or none, in bounded time.  Once made it does not change, and any thread may
 * ask it.
 */
#ifndef CP_SYMBOLIZE_GOLANG_PCLNTAB_H
#define CP_SYMBOLIZE_GOLANG_PCLNTAB_H

#include "symbolize/cfi/cfi.h"
#include "symbolize/dwarf/dwarf.h"
#include "symbolize/elf/symbols.h"

enum cp_go_layout { CP_GO_2 = 2, CP_GO_16 = 16, CP_GO_18 = 18, CP_GO_20 = 20 };

struct cp_gotab {
	const struct cp_elf *elf;
	uint64_t addr; /* of the table */
	const uint8_t *start;
	uint8_t layout, quantum, word;
	struct cp_bytes names, units, files, values, functions;
	const uint8_t *index; /* (address, place of the function) of each */
	uint8_t *copy;        /* what index is in, if it was relocated */
	size_t n;             /* functions */
	uint64_t text;        /* what addresses count from, or 0 */
	uint64_t calls;       /* what inlined calls count from; 0: none known */
};

struct cp_go_name {
	uint64_t start, end; /* addresses of the image */
	const char *name;    /* ends with a NUL; "" if it has none */
};

/* One function. */
struct cp_go_function {
	uint64_t start, end;        /* addresses of the image */
	const char *name;           /* ends with a NUL; "" if it has none */
	bool outermost;             /* nobody calls it */
	uint32_t frame, file, line; /* tables of values: their places, or 0 */
	uint32_t inlined;           /* the same of the inlined calls' numbers */
	uint64_t tree;              /* address of these; 0: there are none */
	uint32_t unit;              /* whose files are meant */
};

/* False: it has no such table. */
bool cp_gotab_init(struct cp_gotab *, const struct cp_elf *);
void cp_gotab_free(struct cp_gotab *);

/* False: the index or what it leads to is broken. */
bool cp_gotab_name(const struct cp_gotab *, size_t i, struct cp_go_name *);
bool cp_gotab_function(
    const struct cp_gotab *, size_t i, struct cp_go_function *);
/* The function at an address; false: there is none. */
bool cp_gotab_find(
    const struct cp_gotab *, uint64_t addr, struct cp_go_function *);
/* Does it speak of all code of the file? */
bool cp_gotab_covers(const struct cp_gotab *);
/*
 * What a table of values has for an address of the function.  *steps is what
 * may be read yet; false: nothing, or the steps are used up.
 */
bool cp_gotab_value(const struct cp_gotab *, const struct cp_go_function *,
    uint32_t table, uint64_t addr, uint64_t *steps, int32_t *out);

/* gomodule.c: finds .text and .calls. */
void cp_gotab_place(struct cp_gotab *);
/* A copy with the addresses in it as the loader would set them, or NULL. */
uint8_t *cp_gotab_relocated(
    const struct cp_elf *, uint64_t addr, const uint8_t *, size_t);

/* gosym.c: adds the functions that have no symbol. */
void cp_gotab_add_names(
    struct cp_symtab *, const struct cp_gotab *, const struct cp_elf_view *);

/* gorow.c: the row at an address, as in cfi.h. */
bool cp_gotab_row(const struct cp_gotab *, const struct cp_arch *,
    uint64_t addr, struct cp_cfi_row *, uint32_t *steps);

/*
 * golines.c: the function at an address and those inlined there, with lines;
 * .n is 0 where nothing is known.  Names and files are ids of texts.
 */
struct cp_dwarf_place cp_gotab_lines(const struct cp_gotab *, uint64_t addr,
    uint64_t *steps, struct cp_strings *texts, struct cp_dwarf_result *);

#endif
