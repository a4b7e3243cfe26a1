/* SPDX-License-Identifier: MIT */
/*
 * coldperf/tally.h: counting: by keys, in records of the analysis' own, in
 * percentiles; and shares with their intervals.
 */
#ifndef COLDPERF_TALLY_H
#define COLDPERF_TALLY_H

#include <coldperf/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts by a 128-bit key (a, b), whose meaning the analysis chooses. */
struct cp_tally;
struct cp_tally_row {
	uint64_t a, b;
	uint64_t count; /* samples */
	uint64_t weight;
	double weight_sq; /* sum of their squares, for intervals */
};
CP_API struct cp_tally *cp_tally_new(struct cp_run *);
CP_API void cp_tally_add(
    struct cp_tally *, uint64_t a, uint64_t b, uint64_t weight);
/* Removes all rows; their memory is reused. */
CP_API void cp_tally_clear(struct cp_tally *);
CP_API size_t cp_tally_rows(
    const struct cp_tally *, const struct cp_tally_row **);
/*
 * Returns the tally of (event, innermost frame) of all samples that are kept:
 * one for all analyses, which only read it.  Only for begin(); the host fills
 * it, so it is complete in finish().
 */
CP_API const struct cp_tally *cp_run_leaves(struct cp_run *);

/* ---------------------------------------------------------------- spill */

/* Bytes kept until they are read; if they are many, in a temporary file. */
struct cp_spill;
CP_API struct cp_spill *cp_spill_new(struct cp_run *);
CP_API void cp_spill_add(struct cp_spill *, const void *, size_t n);
CP_API void cp_spill_clear(struct cp_spill *);
/*
 * Reads n of the bytes that were added, from number `at' on.  False: the
 * temporary file cannot be read.
 */
CP_API bool cp_spill_read(
    const struct cp_spill *, uint64_t at, void *, size_t n);

/* --------------------------------------------------------------- shares */

/*
 * A share is a part of a whole; its precision depends on the samples of the
 * whole.  So an interval is computed from these two, which have different
 * types, and never from a number of samples, which could be that of the row by
 * mistake.
 */
struct cp_mass {
	uint64_t weight;
	double weight_sq; /* sum of the squared weights */
};
struct cp_whole {
	struct cp_mass mass;
	/*
	 * The measured variance relative to that of independent samples; 0
	 * means 1.
	 */
	double dispersion;
	bool complete; /* each occurrence was recorded, so shares are exact */
};
/* Returns the weight of a row's samples. */
CP_API struct cp_mass cp_row_mass(const struct cp_tally_row *);
/* Returns the sum of all rows of the tally whose a is the event. */
CP_API struct cp_whole cp_tally_whole(
    const struct cp_run *, const struct cp_tally *, uint32_t evsel);
/* Was each occurrence recorded (-c 1), not a sample of them? */
CP_API bool cp_evsel_complete(const struct cp_evsel *);
/*
 * Returns the number of independent samples of equal weight that give the same
 * precision.
 */
CP_API double cp_effective(struct cp_mass part, struct cp_whole);
/*
 * Computes Wilson's 95 % interval of the share; lo > hi if the whole is
 * complete.
 */
CP_API void cp_interval(
    struct cp_mass part, struct cp_whole, double *lo, double *hi);

/* -------------------------------------------------- records of one's own */

/*
 * Dense numbers for pairs of words, in order of first appearance:
 * cp_index_put() turns a key into the number of a record, cp_grow_to() makes a
 * zeroed record of it.
 */
/* A hash table of numbers; the caller has the keys and hashes them. */
struct cp_slots {
	uint32_t *at; /* number + 1, 0: empty */
	uint32_t mask;
};

/* Makes a table of n slots, a power of two. */
CP_API void cp_slots_init(struct cp_slots *, struct cp_run *, uint32_t n);
CP_API void cp_slots_free(struct cp_slots *, struct cp_run *);
/*
 * Returns number + 1 in the next slot of a probe and advances *i, which starts
 * as the hash; 0: the slot is empty.
 */
static inline uint32_t
cp_slots_get(const struct cp_slots *s, uint32_t *i)
{
	*i &= s->mask;
	return s->at[*i];
}
/* True if another number needs a larger table. */
static inline bool
cp_slots_full(const struct cp_slots *s, uint32_t numbers)
{
	return numbers > s->mask / 2;
}
/* Doubles the table of n numbers; `all` is the array of their keys. */
CP_API void cp_slots_grow(struct cp_slots *, struct cp_run *, uint32_t n,
    uint32_t (*hash)(const void *all, uint32_t number), const void *all);

struct cp_pair {
	uint64_t a, b;
};

struct cp_index {
	struct cp_run *run;
	struct cp_pair *all; /* by number */
	uint32_t n;
	struct cp_slots slots;
};

CP_API void cp_index_init(struct cp_index *, struct cp_run *);
CP_API void cp_index_free(struct cp_index *);
/* Returns the pair's number, n - 1 if it is new. */
CP_API uint32_t cp_index_put(struct cp_index *, uint64_t a, uint64_t b);
/* Returns the pair's number, CP_NO_ID if it has none. */
CP_API uint32_t cp_index_get(const struct cp_index *, uint64_t a, uint64_t b);

/*
 * Makes room for number n in an array indexed by dense numbers; each array has
 * a cap of its own.  Returns the
 * array, or a larger zeroed one with its contents in place of it.
 */
CP_API void *cp_grown(
    struct cp_run *, void *array, uint32_t *cap, uint32_t n, size_t size);
#define cp_grow_to(run, array, cap, n)                                         \
	((n) < *(cap) ? (void)0                                                \
		      : (void)((array) = cp_grown((run), (array), (cap), (n),  \
				   sizeof(*(array)))))

/* ---------------------------------------------------------- percentiles */

/*
 * Count, sum, extremes and percentiles of durations.
 *
 * Keeps the first CP_QUANTILES_EXACT values; as long as these are all, a
 * percentile is one of the values: the smallest that is at least as large as
 * that share of all.  Further values are counted in buckets whose width is
 * 1/2048 of the value, and a percentile may be too small by that part; count,
 * sum and extremes stay exact.
 */
#define CP_QUANTILES_EXACT 32768u

struct cp_quantiles {
	uint64_t n, sum, min, max;
	uint64_t max_at;  /* time given with max; CP_NO_TIME: none */
	uint64_t *values; /* the first values; cap is the room for them */
	/* counts by bucket; used for more values than these */
	uint64_t **octaves;
	uint32_t cap;
	bool sorted;
};

/* Adds a value; a zeroed struct is an empty set. */
CP_API void cp_quantiles_add(
    struct cp_run *, struct cp_quantiles *, uint64_t value, uint64_t time);
/* Adds all values of another set. */
CP_API void cp_quantiles_merge(
    struct cp_run *, struct cp_quantiles *, const struct cp_quantiles *);
/* Returns the value at share 0...1; 0 for an empty set. */
CP_API uint64_t cp_quantiles_at(struct cp_quantiles *, double share);
/*
 * Are there enough values above that share?  Of the median it is asked for no
 * more than one value.
 */
CP_API bool cp_quantiles_tell(const struct cp_quantiles *, double share);
CP_API uint64_t cp_quantiles_mean(const struct cp_quantiles *);

#ifdef __cplusplus
}
#endif

#endif
