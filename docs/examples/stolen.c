/* SPDX-License-Identifier: MIT */
/*
 * stolen: from which commands interrupts and softirqs took the CPU, and for how
 * long.  An example of pairs: recipes say which events begin and end something.
 */
#include <coldperf/pairs.h>
#include <coldperf/plugin.h>

struct stolen {
	struct cp_run *run;
	struct cp_pairs *pairs;
	struct cp_index rows; /* (row of the pairs, command) */
	struct cp_quantiles *took;
	uint32_t cap;
};

static void
on_pair(void *ctx, const struct cp_pair_told *p)
{
	struct stolen *s = ctx;
	uint32_t row = cp_index_put(&s->rows, p->row, p->comm);

	cp_grow_to(s->run, s->took, &s->cap, row);
	cp_quantiles_add(s->run, &s->took[row], p->end - p->start, p->start);
}

static int
stolen_begin(struct cp_run *run, void *state)
{
	struct stolen *s = state;

	s->run = run;
	s->pairs = cp_pairs_new(run, on_pair, s);
	cp_index_init(&s->rows, run);
	return s->pairs != NULL ? CP_OK : CP_FAIL;
}

static int
stolen_sample(struct cp_run *run, void *state, const struct cp_sample *sample)
{
	struct stolen *s = state;

	(void)run;
	return cp_pairs_sample(s->pairs, sample);
}

static int
stolen_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct stolen *s = state;

	(void)run;
	cp_pairs_sideband(s->pairs, e);
	return CP_OK;
}

static int
stolen_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Times"),
		CP_TIME("Time"), CP_QUANTILES_COLUMNS, CP_TEXT("By"),
		CP_TEXT("Of"), CP_TEXT("Command") };
	struct stolen *s = state;
	struct cp_table *t = cp_report_table(
	    rep, "stolen", "What took the CPU, from whom", CP_COLUMNS(columns));

	cp_pairs_finish(s->pairs);
	for (uint32_t i = 0; i < s->rows.n; i++) {
		const struct cp_pair *key = &s->rows.all[i];

		cp_table_add(t, s->took[i].n, s->took[i].sum,
		    CP_QUANTILES_CELLS(&s->took[i]),
		    cp_pairs_recipe(s->pairs, (uint32_t)key->a),
		    cp_pairs_of(s->pairs, (uint32_t)key->a),
		    cp_run_string(run, (cp_string_id)key->b));
	}
	cp_table_sort(t, "Time");
	cp_table_sort(t, "Command");
	cp_table_top(t, cp_run_option_u64(run, "top"), "Time");
	return CP_OK;
}

static const struct cp_option stolen_options[] = {
	{ "recipe", "LIST", "irq,softirq", "recipes, as of coldperf pair" },
	{ "top", "N", "20", "show the N longest rows, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(stolen) = {
	.abi = CP_ABI,
	.name = "stolen",
	.summary = "what took the CPU from whom: interrupts, softirqs",
	.wants = CP_WANT_SAMPLES | CP_WANT_NAMES | CP_WANT_RAW | CP_WANT_ALL,
	.options = stolen_options,
	.state_size = sizeof(struct stolen),
	.begin = stolen_begin,
	.sample = stolen_sample,
	.event = stolen_event,
	.finish = stolen_finish,
};
