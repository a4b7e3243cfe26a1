/* SPDX-License-Identifier: MIT */
/*
 * offcpu: the time that threads did not run: at which stack, whether they could
 * have run or were waiting, for what, and who woke them.
 *
 * From sched:sched_switch, with wake-ups if those were recorded; else from
 * context-switch records, with the stack of the sample before; else from the
 * offcpu-time events of perf record --off-cpu, which have blocked time only.
 * Time during a loss of records is unknown; spans cut off by the capture's ends
 * or by --time are counted as open.
 */
#include <coldperf/plugin.h>

#include <string.h>

#include "analyses/common/frame-label.h"
#include "analyses/common/record-hint.h"
#include "analyses/tasks/notes.h"
#include "analyses/waits/tables.h"
#include "analyses/waits/trees.h"
#include "analyses/waits/wall.h"
#include "analyses/waits/watch.h"

static const struct cp_probe offcpu_time[] = {
	{ "offcpu-time", { NULL } },
	{ NULL, { NULL } },
};

enum tree { OFFCPU, WAKERS, OFFWAKE, WALL, ONOFF, TREES };

struct offcpu {
	struct cp_run *run;
	uint64_t top, hops;
	enum tree tree;
	bool blocked, runnable, threads;
	struct cp_waitclasses classes;
	struct cp_waitwatch watch;
	struct cp_probes probes;
	struct cp_index told_tasks; /* (pid and tid, comm) */
	struct cp_waits told;       /* waits from offcpu-time events */
	struct cp_oncpu oncpu;      /* for WALL and ONOFF */
};

/* ----------------------------------------------------------------- options */

static int
bad(struct cp_run *run, const char *option, const char *values)
{
	cp_run_diag(run, CP_D_USAGE, "--%s: `%s' is none of %s", option,
	    cp_run_option(run, option), values);
	return CP_FAIL;
}

static int
parse_options(struct offcpu *o)
{
	const char *tree = cp_run_option(o->run, "tree");
	const char *state = cp_run_option(o->run, "state");
	static const char *const trees[TREES] = { "offcpu", "wakers", "offwake",
		"wall", "onoff" };

	o->top = cp_run_option_u64(o->run, "top");
	o->hops = cp_run_option_u64(o->run, "hops");
	o->threads = cp_run_option_bool(o->run, "threads");
	o->blocked = strcmp(state, "runnable") != 0;
	o->runnable = strcmp(state, "blocked") != 0;
	if (o->blocked && o->runnable && strcmp(state, "all") != 0)
		return bad(o->run, "state", "all, blocked, runnable");
	if (o->hops == 0 || o->hops > CP_WAIT_HOPS)
		return bad(o->run, "hops", "1 ... 16");
	for (o->tree = OFFCPU; o->tree < TREES; o->tree++)
		if (strcmp(tree, trees[o->tree]) == 0)
			return CP_OK;
	return bad(o->run, "tree", "offcpu, wakers, offwake, wall, onoff");
}

static int
offcpu_begin(struct cp_run *run, void *state)
{
	struct offcpu *o = state;

	o->run = run;
	if (parse_options(o) != CP_OK ||
	    cp_waitclasses_init(
		&o->classes, run, cp_run_option(run, "wait-classes")) != CP_OK)
		return CP_FAIL;
	cp_waitwatch_init(&o->watch, run, (unsigned)o->hops);
	cp_waits_init(&o->told, run);
	cp_oncpu_init(&o->oncpu, run);
	cp_index_init(&o->told_tasks, run);
	cp_probes_init(&o->probes, run, offcpu_time);
	return CP_OK;
}

/* ----------------------------------------------------------------- samples */

/*
 * Counts an event of perf record --off-cpu: its period is ns of blocked time.
 */
static void
told(struct offcpu *o, const struct cp_sample *s)
{
	uint32_t task = cp_index_put(
	    &o->told_tasks, (uint64_t)s->pid << 32 | s->tid, s->comm);
	struct cp_wait w = { .task = task,
		.link = CP_NO_ID,
		.ns = s->period,
		.start = s->time,
		.place = { s->stack, CP_SPAN_BLOCKED, '?' } };

	if (!s->kept)
		return;
	*cp_waits_task(&o->told, task) = (struct cp_wait_task){
		.ns = { [CP_SPAN_BLOCKED] =
			    o->told.task[task].ns[CP_SPAN_BLOCKED] },
		.waits = o->told.task[task].waits,
		.longest = o->told.task[task].longest,
		.comm = s->comm,
		.pid = s->pid,
		.tid = s->tid,
		.kept = true
	};
	cp_waits_add(&o->told, &w);
}

static int
offcpu_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct offcpu *o = state;

	if (cp_probes_of(&o->probes, s) != NULL) {
		told(o, s);
		return CP_OK;
	}
	if (o->tree == WALL || o->tree == ONOFF)
		cp_oncpu_add(&o->oncpu, o->watch.state, s);
	return CP_OK;
}

/* ------------------------------------------------------------------ finish */

static void
show_wall(
    struct offcpu *o, const struct cp_waittree *tree, struct cp_report *rep)
{
	struct cp_walltree wall = { .waits = *tree,
		.oncpu = &o->oncpu,
		.watch = tree->waits == &o->told ? NULL : &o->watch,
		.apart = o->tree == ONOFF };

	cp_oncpu_finish(&o->oncpu);
	cp_walltree(&wall, rep);
}

static void
show_tree(struct offcpu *o, struct cp_waits *w, struct cp_report *rep)
{
	struct cp_waittree tree = { .waits = w,
		.classes = &o->classes,
		.blocked = o->blocked,
		.runnable = o->runnable,
		.threads = o->threads };

	cp_waittree_pools(&tree);
	switch (o->tree) {
	case OFFCPU: cp_waittree_offcpu(&tree, rep); break;
	case WAKERS: cp_waittree_wakers(&tree, rep); break;
	case OFFWAKE: cp_waittree_offwake(&tree, rep); break;
	case WALL:
	case ONOFF:
	case TREES: show_wall(o, &tree, rep); break;
	}
}

static void
show(struct offcpu *o, struct cp_waits *w, bool states, bool wakers,
    struct cp_report *rep)
{
	cp_waits_name(w);
	if (states)
		cp_waits_show_states(w, wakers, rep);
	cp_waits_show_classes(w, &o->classes, rep);
	cp_waits_show_threads(w, rep, o->top);
	cp_waits_show_processes(w, rep, o->top);
	if (states)
		cp_waits_show_longest(w, &o->classes, rep);
	if (wakers)
		cp_waits_show_wakers(w, &o->classes, rep, o->top);
	show_tree(o, w, rep);
}

static int
offcpu_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct offcpu *o = state;
	struct cp_waitwatch *w = &o->watch;
	bool sampled = cp_recipe_sampled(run, cp_sched_probes, rep);

	cp_recipe_title(run, cp_sched_probes, rep);
	if (cp_waitwatch_finish(w)) {
		show(o, &w->waits, true, cp_waitwatch_sees_wakes(w), rep);
		cp_waitwatch_notes(w, rep);
		if (o->told.n_tasks != 0)
			cp_report_note(rep,
			    "the offcpu-time events are not shown: the "
			    "switches tell more");
	} else if (o->told.n_tasks != 0) {
		show(o, &o->told, false, false, rep);
		cp_report_note(rep,
		    "from offcpu-time events: blocked time only, and one of "
		    "them may stand for many waits at a stack");
	} else if (!sampled) {
		cp_recipe_note(rep, "switches of threads", CP_ADVICE_offcpu);
	}
	return CP_OK;
}

static const struct cp_option offcpu_options[] = {
	{ "tree", "WHAT", "offcpu",
	    "stacks shown: offcpu, wakers, offwake (both joined), or with the "
	    "time on the CPU: wall, onoff" },
	{ "hops", "N", "1", "wakers of wakers in offwake, up to 16" },
	{ "state", "WHICH", "all",
	    "in the tree: all, blocked or runnable time" },
	{ "threads", NULL, NULL, "add a level of PID/TID to the tree" },
	{ "wait-classes", "FILE", NULL,
	    "more patterns of what a stack waits for" },
	{ "top", "N", "20", "show N of each table, 0: all" },
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(offcpu) = {
	.abi = CP_ABI,
	.name = "offcpu",
	.summary = "time off the CPU: where, why, and who ended it",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_SPOTS | CP_WANT_RAW | CP_WANT_ALL,
	.options = offcpu_options,
	.state_size = sizeof(struct offcpu),
	.begin = offcpu_begin,
	.sample = offcpu_sample,
	.finish = offcpu_finish,
};
