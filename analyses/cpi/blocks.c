/* SPDX-License-Identifier: MIT */
/*
 * analyses/cpi/blocks.c: cycles per instruction from branch stacks alone.
 *
 * Between the target of one branch and the source of the next there is no
 * branch, and the later entry has the cycles in between.  The host tells how
 * many instructions the run had, for some of the code; CPI covers that part.
 * Blocks of one sample count as one observation when intervals are made; those
 * of a record that tells several counters of a group count once.
 */
#include "analyses/cpi/cpi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/code-groups.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"
#include "analyses/common/ratio.h"

/* Longer runs of code do not occur: the addresses do not belong together. */
#define LONGEST 65536u

void
cp_cpi_blocks_sample(struct cp_cpi_blocks *b, const struct cp_sample *s)
{
	struct cp_branch late = cp_sample_branch(b->run, s, 0), early;

	if (cp_event_again(&b->reading, s))
		return;
	b->samples++;
	for (uint32_t i = 1; i < s->branches; i++, late = early) {
		early = cp_sample_branch(b->run, s, i);
		if (late.cycles == 0 || late.from < early.to ||
		    late.from - early.to >= LONGEST)
			continue;
		b->entries++;
		cp_tally_add(b->blocks,
		    cp_sample_frame(b->run, s, early.to, CP_LEVEL_UNKNOWN),
		    cp_sample_frame(b->run, s, late.from, CP_LEVEL_UNKNOWN),
		    late.cycles);
	}
}

/* Sums over the blocks of a symbol. */
struct sum {
	struct cp_mass cycles;
	uint64_t blocks; /* number of times that a block was executed */
	/* Sums over blocks whose instructions are known. */
	struct cp_mass known;
	uint64_t known_blocks, instructions;
	/* sums of cycles * instructions and instructions^2 */
	double cross, square;
	const char *name;
	uint32_t entity;
};

struct table {
	const struct cp_cpi_blocks *b;
	struct cp_entities entities;
	struct sum *sums; /* by entity */
	struct sum whole;
	/* mean number of blocks of a sample; these are correlated */
	double same;
};

static void
sum_add(struct sum *s, const struct cp_tally_row *row, uint64_t n)
{
	s->cycles.weight += row->weight;
	s->cycles.weight_sq += row->weight_sq;
	s->blocks += row->count;
	if (n == 0)
		return;
	s->known.weight += row->weight;
	s->known.weight_sq += row->weight_sq;
	s->known_blocks += row->count;
	s->instructions += n * row->count;
	s->cross += (double)n * (double)row->weight;
	s->square += (double)n * (double)n * (double)row->count;
}

/* Makes a ratio in which all blocks of a sample count as one observation. */
static struct cp_ratio
around(const struct table *t, double value, double residuals, uint64_t blocks,
    uint64_t cycles)
{
	double n = (double)blocks / t->same;
	struct cp_ratio none = { NAN, NAN, NAN };

	if (n < CP_RATIO_LEAST || cycles == 0)
		return none;
	if (residuals < 0)
		residuals = 0;
	return cp_ratio_around(
	    value, sqrt(residuals * t->same) / (double)cycles, n);
}

static struct cp_ratio
cpi_of(const struct table *t, const struct sum *s)
{
	double r = (double)s->known.weight / (double)s->instructions;

	return around(t, r,
	    s->known.weight_sq - 2 * r * s->cross + r * r * s->square,
	    s->known_blocks, s->known.weight);
}

static struct cp_ratio
cycles_per_block(const struct table *t, const struct sum *s)
{
	double w = (double)s->cycles.weight, n = (double)s->blocks;

	return around(t, w / n, s->cycles.weight_sq - w * w / n, s->blocks,
	    s->cycles.weight);
}

static void
sum_rows(struct table *t, const struct cp_tally_row *rows, size_t n)
{
	struct cp_run *run = t->b->run;

	for (size_t i = 0; i < n; i++) {
		cp_frame_id first = (cp_frame_id)rows[i].a;
		const struct cp_frame *a = cp_frame_get(run, first);
		const struct cp_frame *b =
		    cp_frame_get(run, (cp_frame_id)rows[i].b);
		uint64_t k;

		if (a->dso != b->dso || b->addr < a->addr)
			continue;
		k = cp_run_instructions(run, first, (cp_frame_id)rows[i].b);
		sum_add(
		    &t->sums[cp_entities_of(&t->entities, first)], &rows[i], k);
		sum_add(&t->whole, &rows[i], k);
	}
}

static int
compare_sums(const void *va, const void *vb)
{
	const struct sum *a = va, *b = vb;
	int c = (a->cycles.weight < b->cycles.weight) -
		(a->cycles.weight > b->cycles.weight);

	if (c == 0 && a->name != NULL && b->name != NULL)
		c = strcmp(a->name, b->name);
	return c != 0 ? c : (a->entity > b->entity) - (a->entity < b->entity);
}

static void
sum_show(struct table *t, struct cp_table *to, const struct sum *s)
{
	struct cp_run *run = t->b->run;
	struct cp_ratio r = cpi_of(t, s);

	cp_table_add(to,
	    cp_cell_share(
		s->cycles, (struct cp_whole){ .mass = t->whole.cycles }),
	    cp_ratio_cell(r), cp_ratio_cell(cp_ratio_inverse(r)),
	    cp_ratio_cell(cycles_per_block(t, s)), s->blocks,
	    cp_word_object(run, t->entities.all[s->entity].dso), s->name);
}

static void
sums_show(struct table *t, struct cp_report *rep, uint64_t top)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Cycles"),
		CP_RATE("CPI"), CP_RATE("IPC"), CP_RATE("Cycles/block"),
		CP_COUNT("Blocks"), CP_TEXT("Object"), CP_TEXT("Symbol") };
	struct cp_run *run = t->b->run;
	struct cp_table *to =
	    cp_report_table(rep, "symbols", "By symbol", CP_COLUMNS(columns));
	uint64_t rest = 0;
	uint32_t i, n = t->entities.n;
	struct cp_word word;

	for (i = 0; i < n; i++) {
		t->sums[i].entity = i;
		t->sums[i].name = cp_run_string(
		    run, cp_run_intern(
			     run, cp_entity_name(&t->entities.all[i], &word)));
	}
	qsort(t->sums, n, sizeof(*t->sums), compare_sums);
	for (i = 0; i < n && (top == 0 || i < top); i++)
		sum_show(t, to, &t->sums[i]);
	for (uint32_t k = i; k < n; k++)
		rest += t->sums[k].cycles.weight;
	if (i < n)
		cp_table_rest(to, n - i, rest);
}

static void
whole_show(struct table *t, struct cp_report *rep)
{
	struct cp_ratio r = cpi_of(t, &t->whole), i = cp_ratio_inverse(r);
	struct cp_ratio c = cycles_per_block(t, &t->whole);

	cp_report_scalar_value(
	    rep, "ratios", "cpi", CP_COL_RATE, r.value, r.lo, r.hi);
	cp_report_scalar_value(
	    rep, "ratios", "ipc", CP_COL_RATE, i.value, i.lo, i.hi);
	cp_report_scalar_value(rep, "ratios", "cycles per block", CP_COL_RATE,
	    c.value, c.lo, c.hi);
	cp_report_scalar(
	    rep, "ratios", "cycles", CP_COL_COUNT, t->whole.cycles.weight);
	cp_report_scalar(rep, "ratios", "cycles of known instructions",
	    CP_COL_COUNT, t->whole.known.weight);
	cp_report_scalar(
	    rep, "ratios", "instructions", CP_COL_COUNT, t->whole.instructions);
	cp_report_scalar_text(rep, "ratios", "source", "branch stacks");
}

static void
notes_show(const struct table *t, struct cp_report *rep)
{
	struct cp_word a, b;

	cp_report_note(rep,
	    "from the cycles between branches: %s run%s of code in the "
	    "branch stacks of %s sample%s; those of one sample are taken as "
	    "one observation",
	    cp_word_count(&a, t->whole.blocks), cp_word_s(t->whole.blocks),
	    cp_word_count(&b, t->b->samples), cp_word_s(t->b->samples));
	if (t->whole.known.weight < t->whole.cycles.weight)
		cp_report_note(rep,
		    "how many instructions these are is known for %s of the "
		    "cycles: it needs the objects (--symbols) of x86-64, or a "
		    "processor whose instructions all have one length; "
		    "-e '{cycles,instructions}:S' counts all",
		    cp_word_percent(&a, (double)t->whole.known.weight,
			(double)t->whole.cycles.weight));
}

bool
cp_cpi_blocks_show(struct cp_cpi_blocks *b, struct cp_report *rep, uint64_t top)
{
	struct table t = { .b = b };
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(b->blocks, &rows);
	cp_frame_id *frames = cp_run_alloc(b->run, (n + 1) * sizeof(*frames));
	uint32_t above = 1;

	if (n == 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		frames[i] = (cp_frame_id)rows[i].a;
		if (frames[i] >= above)
			above = frames[i] + 1;
	}
	cp_run_name_frames(b->run, frames, n);
	cp_entities_init(&t.entities, b->run, above, true, true);
	/* There are no more entities than rows. */
	t.sums = cp_run_alloc(b->run, (n + 1) * sizeof(*t.sums));
	t.same = b->samples != 0 ? (double)b->entries / (double)b->samples : 1;
	if (t.same < 1)
		t.same = 1;
	sum_rows(&t, rows, n);
	whole_show(&t, rep);
	sums_show(&t, rep, top);
	notes_show(&t, rep);
	return true;
}
