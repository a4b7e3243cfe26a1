/* SPDX-License-Identifier: MIT */
/*
 * report/profile.h: the samples of a capture as renderers read them.
 *
 * coldperf/profile.h documents the rows.  Samples are columns, because a
 * writer wants one column at a time.  All columns have the same length, but
 * that of contexts may be empty.
 */
#ifndef CP_REPORT_PROFILE_H
#define CP_REPORT_PROFILE_H

#include <coldperf/profile.h>

#include "base/vec.h"

/* Number of rows of each table that belong to captures that have ended. */
struct cp_profile_ended {
	size_t objects, symbols, spots, threads, events, contexts, marks,
	    states, samples;
};

struct cp_profile {
	struct cp_report *report;
	CP_VEC(struct cp_profile_capture) captures; /* none: there is one */
	struct cp_profile_ended ended;
	CP_VEC(struct cp_profile_object) objects;
	CP_VEC(struct cp_profile_symbol) symbols;
	CP_VEC(struct cp_profile_spot) spots;
	CP_VEC(struct cp_profile_frame) frames;
	CP_VEC(struct cp_profile_stack) stacks;
	CP_VEC(struct cp_profile_thread) threads;
	CP_VEC(struct cp_profile_event) events;
	CP_VEC(struct cp_profile_context) contexts;
	CP_VEC(struct cp_profile_mark) marks;
	CP_VEC(struct cp_profile_state) states;
	/*
	 * The columns of the samples; no context at all: that one is empty.
	 * All are empty if the report has a sink for samples.
	 */
	CP_VEC(uint64_t) time;
	CP_VEC(uint64_t) weight;
	CP_VEC(uint32_t) stack;
	CP_VEC(uint32_t) thread;
	CP_VEC(uint32_t) event;
	CP_VEC(uint32_t) cpu;
	CP_VEC(uint32_t) context;
};

static inline size_t
cp_profile_samples(const struct cp_profile *p)
{
	return p->time.len;
}

static inline uint32_t
cp_profile_context_at(const struct cp_profile *p, size_t i)
{
	return p->context.len != 0 ? p->context.data[i] : 0;
}

/* The profile of a report; NULL: it has none. */
const struct cp_profile *cp_profile_of(const struct cp_report *);
/* When the first sample or state is; CP_NO_TIME: not known. */
uint64_t cp_profile_first_time(const struct cp_profile *);
/*
 * When the captures begin, of which there are several: all are moved to the
 * first start that is known; CP_NO_TIME: none is.
 */
uint64_t cp_profile_start(const struct cp_profile *);

/* Sample i as one row. */
struct cp_profile_sample cp_profile_sample_at(
    const struct cp_profile *, size_t i);
/* Adds the rows 0, which mean none; the profile must be zeroed. */
void cp_profile_init(struct cp_profile *);
void cp_profile_free(struct cp_profile *);

/* "symtab", "verified"; NULL: not known. */
const char *cp_source_word(uint8_t source);
const char *cp_trust_word(uint8_t trust);

#endif
