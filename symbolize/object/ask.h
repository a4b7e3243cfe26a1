/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/ask.h: asks the symbolizers for an object's files and names.
 */
#ifndef CP_SYMBOLIZE_OBJECT_ASK_H
#define CP_SYMBOLIZE_OBJECT_ASK_H

#include "symbolize/object/object.h"

enum cp_ask {
	CP_ASK_CODE = 1,
	CP_ASK_SYMTAB = 2,
	CP_ASK_DEBUG = 4,
};
/* Asks the places not asked yet until the wanted files are found. */
void cp_object_find(struct cp_symbols *, struct cp_object *, unsigned want);
/* Also fetches debug information, if that is allowed. */
void cp_object_find_tables(struct cp_symbols *, struct cp_object *);
/* Loads names, once. */
void cp_object_open(struct cp_symbols *, struct cp_object *);
/* Adds addresses to be named.  False: all had been added before. */
bool cp_object_ask(struct cp_object *, const uint64_t *addr, size_t n);

#endif
