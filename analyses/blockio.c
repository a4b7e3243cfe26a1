/* SPDX-License-Identifier: MIT */
/*
 * blockio: how long requests to block devices took, and how many were in flight
 * at the same time.
 *
 * Counts from block:block_rq_issue to block_rq_complete: the time of the device
 * and its driver, without the time in the scheduler's queue.  A request that
 * completes in parts ends with the last part.  If a device had no room, the
 * request is issued again, as block_rq_requeue says, or else by a kernel
 * worker: its time starts then, but it stays a request of the command that
 * issued it first.  Several requests for one sector end in the order in which
 * they were issued, those of one operation and size.  Requests in flight while
 * records were lost are not counted.  The time of a loss is not part of the
 * depth, which then starts at 0 again.  Captures do not contain names of
 * devices, so they are major:minor.
 */
#include <coldperf/plugin.h>

#include "analyses/blockio/blockio.h"
#include "analyses/common/label.h"
#include "analyses/common/record-hint.h"

static const struct cp_recipe_pair pairs[] = {
	{ { "block:block_rq_issue", "block:block_rq_complete" } },
	{ { NULL, NULL } },
};

static void
notes(struct cp_blockio *b, struct cp_report *rep)
{
	static const char out[] = "not counted";
	const struct cp_pair_note all[] = {
		{ b->untimed,
		    "issued or completed at a time that was not recorded",
		    out },
		{ b->unended,
		    "under way at the end of the capture, or their completion "
		    "was not recorded",
		    "not counted, but part of the queue depth" },
		{ b->again,
		    "issued again before they completed, mostly because the "
		    "device had no room for them",
		    "their time is from the last time on" },
		{ b->unstarted, "completed, their issue not recorded", out },
		{ b->unknown, "under way when records were lost", out },
		{ b->untracked, "beyond 65536 under way at once", out },
	};

	cp_pair_notes(rep, all, sizeof(all) / sizeof(*all));
	cp_lost_waits_note(&b->waits, rep);
	cp_pair_rows_note(&b->rows, rep);
}

static int
blockio_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cp_blockio *b = state;

	if (!cp_probes_have(run, cp_blockio_probes)) {
		cp_recipe_note(rep, "requests to block devices", CP_ADVICE_io);
		return CP_OK;
	}
	cp_recipe_title(run, cp_blockio_probes, rep);
	if (cp_recipe_sampled(run, cp_blockio_probes, rep))
		return CP_OK;
	cp_blockio_finish(b);
	cp_blockio_tables(b, rep);
	notes(b, rep);
	cp_recipe_unpaired(run, pairs, rep);
	return CP_OK;
}

static const struct cp_option blockio_options[] = {
	{ "top", "N", "20", "show N commands, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(blockio) = {
	.abi = CP_ABI,
	.name = "blockio",
	.summary = "requests to block devices: latency, queue depth",
	.wants = CP_WANT_SAMPLES | CP_WANT_RAW | CP_WANT_ALL,
	.options = blockio_options,
	.state_size = sizeof(struct cp_blockio),
	.begin = cp_blockio_begin,
	.sample = cp_blockio_sample,
	.event = cp_blockio_event,
	.finish = blockio_finish,
};
