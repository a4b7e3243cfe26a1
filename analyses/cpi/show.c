/* SPDX-License-Identifier: MIT */
#include "analyses/cpi/cpi.h"

#include <math.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/frame-label.h"

/* The ratio of the whole; its interval would not cover throttled time. */
static struct cp_ratio
ratio_of_all(const struct cpi *c, enum cp_ratio_kind kind)
{
	const struct cp_ratio_def *d = &cp_ratio_defs[kind];
	struct cp_ratio r =
	    cp_ratio_of(&c->whole, &c->whole, kind, c->readings);

	if (cp_cpi_missing(c, d->above) != 0 ||
	    cp_cpi_missing(c, d->below) != 0)
		r.lo = r.hi = NAN;
	return r;
}

static void
scalars_show(struct cpi *c, struct cp_report *rep)
{
	struct cp_ratio r = ratio_of_all(c, CP_RATIO_CPI);
	struct cp_ratio i = cp_ratio_inverse(r);

	cp_report_scalar_value(
	    rep, "ratios", "cpi", CP_COL_RATE, r.value, r.lo, r.hi);
	cp_report_scalar_value(
	    rep, "ratios", "ipc", CP_COL_RATE, i.value, i.lo, i.hi);
	cp_report_scalar(rep, "ratios", "cycles", CP_COL_COUNT,
	    c->whole.mass[CP_ROLE_CYCLES].weight);
	cp_report_scalar(rep, "ratios", "instructions", CP_COL_COUNT,
	    c->whole.mass[CP_ROLE_INSTRUCTIONS].weight);
	cp_report_scalar_text(rep, "ratios", "source",
	    c->readings ? "group readings" : "separate samples");
	cp_report_scalar_text(rep, "ratios", "cycles_event",
	    cp_cpi_names(c->run, &c->events, CP_ROLE_CYCLES));
	cp_report_scalar_text(rep, "ratios", "instructions_event",
	    cp_cpi_names(c->run, &c->events, CP_ROLE_INSTRUCTIONS));
	for (unsigned k = CP_RATIO_CPI + 1; k < CP_RATIOS; k++) {
		if (!cp_cpi_ratio_known(c, k))
			continue;
		r = ratio_of_all(c, (enum cp_ratio_kind)k);
		cp_report_scalar_value(rep, "ratios", cp_ratio_defs[k].name,
		    CP_COL_RATE, r.value, r.lo, r.hi);
	}
}

/* The overview has one table: that of the functions. */
static void
brief_show(struct cpi *c, struct cp_report *rep)
{
	cp_frame_id *frames =
	    cp_run_alloc(c->run, c->n_stacks * sizeof(*frames));
	cp_frame_id last = 0;

	for (size_t i = 0; i < c->n_stacks; i++) {
		frames[i] = cp_cpi_frame(c, &c->stacks[i]);
		last = frames[i] > last ? frames[i] : last;
	}
	cp_run_name_frames(c->run, frames, c->n_stacks);
	cp_run_free(c->run, frames, c->n_stacks * sizeof(*frames));
	cp_cpi_entities_show(c, last + 1, true, rep);
}

static void
tables_show(struct cpi *c, struct cp_report *rep)
{
	struct cp_paths paths;

	cp_paths_build(&paths, c->run, c->stacks, c->n_stacks);
	cp_rows_name(c->run, c->stacks, c->n_stacks);
	cp_cpi_entities_show(c, paths.frames, true, rep);
	c->by_group = cp_groups_sort(&c->threads, c->by_thread);
	cp_cpi_entities_show(c, paths.frames, false, rep);
	cp_cpi_lines_show(c, rep);
	cp_cpi_tasks_show(c, true, rep);
	cp_cpi_tasks_show(c, false, rep);
	cp_cpi_cpus_show(c, false, rep);
	cp_cpi_paths_show(c, rep);
}

void
cp_cpi_show(struct cpi *c, struct cp_report *rep)
{
	scalars_show(c, rep);
	cp_cpi_cpus_show(c, true, rep);
	c->n_stacks = cp_tally_rows(c->by_stack, &c->stacks);
	if (c->brief)
		brief_show(c, rep);
	else
		tables_show(c, rep);
}
