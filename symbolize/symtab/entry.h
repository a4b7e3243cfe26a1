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
	uint8_t bind, type; /* as in ELF */
	/* kallsyms: the module's name follows the name's NUL */
	bool module;
	bool go;       /* from .gopclntab */
	bool guessed;  /* of size 0: its end is where the next symbol begins */
	bool labelled; /* the other name is the whole label */
	bool chosen;   /* among its names; the table's others are the rest */
	/* index of another name in the table's others; 0: none */
	uint32_t other;
};

#endif
