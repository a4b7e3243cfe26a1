/* SPDX-License-Identifier: MIT */
/*
 * locks: how long threads waited for locks, for which ones, where, and who woke
 * them.
 *
 * Kernel locks come from lock:contention_begin and contention_end; a mutex that
 * first spins and then sleeps begins twice and is one wait.  Futexes, on which
 * mutexes and condition variables of programs are built, come from the futex
 * system calls: an address in a process is one futex.  The value that a thread
 * expects there tells a lock from other reasons to wait.  Waits that end
 * without a wake-up (timeout, changed value, signal) are counted apart.  These
 * events do not tell who holds a lock.
 */
#include <coldperf/plugin.h>

#include "analyses/common/frame-label.h"
#include "analyses/common/label.h"
#include "analyses/common/record-hint.h"
#include "analyses/locks/locks.h"

static const struct cp_recipe_pair pairs[] = {
	{ { "lock:contention_begin", "lock:contention_end" } },
	{ { "syscalls:sys_enter_futex", "syscalls:sys_exit_futex" } },
	{ { "syscalls:sys_enter_futex_wait", "syscalls:sys_exit_futex_wait" } },
	{ { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" } },
	{ { NULL, NULL } },
};

static int
locks_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cp_locks *l = state;

	if (!cp_probes_have(run, cp_lock_probes)) {
		cp_recipe_note(rep, "waits for locks", CP_ADVICE_locks);
		return CP_OK;
	}
	cp_recipe_title(run, cp_lock_probes, rep);
	if (cp_recipe_sampled(run, cp_lock_probes, rep))
		return CP_OK;
	cp_locks_finish(l);
	cp_locks_tables(l, rep);
	cp_pair_notes(rep,
	    (const struct cp_pair_note[]){
		{ l->going_on, "going on at the end of the capture",
		    "not counted" },
		{ l->unfinished, "begun, their end not recorded",
		    "not counted" },
		{ l->unknown,
		    "of unknown length, because records were lost meanwhile",
		    "not counted" } },
	    3);
	cp_lost_waits_note(&l->waits, rep);
	if (l->decoder.left_out != 0)
		cp_recipe_left_out(rep, l->decoder.raw, l->decoder.left_out);
	cp_pair_rows_note(&l->rows, rep);
	cp_recipe_unpaired(run, pairs, rep);
	return CP_OK;
}

static const struct cp_option locks_options[] = {
	{ "top", "N", "20", "show N of each table, 0: all" },
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(locks) = {
	.abi = CP_ABI,
	.name = "locks",
	.summary = "waits for locks of the kernel and of programs (futexes)",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_SPOTS | CP_WANT_RAW | CP_WANT_ALL,
	.options = locks_options,
	.state_size = sizeof(struct cp_locks),
	.begin = cp_locks_begin,
	.sample = cp_locks_sample,
	.event = cp_locks_event,
	.finish = locks_finish,
};
