/* SPDX-License-Identifier: MIT */
/* run/filter/miss.h: diagnostics for a filter that matches nothing. */
#ifndef CP_RUN_FILTER_MISS_H
#define CP_RUN_FILTER_MISS_H

#include "base/match/nearest.h"
#include "run/api.h"

struct cp_filter_seen {
	const char *name;
	uint32_t samples;
};

struct cp_filter_misses {
	struct cp_run *run;
	struct cp_arena arena; /* memory for the texts of candidates */
	/* names that would have matched, and how many samples have each */
	CP_VEC(struct cp_filter_seen) there;
	bool several, missed;
};

void cp_filter_candidate(
    struct cp_filter_misses *, const char *name, uint32_t samples);
/* Adds the functions at a frame's address that are named, short. */
void cp_filter_candidate_code(
    struct cp_filter_misses *, cp_frame_id, uint32_t samples);
void cp_filter_candidate_number(struct cp_filter_misses *, uint64_t number);
/*
 * Reports that nothing matches the word; all: the whole filter matches nothing.
 */
void cp_filter_miss(
    struct cp_filter_misses *, const char *option, const char *word, bool all);
/* Reports all ranges as matching nothing. */
void cp_filter_miss_ranges(struct cp_filter_misses *, const char *option,
    const struct cp_range *, size_t n);
/* Reports that n captures of a snapshot's have no sample in --time. */
void cp_filter_miss_windows(struct cp_filter_misses *, size_t n);
/* Reports that no sample lies in --time; more: ends the message. */
void cp_filter_miss_time(
    struct cp_filter_misses *, enum cp_diag_id, const char *more);
/* Returns an error's id; of several captures one may lack what another has. */
enum cp_diag_id cp_filter_miss_id(const struct cp_filter_misses *);

/* filter-none.c: reports why the filters keep no sample. */
void cp_filter_none(struct cp_filter_misses *);

#endif
