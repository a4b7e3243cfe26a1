/* SPDX-License-Identifier: MIT */
/*
 * model/map.h: address spaces over time.
 *
 * An address space is a sorted list of mappings that do not overlap: a newer
 * one cuts what it covers.  Its generation is a number that stands for what
 * every address means; it changes when an answer that was given could change,
 * not with every new mapping.  A forked process shares its parent's space
 * until one of them changes.
 */
#ifndef CP_MODEL_MAP_H
#define CP_MODEL_MAP_H

#include "base/mem.h"

struct cp_map {
	uint64_t start, end; /* [start, end) */
	/* Address in the object = ip + delta (modulo 2^64). */
	uint64_t delta;
	uint32_t dso; /* id */
};

/*
 * Room on both sides, for mappings mostly come from the top down and are put
 * in near the start: 128 Ki of them took 9 s when all behind moved each time.
 */
struct cp_maps {
	struct cp_map *data; /* the first, sorted; NULL: none */
	size_t len;
	size_t before, after; /* free places */
};

enum { CP_MISSED = 16 };

struct cp_aspace {
	struct cp_maps maps;
	uint32_t refs;
	uint32_t generation;
	uint32_t kernel_generation; /* that `generation` was made for */
	/* Where this generation had no answer; missed: elsewhere, too. */
	bool missed;
	uint8_t n_missed;
	size_t asked; /* place of the mapping that answered last */
	uint64_t missed_ip[CP_MISSED];
	/*
	 * After exec: the space of the old image, whose addresses the user
	 * part of a chain holds until the new image has run.  NULL: none.
	 */
	struct cp_aspace *old;
	bool narrow; /* of a 32-bit program, by where its vdso lies */
	/* How many mappings were copied and are there; shared by copies. */
	size_t *copies, copied;
};

struct cp_aspace *cp_aspace_new(void);
/* A number of its own from here on: earlier answers do not count. */
void cp_aspace_renew(struct cp_aspace *, uint32_t generation);
struct cp_aspace *cp_aspace_ref(struct cp_aspace *);
void cp_aspace_unref(struct cp_aspace *);
/* The same mappings for one owner alone; takes over the reference. */
struct cp_aspace *cp_aspace_own(struct cp_aspace *);

/*
 * Inserts a mapping.  *changed: an answer given before may be another now.
 * CP_FAIL at the limit of mappings.
 */
int cp_aspace_insert(
    struct cp_aspace *, const struct cp_map *, bool *changed) CP_MUST_USE;
/* Cuts [start, end) out; true if there was something. */
bool cp_aspace_remove(struct cp_aspace *, uint64_t start, uint64_t end);
const struct cp_map *cp_aspace_find(const struct cp_aspace *, uint64_t ip);
/* The same for what counts as an answer; looks at the old image, too. */
const struct cp_map *cp_aspace_ask(struct cp_aspace *, uint64_t ip);
/* Where the first mapping that starts at or behind ip does; UINT64_MAX. */
uint64_t cp_aspace_next(const struct cp_aspace *, uint64_t ip);
/* Forgets the old image. */
void cp_aspace_forget(struct cp_aspace *);

#endif
