/* SPDX-License-Identifier: MIT */
/*
 * symbolize/kernel/kallsyms.h: kernel symbols as text, "address type name
 * [module]".
 *
 * This room knows the kernel's list of its symbols, and which kernel runs
 * here; it does not know what kernel was recorded.  It may use elf/ and
 * symtab/.  Begin in kallsyms.c; kallsyms-line.c cuts one line.
 */
#ifndef CP_SYMBOLIZE_KERNEL_KALLSYMS_H
#define CP_SYMBOLIZE_KERNEL_KALLSYMS_H

#include "base/safe-file.h"
#include "base/tuning.h"
#include "symbolize/symtab/symtab.h"

/* Every CP_KALLSYMS_STRIDEth line of a sorted text is indexed. */
struct cp_kallsyms_mark {
	uint64_t start;
	uint32_t at; /* offset in the text */
};

struct cp_kallsyms {
	struct cp_content text; /* unchanged */
	uint64_t text_end;      /* address of _etext; 0: none */
	size_t damaged;         /* lines that are no symbol, or are cut */
	/* has symbols, but all at address 0 (kptr_restrict) */
	bool hidden;
	/*
	 * The kernel's own symbols come first, sorted, and modules after them.
	 * Then look-ups search the text, and no table is made.
	 */
	bool orderly;
	CP_VEC(struct cp_kallsyms_mark) marks;
	size_t kernel; /* bytes of the kernel's own lines */
	/* The table of all symbols, by cp_kallsyms_whole(). */
	bool whole;
	struct cp_symtab tab; /* settled; its names point into cut */
	char *cut;            /* copy of the text, cut into strings */
};

/*
 * Takes over the text, even on failure.  False if it has no symbol or, as with
 * kptr_restrict, no address.
 */
bool cp_kallsyms_init(struct cp_kallsyms *, struct cp_content);
/* Makes the table of all symbols. */
void cp_kallsyms_whole(struct cp_kallsyms *);
void cp_kallsyms_free(struct cp_kallsyms *);

/*
 * Returns the slide: what to add to all addresses, so that symbol ref is at
 * ref_addr; 0: unknown.
 */
uint64_t cp_kallsyms_slide(
    const struct cp_kallsyms *, const char *ref, uint64_t ref_addr);
/*
 * Copies the symbols of the kernel (module NULL) or of one module, whose name
 * may have brackets.  base is subtracted from addresses.  Needs
 * cp_kallsyms_whole().
 */
void cp_kallsyms_select(const struct cp_kallsyms *, struct cp_symtab *,
    const char *module, uint64_t base);
/*
 * Copies the kernel symbols that n ascending addresses need, from an orderly
 * text.  Names are copied into the arena.
 */
void cp_kallsyms_pick(const struct cp_kallsyms *, struct cp_symtab *,
    uint64_t base, const uint64_t *addr, size_t n, struct cp_arena *);

#endif
