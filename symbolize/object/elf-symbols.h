/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/elf-symbols.h: from the ELF files of an object to its symbol
 * table.
 */
#ifndef CP_SYMBOLIZE_OBJECT_ELF_SYMBOLS_H
#define CP_SYMBOLIZE_OBJECT_ELF_SYMBOLS_H

#include "symbolize/object/object.h"

/* The symbols of the files that were found. */
bool cp_object_load_files(struct cp_symbols *, struct cp_object *);
/* What a Go program keeps of its functions, or NULL. */
const struct cp_gotab *cp_object_gotab(struct cp_object *);

#endif
