/* SPDX-License-Identifier: MIT */
/*
 * mem: where loads and stores went, how long they took, and which cache lines
 * several threads contend for.
 *
 * Reads data sources, latencies and data addresses of samples that have them
 * (perf mem, perf c2c, IBS, SPE).  Rows weigh by latency where it was recorded,
 * else by number of samples.  A line is identified by its physical address if
 * there is one, else by process and address.
 */
#include <coldperf/plugin.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"
#include "analyses/common/record-hint.h"
#include "analyses/mem/mem.h"
#include "analyses/precision/typical.h"

struct mem {
	struct cp_mem counts;
	struct cp_precision precision;
};

static int
mem_begin(struct cp_run *run, void *state)
{
	struct mem *all = state;
	struct cp_mem *m = &all->counts;

	m->top = cp_run_option_u64(run, "top");
	cp_mem_init(m, run);
	return cp_precision_init(&all->precision, run);
}

static int
mem_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct mem *all = state;
	uint64_t before = all->counts.whole.n;
	struct cp_sample access = *s;

	cp_mem_sample(&all->counts, s);
	/* Loads and stores are events that are shown together. */
	access.event = 0;
	if (all->counts.whole.n != before)
		cp_precision_add(&all->precision, &access, 0);
	return CP_OK;
}

static void
notes_show(const struct cp_mem *m, struct cp_report *rep)
{
	struct cp_word n;

	for (uint32_t i = 0;
	     !m->sourced && m->nothing == 0 && i < cp_run_evsel_count(m->run);
	     i++)
		if (cp_run_evsel(m->run, i)->sample_type &
		    CP_MEM_SAMPLE_SOURCE) {
			cp_report_note(rep,
			    "no sample of %.200s is left, by the filters or "
			    "because there was none",
			    cp_run_evsel(m->run, i)->name);
			return;
		}
	if (!m->sourced) {
		cp_recipe_note(
		    rep, "data sources of loads and stores", CP_ADVICE_memory);
		cp_report_note(rep,
		    "perf mem record and perf c2c record choose the events "
		    "that the processor has");
		return;
	}
	if (m->nothing != 0)
		cp_report_note(rep,
		    "samples that tell of no access to memory: %s; not "
		    "counted",
		    cp_word_count(&n, m->nothing));
	if (!m->timed)
		cp_report_note(rep,
		    "latencies were not recorded (perf record -W): rows weigh "
		    "by number of accesses");
	else
		cp_report_note(rep,
		    "latency is in cycles of the core; where loads were "
		    "sampled above a threshold only (ldlat), means are of "
		    "these");
	if (m->physical != 0 && m->virtual != 0)
		cp_report_note(rep,
		    "accesses whose physical address is not known: %s; their "
		    "lines are those of the process, and may be there twice",
		    cp_word_count(&n, m->virtual));
	if (!m->located)
		cp_report_note(rep,
		    "data addresses were not recorded (perf record -d), so "
		    "there are no lines");
}

static int
mem_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct mem *all = state;
	struct cp_mem *m = &all->counts;
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(m->by_code, &rows);

	cp_mem_end(m);
	cp_rows_name(run, rows, n);
	m->dispersion = cp_precision_typical(&all->precision, 0);
	cp_mem_tables(m, rep);
	notes_show(m, rep);
	cp_precision_note(&all->precision, rep);
	return CP_OK;
}

static const struct cp_option mem_options[] = {
	{ "top", "N", "20", "show the N heaviest rows of each table, 0: all" },
	CP_PRECISION_OPTION,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(mem) = {
	.abi = CP_ABI,
	.name = "mem",
	.summary = "loads and stores: levels, latency, lines shared (HITM)",
	.wants = CP_WANT_SAMPLES | CP_WANT_NAMES | CP_WANT_RAW,
	.options = mem_options,
	.state_size = sizeof(struct mem),
	.begin = mem_begin,
	.sample = mem_sample,
	.finish = mem_finish,
};
