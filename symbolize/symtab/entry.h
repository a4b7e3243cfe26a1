/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symtab/entry.h: one symbol.
 */
#ifndef CP_SYMBOLIZE_SYMTAB_ENTRY_H
#define CP_SYMBOLIZE_SYMTAB_ENTRY_H

#include "base/base.h"

struct cp_entry {
	uint64_t start, end;
	const char *name;
	uint8_t bind, type; /* ELF's */
	bool module;        /* kallsyms: "[module]" follows the name's NUL */
	bool go;            /* from .gopclntab */
	uint32_t other;     /* of the table's others; 0: no other name */
};

#endif
