/* SPDX-License-Identifier: MIT */
/*
 * sched: how long threads waited for a CPU, and what CPUs and threads did.
 *
 * From sched:sched_switch and the wake-ups, by the rules of perf 7.  With
 * context-switch records alone there are no wake-ups, so only waits of
 * preempted threads are known.  A thread's run time is from sched_stat_runtime
 * if it was recorded, else from the switches.
 */
#include <coldperf/plugin.h>

#include <string.h>

#include "analyses/common/label.h"
#include "analyses/common/record-hint.h"
#include "analyses/sched/tables.h"
#include "analyses/sched/gather.h"
#include "analyses/sched/timehist.h"
#include "analyses/tasks/notes.h"

/* Rows of a table of threads in text, without --top. */
enum { TEXT_ROWS = 20 };

static int
sched_begin(struct cp_run *run, void *state)
{
	struct cp_sched *s = state;
	const char *by = cp_run_option(run, "by");

	cp_sched_init(s, run, (uint32_t)cp_run_option_u64(run, "worst"));
	s->by_cgroup = strcmp(by, "cgroup") == 0;
	s->by_comm = s->by_cgroup || strcmp(by, "comm") == 0;
	s->groups = (struct cp_task_groups){ .run = run, .spans = s->tasks };
	if (!s->by_comm && strcmp(by, "thread") != 0) {
		cp_run_diag(run, CP_D_USAGE,
		    "bad value `%s' of --by: thread, comm or cgroup", by);
		return CP_FAIL;
	}
	s->timehist = cp_run_option_bool(run, "timehist");
	s->map = cp_run_option_bool(run, "map");
	s->text_rows = cp_run_option(run, "top") == NULL ? TEXT_ROWS : 0;
	s->top = cp_run_option_u64(run, "top");
	return CP_OK;
}

static int
sched_sample(struct cp_run *run, void *state, const struct cp_sample *in)
{
	struct cp_sched *s = state;

	if (s->by_cgroup)
		cp_task_groups_sample(&s->groups, in);
	cp_sched_take(s);
	return CP_OK;
}

static int
sched_event(struct cp_run *run, void *state, const struct cp_sideband *in)
{
	cp_sched_take(state);
	return CP_OK;
}

/* Counts, over all threads, of waits that are uncertain. */
struct doubts {
	uint64_t first, unknown, rough;
};

static struct doubts
doubts_count(struct cp_sched *s)
{
	struct doubts d = { 0 };

	for (uint32_t i = 0; i < s->tasks->n_threads; i++) {
		const struct cp_runqueue_thread *r =
		    cp_runqueue_thread(&s->queue, i);

		d.first += r->first_zero;
		d.unknown += r->unknown;
		d.rough += !cp_delays_exact(&r->delays);
	}
	return d;
}

#define MANY_ROWS 100

/* Threads of few names, as those of a build, are better read by name. */
static void
advise_by_comm(struct cp_sched *s, struct cp_report *rep)
{
	struct cp_word threads, names;
	struct cp_index comms;
	uint32_t n = 0;

	cp_index_init(&comms, s->run);
	for (uint32_t i = 0; i < s->tasks->n_threads; i++) {
		const struct cp_sched_thread *t = cp_spans_thread(s->tasks, i);

		if (!cp_sched_shows(s, t))
			continue;
		n++;
		(void)cp_index_put(
		    &comms, cp_sched_thread_name(s->tasks, t), 0);
	}
	if (n > MANY_ROWS && n / 10 >= comms.n)
		cp_report_note(rep,
		    "%s threads have %s names: --by comm has a row for each "
		    "name",
		    cp_word_count(&threads, n), cp_word_count(&names, comms.n));
	cp_index_free(&comms);
}

static void
notes(struct cp_sched *s, struct cp_report *rep)
{
	struct doubts d = doubts_count(s);
	struct cp_word word;

	if (s->tasks->seen[CP_SCHED_WAKE] == 0)
		cp_report_note(rep,
		    "no wake-ups were recorded, so only waits of preempted "
		    "threads are known; this records them: perf record "
		    "%s -a -- sleep 10",
		    cp_advice[CP_ADVICE_sched].options);
	if (d.first != 0)
		cp_report_note(rep,
		    "threads that were first seen when they began to run: "
		    "%s; that counts as a wait of 0 ns, as perf sched counts "
		    "it",
		    cp_word_count(&word, d.first));
	cp_spans_note(s->tasks, rep);
	cp_spans_renamed_note(s->tasks, rep);
	if (s->tasks->losses.n != 0)
		cp_report_note(rep,
		    "records were lost: the states of threads in that time are "
		    "unknown; waits whose length is unknown for that reason: "
		    "%s",
		    cp_word_count(&word, d.unknown));
	if (s->tasks->misfits != 0)
		cp_report_note(rep,
		    "switches that do not fit the one before on their CPU: "
		    "%s; some are missing, though no loss was recorded",
		    cp_word_count(&word, s->tasks->misfits));
	if (s->load.moved != 0 && s->tasks->seen[CP_SCHED_MIGRATE] == 0)
		cp_report_note(rep,
		    "waits that ended on another CPU than they began: %s; when "
		    "they moved was not recorded (sched:sched_migrate_task), "
		    "so "
		    "they count for the queue of the former",
		    cp_word_count(&word, s->load.moved));
	if (d.rough != 0)
		cp_report_note(rep,
		    "threads with too many waits to keep: %s; their "
		    "percentiles are within 0.4 %%",
		    cp_word_count(&word, d.rough));
}

static void
show(struct cp_sched *s, struct cp_report *rep)
{
	if (s->by_cgroup && !s->groups.any)
		cp_report_note(rep,
		    "the capture does not tell control groups: perf record "
		    "--all-cgroups");
	cp_sched_latency(s, rep);
	cp_sched_worst(s, rep);
	cp_sched_threads(s, rep);
	cp_sched_cpus(s, rep);
	notes(s, rep);
	if (!s->by_comm)
		advise_by_comm(s, rep);
}

static int
sched_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cp_sched *s = state;
	bool sampled = cp_recipe_sampled(run, cp_sched_probes, rep);

	cp_recipe_title(run, cp_sched_probes, rep);
	if (!cp_sched_finish(s)) {
		if (!sampled)
			cp_recipe_note(
			    rep, "events of the scheduler", CP_ADVICE_sched);
		return CP_OK;
	}
	if (s->timehist)
		cp_sched_timehist(s, rep);
	if (s->map)
		cp_sched_map(s, rep);
	if (!s->timehist && !s->map)
		show(s, rep);
	return CP_OK;
}

static const struct cp_option sched_options[] = {
	{ "by", "KEY", "thread",
	    "a row per thread, or comm: threads of the same name, or cgroup" },
	{ "timehist", NULL, NULL, "a line per switch instead" },
	{ "map", NULL, NULL, "which task each CPU ran, switch by switch" },
	{ "top", "N", NULL,
	    "show the first N rows of a table, 0: all; default: 20 in text, "
	    "all in other formats" },
	{ "worst", "N", "10", "explain the N longest waits, 0: none" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(sched) = {
	.abi = CP_ABI,
	.name = "sched",
	.summary = "how long threads waited for a CPU, and why",
	.wants = CP_WANT_SAMPLES | CP_WANT_RAW | CP_WANT_ALL | CP_WANT_NO_STACK,
	.options = sched_options,
	.state_size = sizeof(struct cp_sched),
	.begin = sched_begin,
	.sample = sched_sample,
	.event = sched_event,
	.finish = sched_finish,
};
