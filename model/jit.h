/* SPDX-License-Identifier: MIT */
/*
 * model/jit.h: the code of one process that a jitdump describes, over time.
 *
 * All loads are known when the dump is opened, and come into force one after
 * the other as time goes on.  A load takes the place of what it overlaps: of
 * an older function only what lies before it stays.  Frames in such code are
 * (dump, offset of the code's bytes in it), so that an address that is used
 * again gives another frame.
 */
#ifndef CP_MODEL_JIT_H
#define CP_MODEL_JIT_H

#include "model/dso.h"

/* A function that is at an address from a time on. */
struct cp_jit_load {
	uint64_t time;
	uint64_t start, end; /* run-time addresses */
	uint64_t offset;     /* of its bytes in the dump */
	uint32_t number; /* of its record: of equal times the later counts */
	/* Records in the dump that belong to it; 0: none. */
	uint64_t unwinding, lines;
};

struct cp_jit {
	struct cp_dso_info *dso;
	CP_VEC(struct cp_jit_load) loads;
	size_t next;      /* loads from here on are not in force yet */
	uint32_t version; /* changes when an answer could be another one */
	/* The distinct starts, ascending, and which load is there now. */
	CP_VEC(uint64_t) starts;
	uint32_t *load; /* number + 1; 0: none */
	uint64_t *end;
	uint64_t *used;         /* a bit for each start with a load */
	uint64_t *used_words;   /* a bit for each word of them */
	struct cp_map64 missed; /* pages in which nothing was found */
};

/* Orders the loads, which are then complete. */
void cp_jit_settle(struct cp_jit *);
/* Brings into force what was loaded up to that time; true: new version. */
bool cp_jit_advance(struct cp_jit *, uint64_t time);
/* When the next load comes into force; UINT64_MAX: never. */
uint64_t cp_jit_next(const struct cp_jit *);
/* The load that is at ip now, or NULL. */
const struct cp_jit_load *cp_jit_find(struct cp_jit *, uint64_t ip);
/* Something else is at [start, end) now; true: new version. */
bool cp_jit_forget(struct cp_jit *, uint64_t start, uint64_t end);
void cp_jit_free(struct cp_jit *);

#endif
