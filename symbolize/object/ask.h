/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/ask.h: asks the symbolizers for the files of an object, and
 * for its names.
 */
#ifndef CP_SYMBOLIZE_OBJECT_ASK_H
#define CP_SYMBOLIZE_OBJECT_ASK_H

#include "symbolize/object/object.h"

enum cp_ask {
	CP_ASK_CODE = 1,
	CP_ASK_SYMTAB = 2,
	CP_ASK_DEBUG = 4,
};
/* Asks the places that were not asked yet until all wanted is there. */
void cp_object_find(struct cp_symbols *, struct cp_object *, unsigned want);
/* The same by the build ID of the mapped file, if none was recorded. */
void cp_object_find_rest(struct cp_symbols *, struct cp_object *);
/* Debug information too that has to be fetched, if that is allowed. */
void cp_object_find_tables(struct cp_symbols *, struct cp_object *);
/* Asks the symbolizers, once. */
void cp_object_open(struct cp_symbols *, struct cp_object *);
/* Adds addresses to what is asked for; false: they are there already. */
bool cp_object_ask(struct cp_object *, const uint64_t *addr, size_t n);

#endif
