/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symtab/symtab.h: a symbol table in the form for looking up.
 *
 * Symbols are pushed in any order, settled (sorted, ends found, one kept of
 * those with the same start), and at last indexed.  Names stay where they
 * are, in the mapped file; they must end with a NUL and outlive the table.
 *
 * This room sorts symbols and finds the one at an address.  It may use
 * demangle/, which names of one address are compared by; it does not know what
 * file symbols are from.  Begin here.
 */
#ifndef CP_SYMBOLIZE_SYMTAB_SYMTAB_H
#define CP_SYMBOLIZE_SYMTAB_SYMTAB_H

#include "base/vec.h"
#include "symbolize/symtab/entry.h"

/* One more name of the same symbol; which is shown is found out late. */
struct cp_other_name {
	const char *name;
	uint32_t next; /* 0: the last */
};

#define CP_NO_ENTRY UINT32_MAX

struct cp_symtab {
	CP_VEC(struct cp_entry) all;
	size_t settled;                      /* of all: sorted, with ends */
	bool borrowed;                       /* all is another table's */
	CP_VEC(struct cp_other_name) others; /* [0] is not used */
	/* Where which symbol begins or goes on; ascending. */
	uint64_t *key;
	uint32_t *which;
	size_t segments;
	struct cp_arena names; /* of symbols made up: "write@plt" */
};

enum cp_settle {
	CP_SETTLE_ELF,      /* size 0: up to the next symbol */
	CP_SETTLE_KALLSYMS, /* the same, but not from kernel to module */
	CP_SETTLE_ADDED,    /* earlier symbols win; nothing else changes */
};

static inline struct cp_entry *
cp_symtab_push(struct cp_symtab *t)
{
	return cp_vec_push(&t->all);
}
/* Merges what was pushed since the last time. */
void cp_symtab_settle(struct cp_symtab *, enum cp_settle);
/* The symbol that starts at addr, or CP_NO_ENTRY; of those settled. */
uint32_t cp_symtab_at(const struct cp_symtab *, uint64_t addr);
/* Shows n settled symbols of another table, which must outlive this one. */
void cp_symtab_borrow(
    struct cp_symtab *, const struct cp_symtab *from, size_t first, size_t n);
/* Ends the building; nothing may be pushed after it. */
void cp_symtab_index(struct cp_symtab *);
/*
 * Number of the symbol at addr, or CP_NO_ENTRY; of nested ones the innermost.
 * *hint is 0 at first and makes ascending look-ups cheap.
 */
uint32_t cp_symtab_find(const struct cp_symtab *, uint64_t addr, size_t *hint);
/* The name of a symbol, chosen among its names. */
const char *cp_symtab_name(struct cp_symtab *, uint32_t number);
void cp_symtab_free(struct cp_symtab *);

#endif
