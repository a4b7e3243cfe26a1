/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symtab/symtab.h: a symbol table for look-ups by address.
 *
 * Symbols are pushed in any order, settled (sorted, ends found, one kept per
 * start), and finally indexed.  Names stay in the mapped file; they must end in
 * NUL and outlive the table.
 *
 * This room sorts symbols and finds the one at an address.  It may use
 * demangle/, which compares names of one address; it does not know which file
 * symbols are from.  Begin here.
 */
#ifndef CP_SYMBOLIZE_SYMTAB_SYMTAB_H
#define CP_SYMBOLIZE_SYMTAB_SYMTAB_H

#include "base/vec.h"
#include "symbolize/symtab/entry.h"

/* An alias of a symbol; the shown name is chosen when needed. */
struct cp_other_name {
	const char *name;
	uint32_t next; /* 0: last one */
};

#define CP_NO_ENTRY UINT32_MAX

struct cp_symtab {
	CP_VEC(struct cp_entry) all;
	/* entries that are sorted and have ends */
	size_t settled;
	bool borrowed;                       /* all belongs to another table */
	CP_VEC(struct cp_other_name) others; /* index 0 is unused */
	/* Segments: start address and symbol, ascending. */
	uint64_t *key;
	uint32_t *which;
	size_t segments;
	struct cp_arena names; /* generated names: "write@plt" */
};

enum cp_settle {
	CP_SETTLE_ELF,      /* size 0 means: up to the next symbol */
	CP_SETTLE_KALLSYMS, /* the same, but not from kernel into module */
	CP_SETTLE_ADDED,    /* earlier symbols win; ends stay */
};

static inline struct cp_entry *
cp_symtab_push(struct cp_symtab *t)
{
	return cp_vec_push(&t->all);
}
/* The last symbol has a label, see cp_symbol, that was made elsewhere. */
void cp_symtab_label(struct cp_symtab *, const char *label);
/* Sorts and merges the symbols pushed since the last call. */
void cp_symtab_settle(struct cp_symtab *, enum cp_settle);
/* The settled symbol that starts at addr, or CP_NO_ENTRY. */
uint32_t cp_symtab_at(const struct cp_symtab *, uint64_t addr);
/* Uses n settled symbols of another table, which must outlive this one. */
void cp_symtab_borrow(
    struct cp_symtab *, const struct cp_symtab *from, size_t first, size_t n);
/* Makes the index.  Nothing may be pushed afterwards. */
void cp_symtab_index(struct cp_symtab *);
/*
 * Index of the symbol at addr, or CP_NO_ENTRY; the innermost if nested.  *hint
 * starts at 0 and speeds up ascending look-ups.
 */
uint32_t cp_symtab_find(const struct cp_symtab *, uint64_t addr, size_t *hint);
/* The name to show for a symbol, chosen among its aliases. */
const char *cp_symtab_name(struct cp_symtab *, uint32_t number);
/*
 * Returns the names of other functions, at most max, whose code a linker folded
 * into that of the symbol, whose name was chosen.
 */
size_t cp_symtab_twins(
    const struct cp_symtab *, uint32_t number, const char **names, size_t max);
void cp_symtab_free(struct cp_symtab *);

/* overlap.c: symbol tables with overlapping symbols. */

/*
 * Indexes a table in which later symbols hide earlier ones.  Returns how many
 * hide another.
 */
size_t cp_symtab_index_latest(struct cp_symtab *);

#endif
