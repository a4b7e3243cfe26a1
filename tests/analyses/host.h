/* SPDX-License-Identifier: MIT */
/*
 * tests/analyses/host.h: a host for analyses that holds no capture.
 *
 * Stacks are written as text, outermost frame first: "main;k:read;0x40".  A
 * frame is a symbol of object "app", with k: before it of the kernel, with a
 * leading "LIB!" of object LIB; 0x... is an address without symbol.  The
 * report comes back as text, to be compared with what was worked out by hand.
 */
#ifndef CP_TESTS_ANALYSES_HOST_H
#define CP_TESTS_ANALYSES_HOST_H

#include "base/buf.h"
#include "report/report.h"
#include "base/strings.h"
#include "base/spill/spill.h"
#include "base/tally.h"
#include "run/facts/facts.h"

struct cp_run {
	struct cp_strings strings;
	struct cp_arena arena;
	CP_VEC(struct cp_evsel) evsels;
	CP_VEC(struct cp_dso) dsos;         /* by id */
	CP_VEC(struct cp_frame) frames;     /* by id */
	CP_VEC(cp_string_id) frame_text;    /* by id */
	CP_VEC(struct cp_symbol *) symbols; /* by frame id, NULL: none */
	CP_VEC(bool) asked;                 /* by frame id */
	CP_VEC(cp_stack_id) parent;         /* by stack id */
	CP_VEC(cp_frame_id) frame;          /* by stack id */
	CP_VEC(struct cp_tally *) tallies;
	struct cp_tally *leaves;
	struct cp_taskstate *spans;
	CP_VEC(struct cp_spill *) spills;
	CP_VEC(struct cp_sample) samples;
	const char *const *options; /* "name=value" ..., NULL at the end */
	const struct cp_analysis *analysis;
	struct cp_quality quality;
	const struct cp_fact *facts;
	size_t n_facts;
	uint32_t wants;
	struct cp_dso_state state[8]; /* by dso id */
	uint64_t diags[CP_D_COUNT];
};

struct cp_run *host_new(void);
void host_free(struct cp_run *);
uint32_t host_event(struct cp_run *, const char *name);
cp_frame_id host_frame(struct cp_run *, const char *text);
/* The node of frame below parent, made anew. */
cp_stack_id host_push(struct cp_run *, cp_stack_id parent, cp_frame_id);
cp_stack_id host_stack(struct cp_run *, const char *text);
/* A sample of event 0 to be changed as the test likes. */
struct cp_sample *host_sample(
    struct cp_run *, const char *comm, cp_stack_id, uint64_t weight);

/* Runs an analysis over all samples; its status. */
int host_run(struct cp_run *, const char *analysis, const char *const *options,
    struct cp_report *);
/* The same, and the report's sections of that slug as text; "" is all. */
const char *host_text(struct cp_run *, const char *analysis,
    const char *const *options, const char *slug);

#endif
