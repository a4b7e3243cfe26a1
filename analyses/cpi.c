/* SPDX-License-Identifier: MIT */
/*
 * cpi: cycles per instruction, and what else hardware counters say.
 *
 * Takes what the capture has, in this order: readings of a group with cycles
 * and instructions, both sampled as events of their own, cycles between the
 * branches of branch stacks.  Events are known by number or name (counters.h),
 * intervals are explained in ratios.h.  Counts are periods whatever --weight
 * says, scaled where the counters did not run all the time.
 */
#include "analyses/cpi/count.h"

#include <string.h>

#include "analyses/common/frame-label.h"
#include "analyses/common/call-paths.h"

enum { SAMPLE_BRANCHES = 1 << 11, BRANCH_CALL_STACK = 1 << 11 };

static bool
may_have_branches(const struct cp_run *run)
{
	uint32_t n = cp_run_evsel_count(run);

	for (uint32_t i = 0; i < n; i++)
		if (cp_run_evsel(run, i)->sample_type & SAMPLE_BRANCHES)
			return true;
	return n == 0; /* a pipe: they are not known yet */
}

static void
counts_init(struct cpi *c, struct cp_run *run)
{
	c->run = run;
	cp_groups_init(&c->threads, run,
	    1u << CP_BY_COMM | 1u << CP_BY_PID | 1u << CP_BY_TID, 0);
	c->by_thread = cp_tally_new(run);
	c->by_cpu = cp_tally_new(run);
	c->by_stack = cp_tally_new(run);
	c->blocks.run = run;
	c->blocks.blocks = cp_tally_new(run);
}

static int
cpi_begin(struct cp_run *run, void *state)
{
	struct cpi *c = state;

	counts_init(c, run);
	c->top = cp_run_option_u64(run, "top");
	if (!may_have_branches(run))
		cp_run_wants(run, CP_WANT_SAMPLES | CP_WANT_STACKS |
				      CP_WANT_NAMES | CP_WANT_SPOTS);
	return CP_OK;
}

/* ----------------------------------------------------------------- samples */

static void
count(struct cpi *c, const struct cp_sample *s, unsigned slot, uint64_t n)
{
	struct cp_sample as = *s;

	as.evsel = slot;
	as.weight = n;
	cp_tally_add(c->by_cpu, slot, s->cpu, n);
	if (!c->brief)
		cp_tally_add(
		    c->by_thread, cp_groups_add(&c->threads, &as), 0, n);
	cp_tally_add(c->by_stack, (uint64_t)s->comm << 8 | slot, s->stack, n);
}

/* The record is complete: which ratios it tells both sides of. */
static void
reading_end(struct cpi *c)
{
	unsigned roles = 0;

	for (unsigned r = 0; r < CP_ROLES; r++)
		roles += c->has[r];
	if (c->at.reading == 0 || roles == 0)
		return;
	c->joint += roles > 1;
	for (unsigned k = 0; k < CP_RATIOS; k++) {
		const struct cp_ratio_def *d = &cp_ratio_defs[k];

		if (c->tells[k] && (c->has[d->above] || c->has[d->below]))
			count(c, &c->at, CP_ROLES + k,
			    c->value[d->above] + c->value[d->below]);
	}
	memset(c->has, 0, sizeof(c->has));
	memset(c->value, 0, sizeof(c->value));
}

static void
events_look(struct cpi *c)
{
	bool used[CP_ROLES] = { 0 };

	cp_cpi_choose(c->run, &c->events);
	for (uint32_t i = 0; i < c->events.n; i++)
		if (c->events.all[i].used)
			used[c->events.all[i].what.role] = true;
	for (unsigned k = 0; k < CP_RATIOS; k++)
		c->tells[k] = used[cp_ratio_defs[k].above] &&
			      used[cp_ratio_defs[k].below];
}

/* Counters that took turns with others stand for all the time. */
static uint64_t
scaled(struct cpi *c, const struct cp_sample *s)
{
	double n;

	if (s->enabled == 0 || s->running == 0)
		return s->period;
	c->enabled += (double)s->enabled;
	c->running += (double)s->running;
	if (s->running >= s->enabled)
		return s->period;
	n = (double)s->period * ((double)s->enabled / (double)s->running);
	return n < 0x1p62 ? (uint64_t)(n + 0.5) : (uint64_t)1 << 62;
}

void
cp_cpi_sample(struct cpi *c, const struct cp_sample *s)
{
	enum cp_role role;
	uint64_t n;

	if (s->evsel >= c->events.n)
		events_look(c);
	if (!c->events.all[s->evsel].used)
		return;
	if (s->reading != c->at.reading)
		reading_end(c);
	c->at = *s;
	role = c->events.all[s->evsel].what.role;
	n = scaled(c, s);
	count(c, s, role, n);
	c->value[role] += n;
	c->has[role] = s->reading != 0;
}

static int
cpi_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cpi *c = state;

	/* Call stacks made of LBR are no branches one after the other. */
	if (s->branches != 0 &&
	    !(cp_run_evsel(run, s->evsel)->branch_type & BRANCH_CALL_STACK))
		cp_cpi_blocks_sample(&c->blocks, s);
	cp_cpi_sample(c, s);
	return CP_OK;
}

/* ------------------------------------------------------------------ finish */

static void
sum_whole(struct cpi *c)
{
	struct cp_cpi_rows rows = { .run = c->run };
	const struct cp_tally_row *t;
	size_t n = cp_tally_rows(c->by_cpu, &t);

	for (size_t i = 0; i < n; i++)
		cp_cpi_row_add(&rows, 0, (unsigned)t[i].a, &t[i]);
	if (n != 0)
		c->whole = rows.all[0];
	c->readings = c->joint != 0;
}

static void
scalars_show(struct cpi *c, struct cp_report *rep)
{
	struct cp_ratio r =
	    cp_ratio_of(&c->whole, &c->whole, CP_RATIO_CPI, c->readings);
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
		r = cp_ratio_of(
		    &c->whole, &c->whole, (enum cp_ratio_kind)k, c->readings);
		cp_report_scalar_value(rep, "ratios", cp_ratio_defs[k].name,
		    CP_COL_RATE, r.value, r.lo, r.hi);
	}
}

static void
tables_show(struct cpi *c, struct cp_report *rep)
{
	struct cp_paths paths;

	c->n_stacks = cp_tally_rows(c->by_stack, &c->stacks);
	cp_paths_build(&paths, c->run, c->stacks, c->n_stacks);
	cp_rows_name(c->run, c->stacks, c->n_stacks);
	cp_cpi_entities_show(c, paths.frames, true, rep);
	if (c->brief)
		return;
	c->by_group = cp_groups_sort(&c->threads, c->by_thread);
	cp_cpi_entities_show(c, paths.frames, false, rep);
	cp_cpi_lines_show(c, rep);
	cp_cpi_tasks_show(c, true, rep);
	cp_cpi_tasks_show(c, false, rep);
	cp_cpi_cpus_show(c, rep);
	cp_cpi_paths_show(c, rep);
}

static bool
has_both(const struct cpi *c)
{
	return c->whole.samples[CP_ROLE_CYCLES] != 0 &&
	       c->whole.samples[CP_ROLE_INSTRUCTIONS] != 0;
}

static int
cpi_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cpi *c = state;

	reading_end(c);
	sum_whole(c);
	if (has_both(c)) {
		scalars_show(c, rep);
		tables_show(c, rep);
		cp_cpi_notes(c, rep);
	} else if (!cp_cpi_blocks_show(&c->blocks, rep, c->top)) {
		cp_report_table(rep, "symbols", "By symbol");
		cp_cpi_note_missing(c, rep);
	}
	cp_cpi_note_events(run, &c->events, rep);
	return CP_OK;
}

struct cpi *
cp_cpi_new(struct cp_run *run, uint64_t top)
{
	struct cpi *c = cp_run_alloc(run, sizeof(*c));

	counts_init(c, run);
	c->brief = true;
	c->top = top;
	return c;
}

void
cp_cpi_brief_show(struct cpi *c, struct cp_report *rep)
{
	reading_end(c);
	sum_whole(c);
	if (!has_both(c))
		return;
	scalars_show(c, rep);
	tables_show(c, rep);
	cp_cpi_note_throttled(c, rep);
}

static const struct cp_option cpi_options[] = {
	{ "top", "N", "20", "show the N rows with most cycles, 0: all" },
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(cpi) = {
	.abi = CP_ABI,
	.name = "cpi",
	.summary = "cycles per instruction, misses, stalls, and where",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_RAW | CP_WANT_SPOTS,
	.options = cpi_options,
	.state_size = sizeof(struct cpi),
	.begin = cpi_begin,
	.sample = cpi_sample,
	.finish = cpi_finish,
};
