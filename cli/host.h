/* SPDX-License-Identifier: MIT */
/*
 * cli/host.h: the host side of coldperf/plugin.h.
 *
 * A run is one pass over one capture with any number of analyses.
 */
#ifndef CP_CLI_HOST_H
#define CP_CLI_HOST_H

#include "base/report.h"
#include "base/tally.h"
#include "cli/cli.h"
#include "cli/filter.h"
#include "model/session.h"
#include "readers/reader.h"

/* One analysis of a run. */
struct cp_task {
	const struct cp_analysis *analysis;
	void *state;
	uint32_t wants;
};

struct cp_run {
	const struct cp_cli *cli;
	struct cp_diags *diags;
	struct cp_capture capture;
	struct cp_recording rec;
	struct cp_session session;
	struct cp_order order;
	struct cp_quality quality;
	struct cp_filter filter;
	struct cp_symbols *symbols;
	struct cp_arena arena;
	CP_VEC(struct cp_task) tasks;
	struct cp_task *current; /* whose callback runs */
	CP_VEC(struct cp_tally *) tallies;
	CP_VEC(struct cp_fact) facts;
	bool facts_made;
	/* Names by frame id; a frame is asked for once. */
	CP_VEC(const struct cp_symbol *) symbol;
	CP_VEC(uint8_t) named;
	/* Commands that are no analyses see every sample kept here. */
	int (*tap)(void *ctx, struct cp_run *, const struct cp_queued *,
	    const struct cp_sample *);
	void *tap_ctx;
};

/* run.c: opens the capture; CP_FAIL after a diagnostic. */
int cp_run_open(struct cp_run *, struct cp_cli *, const char *path)
    CP_MUST_USE;
int cp_run_add(struct cp_run *, const struct cp_analysis *) CP_MUST_USE;
/* The pass: every event through order, session, filters and tasks. */
int cp_run_read(struct cp_run *);
/* Lets the tasks write their sections. */
int cp_run_finish(struct cp_run *, struct cp_report *) CP_MUST_USE;
void cp_run_close(struct cp_run *);

/* naming.c: the symbol of one frame at once, for filters and script. */
const struct cp_symbol *cp_run_symbol_now(struct cp_run *, cp_frame_id);

/* label.c: what every report opens with. */
void cp_run_label(struct cp_run *, struct cp_report *);
/* A moment of the capture as wall-clock text; false: clock not known. */
bool cp_run_wall_clock(
    const struct cp_run *, uint64_t time, char *buf, size_t size);

#endif
