/* SPDX-License-Identifier: MIT */
/*
 * symbolize/inlines/ask.h: asks one object for inlined functions and lines.
 *
 * Different objects can be asked in parallel.
 */
#ifndef CP_SYMBOLIZE_INLINES_ASK_H
#define CP_SYMBOLIZE_INLINES_ASK_H

#include "symbolize/dwarf/dwarf.h"
#include "symbolize/inlines/request.h"
#include "symbolize/object/object.h"

struct cp_gotab;
struct cp_inlcache;

/* State of inlines/ for an object. */
struct cp_object_inlines {
	const struct cp_elf *debug; /* NULL: no debug information */
	bool searched;
	bool damaged_told, missing_told;
	bool cacheable;
	bool foreign; /* answers come from files that the cache does not name */
	uint64_t base; /* base to which addresses are relative in the cache */
	struct cp_inlcache *cache; /* during a batch; else NULL */
	struct cp_dwarf *dwarf;
	const struct cp_gotab *go;  /* used if there is no debug information */
	struct cp_symbols *symbols; /* argument of the reader's callbacks */
	struct cp_object *object;
	enum cp_source source;
	enum cp_trust trust;
	/* Texts outlive the reader; its ids are translated to theirs. */
	struct cp_strings texts;
	/* by the reader's id; 0: not translated yet */
	CP_VEC(cp_string_id) moved;
	/* By id in texts. */
	CP_VEC(const char *) shown;
	CP_VEC(const struct cp_symbol *) interned;
	struct cp_map64 md5_of; /* text -> index in md5s + 1 */
	CP_VEC(struct cp_source_md5 { uint8_t md5[16]; }) md5s;
	struct cp_strings roots; /* folders that it was compiled in */
};

struct cp_inlines_answer {
	struct cp_dwarf_result result;
	struct cp_dwarf_place *places; /* per address of the request */
};

/* Returns the object's state, made if needed. */
struct cp_object_inlines *cp_object_inlines_of(
    struct cp_symbols *, struct cp_object *);
/* Finds the debug file, if there is one, and opens its reader. */
void cp_object_inlines_open(struct cp_object_inlines *);
/*
 * Answers a request, with several threads if it is large.  The cache stays
 * open.
 */
void cp_object_inlines_ask(struct cp_object_inlines *,
    const struct cp_inlines *, unsigned threads, struct cp_inlines_answer *);

#endif
