/* SPDX-License-Identifier: MIT */
/*
 * symbolize/golang/pclntab.h: Go's runtime tables (.gopclntab), which stripping
 * keeps: functions, frame sizes, and from Go 1.18 on inlined calls and lines.
 *
 * The table is read in the mapping.  It has had four layouts so far (Go 1.2,
 * 1.16, 1.18, 1.20).  Hostile tables are safe: a look-up takes bounded time and
 * gives a result or none.  Once opened a table does not change, and any thread
 * may use it.
 *
 * This room reads Go's own tables.  It may use elf/ and symtab/, and returns
 * the types of cfi/ and dwarf/.  Begin in pclntab.c; module.c finds what the
 * table itself does not have.
 */
#ifndef CP_SYMBOLIZE_GOLANG_PCLNTAB_H
#define CP_SYMBOLIZE_GOLANG_PCLNTAB_H

#include "symbolize/cfi/cfi.h"
#include "symbolize/dwarf/answer.h"
#include "symbolize/elf/symbols.h"
#include "symbolize/golang/table.h"

struct cp_go_name {
	uint64_t start, end; /* addresses of the image */
	const char *name;    /* ends with a NUL; "" if it has no name */
};

/* One function. */
struct cp_go_function {
	uint64_t start, end;        /* addresses of the image */
	const char *name;           /* ends with a NUL; "" if it has no name */
	bool outermost;             /* has no caller */
	uint32_t frame, file, line; /* offsets of its value tables; 0: none */
	/* offset of the table of inlined calls' indexes */
	uint32_t inlined;
	uint64_t tree; /* address of the inlined calls; 0: none */
	/* compilation unit, which `file` values refer to */
	uint32_t unit;
};

/* False: the file has no such table. */
bool cp_gotab_init(struct cp_gotab *, const struct cp_elf *);
void cp_gotab_free(struct cp_gotab *);

/* Reads function i.  False: the index or its entry is damaged. */
bool cp_gotab_name(const struct cp_gotab *, size_t i, struct cp_go_name *);
bool cp_gotab_function(
    const struct cp_gotab *, size_t i, struct cp_go_function *);
/* Finds the function at an address.  False: there is none. */
bool cp_gotab_find(
    const struct cp_gotab *, uint64_t addr, struct cp_go_function *);
/* True if the table covers all code of the file. */
bool cp_gotab_covers(const struct cp_gotab *);
/*
 * Looks up an address in a value table of its function.  *steps is the
 * remaining budget of steps.  False: no value, or the budget is used up.
 */
bool cp_gotab_value(const struct cp_gotab *, const struct cp_go_function *,
    uint32_t table, uint64_t addr, uint64_t *steps, int32_t *out);

/* symbols.c: adds functions without a symbol. */
void cp_gotab_add_names(
    struct cp_symtab *, const struct cp_gotab *, const struct cp_elf_view *);

/* frame-size.c: finds the unwind row at an address, as cfi.h does. */
bool cp_gotab_row(const struct cp_gotab *, const struct cp_arch *,
    uint64_t addr, struct cp_cfi_row *, uint32_t *steps);

/*
 * lines.c: finds the function at an address and functions inlined there, with
 * lines.  .n is 0 if unknown.  Names and files are ids in texts.
 */
struct cp_dwarf_place cp_gotab_lines(const struct cp_gotab *, uint64_t addr,
    uint64_t *steps, struct cp_strings *texts, struct cp_dwarf_result *);

#endif
