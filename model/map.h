/* SPDX-License-Identifier: MIT */
/*
 * model/map.h: address spaces over time.
 *
 * An address space is a sorted list of mappings that do not overlap: a newer
 * one cuts what it covers.  Its generation is a number for the meaning of all
 * addresses.  It changes only when an answer that was given could change, not
 * with every mapping.  A forked process shares its parent's space until one of
 * them changes.
 */
#ifndef CP_MODEL_MAP_H
#define CP_MODEL_MAP_H

#include "base/mem.h"

struct cp_map {
	uint64_t start, end; /* [start, end) */
	/* Address in the object = ip + delta (modulo 2^64). */
	uint64_t delta;
	uint32_t dso; /* id */
	bool code;    /* mapped executable */
};

/*
 * Free room on both sides: mappings mostly arrive from the top down and go near
 * the start.  With room at the end only, 128 Ki of them took 9 s.
 */
struct cp_maps {
	struct cp_map *data; /* first mapping; NULL: none */
	size_t len;
	size_t before, after; /* free places before and after the mappings */
};

enum { CP_MISSED = 16 };

struct cp_aspace {
	struct cp_maps maps;
	uint32_t refs;
	uint32_t generation;
	/* kernel generation that `generation` includes */
	uint32_t kernel_generation;
	/* Look-ups of this generation without an answer; missed: even more. */
	bool missed;
	uint8_t n_missed;
	size_t asked; /* index of the mapping that answered last */
	uint64_t missed_ip[CP_MISSED];
	/*
	 * The old image's space after exec.  The user part of a chain has its
	 * addresses until the new image has run.  NULL: none.
	 */
	struct cp_aspace *old;
	uint32_t program; /* the object that was mapped first; 0: none yet */
	bool narrow;      /* of a 32-bit program, as the vdso's address shows */
	/* Live copied mappings of all processes, and those of this space. */
	size_t *copies, copied;
};

struct cp_aspace *cp_aspace_new(void);
/* Sets a new generation: earlier answers are void. */
void cp_aspace_renew(struct cp_aspace *, uint32_t generation);
struct cp_aspace *cp_aspace_ref(struct cp_aspace *);
void cp_aspace_unref(struct cp_aspace *);
/* Returns a private copy.  Takes over the reference. */
struct cp_aspace *cp_aspace_own(struct cp_aspace *);

/*
 * Inserts a mapping.  *changed: an earlier answer may be wrong now.  CP_FAIL at
 * the limit of mappings.
 */
int cp_aspace_insert(
    struct cp_aspace *, const struct cp_map *, bool *changed) CP_MUST_USE;
/* Removes [start, end).  True if anything was mapped there. */
bool cp_aspace_remove(struct cp_aspace *, uint64_t start, uint64_t end);
const struct cp_map *cp_aspace_find(const struct cp_aspace *, uint64_t ip);
/*
 * True if an address of the process can be code: it is in an executable
 * mapping, or no mapping of the process is known.
 */
bool cp_aspace_is_code(const struct cp_aspace *, uint64_t ip);
/* Like cp_aspace_find(), but remembers misses and tries the old image. */
const struct cp_map *cp_aspace_ask(struct cp_aspace *, uint64_t ip);
/* Start of the first mapping at or after ip; UINT64_MAX: none. */
uint64_t cp_aspace_next(const struct cp_aspace *, uint64_t ip);
/* Drops the old image's space. */
void cp_aspace_forget(struct cp_aspace *);

#endif
