/* SPDX-License-Identifier: MIT */
/* Branch stacks in three lines, for the overview. */
#include "analyses/brief/branches.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"
#include "analyses/summary/thresholds.h"

/* PERF_SAMPLE_BRANCH_CALL_STACK: they are callers. */
#define CALL_STACK (UINT64_C(1) << 11)

struct branches {
	struct cp_run *run;
	struct cp_tally *missed; /* frame branched from */
	uint32_t reading;
	uint64_t stacks, n, known, mispredicted, cycles, timed;
};

static bool
tells_branches(const struct cp_run *run, uint32_t evsel)
{
	uint64_t type = cp_run_evsel(run, evsel)->branch_type;

	return type != 0 && !(type & CALL_STACK);
}

static bool
recorded(const struct cp_run *run)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (tells_branches(run, i))
			return true;
	return false;
}

static void *
begin(struct cp_run *run)
{
	struct branches *b = cp_run_alloc(run, sizeof(*b));

	b->run = run;
	b->missed = cp_tally_new(run);
	return b;
}

static void
sample(void *state, const struct cp_sample *s)
{
	struct branches *b = state;
	uint32_t n = tells_branches(b->run, s->evsel) ? s->branches : 0;

	if (n == 0 || cp_event_again(&b->reading, s))
		return;
	b->stacks++;
	for (uint32_t i = 0; i < n; i++) {
		struct cp_branch at = cp_sample_branch(b->run, s, i);

		b->n++;
		b->known += at.mispredicted || at.predicted;
		b->timed += at.cycles != 0;
		b->cycles += at.cycles;
		if (!at.mispredicted)
			continue;
		b->mispredicted++;
		cp_tally_add(b->missed,
		    cp_sample_frame(b->run, s, at.from, CP_LEVEL_UNKNOWN), 0,
		    1);
	}
}

static void
show_missed(struct branches *b, struct cp_brief_lines *l)
{
	/* The branches of a stack follow one another: one observation. */
	double same = (double)b->n / (double)b->stacks;
	struct cp_percent p = cp_percent_of(
	    (struct cp_mass){ b->mispredicted, (double)b->mispredicted },
	    cp_counted(b->known, same));
	const struct cp_tally_row *rows, *most = NULL;
	size_t rows_n = cp_tally_rows(b->missed, &rows);
	const struct cp_symbol *sym;
	cp_frame_id frame;
	struct cp_word part;

	for (size_t i = 0; i < rows_n; i++)
		if (most == NULL || rows[i].count > most->count)
			most = &rows[i];
	cp_brief_line(
	    l, "mispredicted: %.1f %% (%.1f–%.1f %%)", p.share, p.lo, p.hi);
	if ((double)b->known >= same * cp_threshold(CP_T_FEW_SAMPLES) &&
	    p.lo >= 100 * cp_threshold(CP_T_MISPREDICTED))
		cp_brief_found(l, "branches",
		    "%.1f %% of the branches were mispredicted (%.1f–%.1f "
		    "%%): coldperf branches",
		    p.share, p.lo, p.hi);
	if (most == NULL)
		return;
	frame = (cp_frame_id)most->a;
	cp_run_name_frames(b->run, &frame, 1);
	sym = cp_frame_symbol(b->run, frame);
	if (sym != NULL)
		cp_brief_line(l, "one branch of %.200s has %s of these",
		    sym->name,
		    cp_word_percent(
			&part, (double)most->count, (double)b->mispredicted));
}

static void
show(void *state, struct cp_brief_lines *l)
{
	struct branches *b = state;
	const char *es = b->n != 1 ? "es" : "";
	struct cp_word n;

	cp_word_count(&n, b->n);
	if (b->timed != 0)
		cp_brief_line(l, "%s branch%s taken, %.1f cycles apart", n.text,
		    es, (double)b->cycles / (double)b->timed);
	else
		cp_brief_line(l, "%s branch%s taken", n.text, es);
	if (b->known != 0)
		show_missed(b, l);
}

const struct cp_brief_part cp_branches_brief = {
	.command = "branches",
	.what = "branch stacks",
	.record = CP_ADVICE_branches,
	.recorded = recorded,
	.begin = begin,
	.sample = sample,
	.show = show,
};
