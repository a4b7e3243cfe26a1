/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/code-groups.h: frames grouped by what code they are: symbol,
 * object, source line, or some of these.
 *
 * Two symbols are equal if object name, extent and name are.  A function
 * without a name is identified by its bounds.  If these are not known either,
 * each address is an entity, or all such frames of the object are one entity,
 * but for heavy ranges (analyses/code/ranges.h).
 * Entities exist in finish() only, after the frames were named.
 */
#ifndef CP_ANALYSES_COMMON_CODE_GROUPS_H
#define CP_ANALYSES_COMMON_CODE_GROUPS_H

#include <coldperf/plugin.h>

enum cp_entity_kind {
	CP_ENTITY_CODE,     /* a symbol, or an address without one */
	CP_ENTITY_NO_FRAME, /* no address was sampled */
	CP_ENTITY_UNNAMED,  /* all of an object that has no symbol */
	CP_ENTITY_RANGE,    /* neighbouring addresses without a symbol */
};

/* Neighbouring addresses that have no symbol: addr ... addr + extent. */
struct cp_code_range {
	uint64_t addr;
	uint32_t extent;
};

/* The struct is small because a capture may have millions of entities. */
struct cp_entity {
	const struct cp_symbol *symbol; /* or a function's bounds; NULL: none */
	uint64_t addr;   /* of the first frame seen; of the range */
	uint32_t frames; /* seen so far */
	uint32_t dso;
	cp_string_id line; /* or file, or family; 0: unknown, unwanted */
	uint32_t hash;     /* of the fields that identify it */
	uint32_t extent;   /* of the range */
	uint8_t level;
	uint8_t kind; /* cp_entity_kind */
};

struct cp_entities {
	struct cp_run *run;
	bool by_symbol, by_dso;
	/* To be set before the first frame: */
	bool by_line;
	bool by_file; /* the source file stands for the line */
	/* What stands for the line; NULL: none.  Symbol and object apart. */
	cp_string_id (*family)(struct cp_run *, const struct cp_entity *);
	bool unnamed_as_one; /* code without bounds is one entity per object */
	bool each_address;   /* code without a name is one entity per address */
	struct cp_code_range *ranges; /* that are entities of their own */
	uint32_t n_ranges;
	uint32_t *range_of; /* by frame: range + 1; NULL: there are none */
	struct cp_entity *all;
	uint32_t n, cap;
	struct cp_slots slots;
	uint32_t *of_frame;  /* entity + 1; 0: not known yet */
	uint32_t *of_symbol; /* that of its last frame, by the symbol's id */
	uint32_t of_symbol_cap;
};

/* All frame ids must be below `frames`. */
void cp_entities_init(struct cp_entities *, struct cp_run *, uint32_t frames,
    bool by_symbol, bool by_dso);
uint32_t cp_entities_of(struct cp_entities *, cp_frame_id);

/*
 * Returns the symbol's name, else the address, or "[addresses]" if it has
 * several; the text is in buf.  All frames must have been added before.
 */
struct cp_word;
const char *cp_entity_name(const struct cp_entity *, struct cp_word *buf);
/*
 * Does the same for a row: addresses is the number of addresses in the row, or
 * 0 if it is not known, and addr is the first of them.  Returns "[13
 * addresses]" for several.  The entity's own count of frames cannot be used, as
 * it includes all events and callers.
 */
const char *cp_entity_name_of(const struct cp_entity *, uint32_t addresses,
    uint64_t addr, struct cp_word *buf);
/* True if the code has no symbol; its bounds may be known. */
bool cp_entity_nameless(const struct cp_entity *);
/* Orders by name of symbol, then by address. */
int cp_entity_compare_symbol(
    const struct cp_entity *, const struct cp_entity *);
int cp_entity_compare_dso(
    const struct cp_run *, const struct cp_entity *, const struct cp_entity *);

#endif
