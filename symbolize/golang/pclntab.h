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
 *
 * This room reads Go's own tables: names, lines and frame sizes.  It may use
 * elf/ and symtab/, and answers in the terms of cfi/ and dwarf/.  Begin in
 * pclntab.c; module.c finds what the table itself does not say.
 */
#ifndef CP_SYMBOLIZE_GOLANG_PCLNTAB_H
#define CP_SYMBOLIZE_GOLANG_PCLNTAB_H

#include "symbolize/cfi/cfi.h"
#include "symbolize/dwarf/answer.h"
#include "symbolize/elf/symbols.h"
#include "symbolize/golang/table.h"

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

/* symbols.c: adds the functions that have no symbol. */
void cp_gotab_add_names(
    struct cp_symtab *, const struct cp_gotab *, const struct cp_elf_view *);

/* frame-size.c: the row at an address, as in cfi.h. */
bool cp_gotab_row(const struct cp_gotab *, const struct cp_arch *,
    uint64_t addr, struct cp_cfi_row *, uint32_t *steps);

/*
 * lines.c: the function at an address and those inlined there, with lines;
 * .n is 0 where nothing is known.  Names and files are ids of texts.
 */
struct cp_dwarf_place cp_gotab_lines(const struct cp_gotab *, uint64_t addr,
    uint64_t *steps, struct cp_strings *texts, struct cp_dwarf_result *);

#endif
