/* SPDX-License-Identifier: MIT */
#include "analyses/mem/brief.h"

#include "analyses/common/label.h"
#include "analyses/summary/thresholds.h"
#include "analyses/mem/mem.h"

static bool
recorded(const struct cp_run *run)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (cp_run_evsel(run, i)->sample_type & CP_MEM_SAMPLE_SOURCE)
			return true;
	return false;
}

static void *
begin(struct cp_run *run)
{
	struct cp_mem *m = cp_run_alloc(run, sizeof(*m));

	cp_mem_init(m, run);
	return m;
}

static void
sample(void *state, const struct cp_sample *s)
{
	cp_mem_sample(state, s);
}

/* Shows the level that has most of the latency. */
static void
show_source(const struct cp_mem *m, struct cp_brief_lines *l)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(m->by_source, &rows);
	uint64_t *sums = cp_run_alloc(m->run, (n + 1) * sizeof(*sums));
	struct cp_index levels;
	struct cp_memword word;
	struct cp_word part;
	uint32_t most = 0;

	cp_index_init(&levels, m->run);
	for (size_t i = 0; i < n; i++) {
		cp_string_id text =
		    cp_run_intern(m->run, cp_mem_level(&word, rows[i].a));
		uint32_t at = cp_index_put(&levels, text, 0);

		sums[at] += cp_mem_weight(m, &rows[i]);
	}
	for (uint32_t i = 1; i < levels.n; i++)
		if (sums[i] > sums[most])
			most = i;
	cp_brief_line(l, "%s: %s of the %s",
	    cp_run_string(m->run, (cp_string_id)levels.all[most].a),
	    cp_word_percent(
		&part, (double)sums[most], (double)m->whole.latency),
	    m->timed ? "latency" : "accesses");
}

static void
show_shared(const struct cp_mem *m, struct cp_brief_lines *l)
{
	uint64_t taken = m->whole.hitm + m->whole.peer;
	struct cp_percent p = cp_percent_of_counts(taken, m->whole.n);
	struct cp_word a, share, sure;

	if (taken == 0)
		return;
	cp_brief_line(l, "%s access%s found the line changed by another CPU",
	    cp_word_count(&a, taken), taken != 1 ? "es" : "");
	if ((double)m->whole.n >= cp_threshold(CP_T_FEW_SAMPLES) &&
	    p.lo >= 100 * cp_threshold(CP_T_SHARED_LINES))
		cp_brief_found(l, "memory",
		    "CPUs take lines from each other in %s of the accesses "
		    "(%s): coldperf mem",
		    cp_percent_share(&share, p), cp_percent_interval(&sure, p));
}

static void
show(void *state, struct cp_brief_lines *l)
{
	struct cp_mem *m = state;
	struct cp_word n, loads, stores;

	/* Samples with dumped stacks have the field, but it is empty. */
	if (m->whole.n == 0)
		return;
	cp_mem_end(m);
	cp_brief_line(l, "%s access%s: %s load%s, %s store%s",
	    cp_word_count(&n, m->whole.n), m->whole.n != 1 ? "es" : "",
	    cp_word_count(&loads, m->whole.loads), cp_word_s(m->whole.loads),
	    cp_word_count(&stores, m->whole.stores),
	    cp_word_s(m->whole.stores));
	show_source(m, l);
	show_shared(m, l);
}

const struct cp_brief_part cp_mem_brief = {
	.command = "mem",
	.what = "loads and stores",
	.record = CP_ADVICE_memory,
	.recorded = recorded,
	.begin = begin,
	.sample = sample,
	.show = show,
};
