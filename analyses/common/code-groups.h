/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/code-groups.h: frames grouped by what code they are: symbol,
 * object, source line, or some of these.
 *
 * A symbol is told from another by object name, extent and name; a frame that
 * has none stands for its address in its object, or all of them for the object.
 * Entities exist in finish() only, after the frames were named.
 */
#ifndef CP_ANALYSES_COMMON_CODE_GROUPS_H
#define CP_ANALYSES_COMMON_CODE_GROUPS_H

#include <coldperf/plugin.h>

#include "analyses/common/dense-ids.h"

struct cp_entity {
	uint64_t key[4];
	const struct cp_symbol *symbol; /* NULL: none */
	cp_string_id line; /* "file:line"; 0: unknown or not wanted */
	uint64_t addr;     /* of the first frame seen */
	uint32_t dso;
	uint8_t level;
};

struct cp_entities {
	struct cp_run *run;
	bool by_symbol, by_dso;
	/* To be set before the first frame: */
	bool by_line;
	bool unnamed_as_one; /* what has no name is one entity an object */
	struct cp_entity *all;
	uint32_t n, cap;
	struct cp_slots slots;
	uint32_t *of_frame; /* entity + 1; 0: not known yet */
};

/* All frame ids must be below `frames`. */
void cp_entities_init(struct cp_entities *, struct cp_run *, uint32_t frames,
    bool by_symbol, bool by_dso);
uint32_t cp_entities_of(struct cp_entities *, cp_frame_id);

/* Returns the symbol's name, or the address in buf (32 bytes or more). */
struct cp_word;
const char *cp_entity_name(const struct cp_entity *, struct cp_word *buf);
/* Orders by name of symbol, then by address. */
int cp_entity_compare_symbol(
    const struct cp_entity *, const struct cp_entity *);
int cp_entity_compare_dso(
    const struct cp_run *, const struct cp_entity *, const struct cp_entity *);

#endif
