/* SPDX-License-Identifier: MIT */
/*
 * model/jit.h: the code of one process that a jitdump describes, over time.
 *
 * All loads are read when the dump is opened.  Each comes into force at its
 * time and replaces what it overlaps; of an older function only the part before
 * it stays.  Frames in JIT code are (dump, file offset of the code bytes), so a
 * reused address gives a different frame.
 */
#ifndef CP_MODEL_JIT_H
#define CP_MODEL_JIT_H

#include "model/dso.h"

/* A function that is at an address from a certain time on. */
struct cp_jit_load {
	uint64_t time;
	uint64_t start, end; /* range of run-time addresses */
	uint64_t offset;     /* of the code bytes, in the dump */
	/* index of its record; the later one wins at equal times */
	uint32_t number;
	/* Offsets of its other records in the dump; 0: none. */
	uint64_t unwinding, lines;
};

/*
 * A record of unwinding has the .eh_frame of the next load behind its head.
 * LLVM's has that of all loads of a module, and before it a header that ends in
 * the section's address.
 */
enum { CP_JIT_TABLE_HEAD = 40, CP_JIT_SHARED = 12 };

/* Is this LLVM's header?  An .eh_frame begins with another length. */
static inline bool
cp_jit_is_shared(const uint8_t *table)
{
	static const uint8_t llvm[] = { 1, 0x0c, 0xff, 0xff };

	return memcmp(table, llvm, sizeof(llvm)) == 0;
}

struct cp_jit {
	struct cp_dso_info *dso;
	/*
	 * The dump that the process had before, its own or an inherited one;
	 * NULL: none.  It does not change.
	 */
	struct cp_jit *below;
	CP_VEC(struct cp_jit_load) loads;
	size_t next;      /* first load that is not in force yet */
	uint32_t version; /* changes whenever an earlier answer may be wrong */
	/* The distinct start addresses, ascending, and the load at each now. */
	CP_VEC(uint64_t) starts;
	uint32_t *load; /* index + 1 of the load; 0: none */
	uint64_t *end;
	uint64_t *used;         /* one bit per start: a load is there */
	uint64_t *used_words;   /* one bit per nonzero word of `used` */
	struct cp_map64 missed; /* pages where a look-up found nothing */
};

/* Sorts the loads.  Call it when all have been added. */
void cp_jit_settle(struct cp_jit *);
/* Applies the loads up to `time`.  True: version changed. */
bool cp_jit_advance(struct cp_jit *, uint64_t time);
/* The time of the next load; UINT64_MAX: none. */
uint64_t cp_jit_next(const struct cp_jit *);
/* Returns the load at ip now, or NULL. */
const struct cp_jit_load *cp_jit_find(struct cp_jit *, uint64_t ip);
/*
 * Also searches the dumps below: the latest load counts.  Sets *j to the dump
 * that has it.
 */
const struct cp_jit_load *cp_jit_search(struct cp_jit **j, uint64_t ip);
/* True if there is code in [start, end) now. */
bool cp_jit_has(const struct cp_jit *, uint64_t start, uint64_t end);
/*
 * Removes code in [start, end), which was mapped anew.  True: version changed.
 */
bool cp_jit_forget(struct cp_jit *, uint64_t start, uint64_t end);
void cp_jit_free(struct cp_jit *);

#endif
