/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/elf-symbols.h: fills an object's symbol table from its ELF
 * files.
 */
#ifndef CP_SYMBOLIZE_OBJECT_ELF_SYMBOLS_H
#define CP_SYMBOLIZE_OBJECT_ELF_SYMBOLS_H

#include "symbolize/object/object.h"

/* Loads the symbols of the files that were found. */
bool cp_object_load_files(struct cp_symbols *, struct cp_object *);
/* Returns the runtime tables of a Go program, or NULL. */
const struct cp_gotab *cp_object_gotab(struct cp_object *);

#endif
