/* SPDX-License-Identifier: MIT */
/*
 * analyses/pairs/match.h: begins that wait for their ends, and what was
 * measured.
 *
 * A pair is counted where records cannot have been lost during it, and with the
 * part of it that --time keeps.  Filters of threads and CPUs ask about the
 * begin.  Memory grows with what is open and with distinct rows.
 */
#ifndef CP_ANALYSES_PAIRS_MATCH_H
#define CP_ANALYSES_PAIRS_MATCH_H

#include <coldperf/pairs.h>

#include "analyses/common/frame-label.h"
#include "analyses/common/time-buckets.h"
#include "analyses/pairs/begun.h"
#include "analyses/pairs/recipes.h"

/* A capture without ends would pile up begins without this limit. */
#define CP_PAIRS_OPEN (UINT32_C(1) << 20)
/* Bins of a histogram: 1, 2 and 5 of each power of ten. */
#define CP_PAIRS_BINS 60u

struct cp_pair_sum {
	uint64_t bin[CP_PAIRS_BINS], total[CP_PAIRS_BINS];
	uint64_t unstarted; /* ends without a begin */
	uint64_t open;
	uint32_t now, most; /* open at once */
	uint64_t most_at;
	uint32_t deepest; /* 1: none lies in another */
};

struct cp_pair_open {
	struct cp_begun begun; /* its key's last word is the recipe */
	uint64_t time, value;
	uint64_t inner; /* ns of the pairs that began and ended inside */
	uint32_t recipe, row, thread, cpu;
	cp_stack_id stack;
	uint32_t depth; /* 1: in no other */
	uint32_t lane;  /* of cp_pairs.lanes; CP_NO_ID: none */
	/* numbers of those that it lies in, and that lies in it */
	uint32_t outer, inside;
	bool kept;
	struct cp_pair_raw raw;
};

struct cp_pair_slow {
	uint64_t start, end;
	uint32_t row, thread, cpu;
	cp_stack_id stack;
	cp_string_id fields; /* of its begin */
};

/* Called for each pair of known length; its times are not cut to --time. */
typedef void (*cp_pairs_fn)(
    void *ctx, const struct cp_pairs *, const struct cp_lost_wait *);

struct cp_pairs {
	struct cp_run *run;
	cp_pairs_fn also; /* or NULL */
	void *also_ctx;
	struct cp_recipes recipes;
	struct cp_lost_waits waits;
	uint64_t from, to;    /* of all windows of --time */
	uint64_t first, last; /* samples */
	uint64_t slower;      /* of --slower, ns */
	struct cp_begun_set open;
	struct cp_pair_rows rows; /* (recipe and kind of value, value) */
	struct cp_index threads;  /* (pid and tid, comm) */
	struct cp_index
	    lanes;           /* (thread or CPU, its number): pairs nest there */
	uint32_t *innermost; /* by lane: number */
	uint32_t innermost_cap;
	struct cp_buckets lengths; /* recipe, bin: pairs by their begin */
	struct cp_buckets overlap; /* recipe: ns */
	struct cp_repeats *repeats;
	struct cp_pair_sum *sum; /* by recipe */
	struct cp_slowest slowest;
	struct cp_pair_slow slow[CP_SLOWEST]; /* by slot */
	struct cp_frametexts *texts;          /* of finish() */
	struct cp_tally *stacks;              /* recipe, stack: time */
	struct cp_tally *unended;             /* row, stack: value, or number */
	uint64_t unknown, untracked;
	uint64_t replaced; /* begun again, so ended without an event */
	uint64_t endless;  /* begun, of recipes whose end never occurred */
	bool nested;       /* some pair lay in another */
};

/* What the value of a row is: the high half of a row's first number. */
enum cp_pair_of {
	CP_PAIR_OF_NONE,
	CP_PAIR_OF_NUMBER,
	CP_PAIR_OF_TEXT, /* cp_string_id */
	CP_PAIR_OF_CODE, /* cp_frame_id */
	CP_PAIR_OF_CALL,
	CP_PAIR_OF_PLAIN, /* a number that needs no name */
};

int cp_pairs_init(struct cp_pairs *, struct cp_run *) CP_MUST_USE;
/* These of an analysis whose state it is. */
int cp_pair_begin(struct cp_run *, void *state);
int cp_pair_sample(struct cp_run *, void *state, const struct cp_sample *);
int cp_pair_event(struct cp_run *, void *state, const struct cp_sideband *);

static inline uint32_t
cp_pair_recipe(const struct cp_pairs *p, uint32_t row)
{
	return (uint32_t)p->rows.by.all[row].a;
}
/*
 * Counts a pair; what[] has the fields and the stack of its begin, its thread
 * and CPU, and the time of the pairs inside.
 */
void cp_pairs_took(void *pairs, const struct cp_lost_wait *, bool known);
/* Counts a begin that will get no end. */
void cp_pairs_give_up(struct cp_pairs *, const struct cp_pair_open *);
/* Adds the tables and trees; for finish(). */
void cp_pairs_tables(struct cp_pairs *, struct cp_report *);
/* Adds how long pairs took, and how many were open at once, over time. */
void cp_pairs_over_time(
    struct cp_pairs *, struct cp_report *, const uint32_t *recipes, uint32_t n);
/* Returns the innermost frames of a stack that was named. */
const char *cp_pairs_stack(struct cp_pairs *, cp_stack_id);
/* Returns the lower edge of a bin, in ns. */
uint64_t cp_pair_bin(unsigned bin);

#endif
