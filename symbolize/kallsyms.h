/* SPDX-License-Identifier: MIT */
/*
 * symbolize/kallsyms.h: kernel symbols as text, "address type name [module]".
 */
#ifndef CP_SYMBOLIZE_KALLSYMS_H
#define CP_SYMBOLIZE_KALLSYMS_H

#include "symbolize/objfile.h"
#include "symbolize/symtab.h"

struct cp_kallsyms {
	struct cp_content text; /* cut into strings; names lead into it */
	struct cp_symtab tab;   /* kernel and modules, settled */
	uint64_t text_end;      /* address of _etext; 0: none */
	bool hidden;            /* symbols, but all at address 0 */
};

/*
 * Takes the text over in any case.  False if it has no symbol or, as with
 * kptr_restrict, no address.
 */
bool cp_kallsyms_init(struct cp_kallsyms *, struct cp_content);
void cp_kallsyms_free(struct cp_kallsyms *);

/* What to add to all addresses so that ref is at ref_addr; 0 if unknown. */
uint64_t cp_kallsyms_slide(
    const struct cp_kallsyms *, const char *ref, uint64_t ref_addr);
/*
 * Copies the symbols of the kernel (module NULL) or of one module, whose name
 * comes with or without brackets.  base is taken from the addresses.
 */
void cp_kallsyms_select(const struct cp_kallsyms *, struct cp_symtab *,
    const char *module, uint64_t base);

#endif
