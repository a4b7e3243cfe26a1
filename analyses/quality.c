/* SPDX-License-Identifier: MIT */
/*
 * quality: how far the capture and the names can be trusted.
 *
 * An exact account of the bytes and records read, skipped, lost and cut, and of
 * the sources of names.  All numbers are shown, even zeros; notes describe the
 * faults.  Names are of innermost frames only; call chains are followed, and
 * copies of user stacks unwound, to report how far that went.
 */
#include <coldperf/plugin.h>

#include <stdio.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"
#include "analyses/common/losses.h"
#include "analyses/common/stack-ends.h"
#include "analyses/lost/chain-ends.h"
#include "analyses/lost/lost-callers.h"

struct quality {
	struct cp_run *run;
	bool chains; /* call chains are judged */
	/* event or AGAIN, stack; only if chains are judged */
	struct cp_tally *tally;
	const struct cp_tally *leaves; /* if they are not */
	struct cp_unwind_ends ends;
	uint32_t reading;
};

/* In place of an event: the sample's record was counted with another one. */
#define AGAIN UINT32_MAX

#define WANTS (CP_WANT_SAMPLES | CP_WANT_NAMES)
#define STACK_USER (1u << 13) /* of cp_evsel.sample_type */

static int
quality_begin(struct cp_run *run, void *state)
{
	struct quality *q = state;

	q->run = run;
	q->chains = strcmp(cp_run_command(run), "quality") == 0;
	q->tally = cp_tally_new(run);
	if (!q->chains)
		q->leaves = cp_run_leaves(run);
	cp_unwind_ends_init(&q->ends, run);
	/*
	 * Only the first of several captures is known yet, and nothing of a
	 * pipe.
	 */
	if ((q->chains && cp_run_merged(run)) || cp_run_evsel_count(run) == 0)
		cp_run_wants(run, WANTS | CP_WANT_STACKS);
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if ((cp_run_evsel(run, i)->sample_type & STACK_USER) != 0 ||
		    (q->chains && cp_chain_ends_of(run, i)))
			cp_run_wants(run, WANTS | CP_WANT_STACKS);
	return CP_OK;
}

static int
quality_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct quality *q = state;
	bool again = cp_event_again(&q->reading, s);

	if (q->chains)
		cp_tally_add(
		    q->tally, again ? AGAIN : s->evsel, s->stack, s->weight);
	if (!again)
		(void)cp_unwind_ends_add(&q->ends, run, s);
	return CP_OK;
}

static void
show_account(const struct cp_quality *q, struct cp_report *rep)
{
	const struct {
		const char *key;
		uint64_t value;
		enum cp_column_type type;
	} all[] = {
		{ "bytes_total", q->bytes_total, CP_COL_BYTES },
		{ "bytes_parsed", q->bytes_parsed, CP_COL_BYTES },
		{ "bytes_skipped", q->bytes_skipped, CP_COL_BYTES },
		{ "bytes_missing", q->bytes_missing, CP_COL_BYTES },
		{ "gaps", q->gaps, CP_COL_COUNT },
		{ "gap_time_ns", q->gap_time_ns, CP_COL_TIME },
		{ "records", q->records, CP_COL_COUNT },
		{ "unknown_records", q->unknown_records, CP_COL_COUNT },
		{ "samples", q->samples, CP_COL_COUNT },
		{ "samples_kept", q->samples_kept, CP_COL_COUNT },
		{ "samples_unknown_id", q->samples_unknown_id, CP_COL_COUNT },
		{ "lost", q->lost, CP_COL_COUNT },
		{ "lost_samples", q->lost_samples, CP_COL_COUNT },
		{ "throttled", q->throttled, CP_COL_COUNT },
		{ "out_of_order", q->out_of_order, CP_COL_COUNT },
		{ "truncated_chains", q->truncated_chains, CP_COL_COUNT },
		{ "unmapped_ips", q->unmapped_ips, CP_COL_COUNT },
		{ "user_stacks", q->user_stacks, CP_COL_COUNT },
		{ "unwound", q->unwound, CP_COL_COUNT },
		{ "unwound_part", q->unwound_part, CP_COL_COUNT },
		{ "aux_bytes", q->aux_bytes, CP_COL_BYTES },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		cp_report_scalar(
		    rep, "quality", all[i].key, all[i].type, all[i].value);
	if (q->lost_callers == 0)
		return;
	cp_report_scalar(
	    rep, "quality", "lost_callers", CP_COL_COUNT, q->lost_callers);
	cp_report_scalar(rep, "quality", "inferred_callers", CP_COL_COUNT,
	    q->inferred_callers);
	cp_report_scalar_share(rep, "quality", "share_lost_callers",
	    cp_share((double)q->lost_callers, (double)q->samples));
}

static void
show_shares(
    const struct cp_quality *q, const struct cp_named *n, struct cp_report *rep)
{
	double all = (double)n->samples;

	cp_report_scalar_share(rep, "quality", "share_lost",
	    cp_share((double)q->lost, (double)q->records + (double)q->lost));
	cp_report_scalar_share(rep, "quality", "share_lost_samples",
	    cp_share((double)q->lost_samples,
		(double)q->samples + (double)q->lost_samples));
	cp_report_scalar_share(rep, "quality", "share_unnamed",
	    cp_share((double)n->trust[CP_TRUST_NONE], all));
	cp_report_scalar_share(rep, "quality", "share_unverified",
	    cp_share((double)cp_named_unverified(n), all));
	cp_report_scalar_share(
	    rep, "quality", "share_mangled", cp_share((double)n->mangled, all));
	cp_report_scalar_share(rep, "quality", "share_truncated",
	    cp_share((double)q->truncated_chains, (double)q->samples));
	/* An equal build ID is no proof of content. */
	cp_report_scalar_share(rep, "trust", "build_id_equal",
	    cp_share((double)n->trust[CP_TRUST_VERIFIED], all));
	for (unsigned i = CP_TRUST_VERIFIED + 1; i < CP_TRUSTS; i++)
		cp_report_scalar_share(rep, "trust", cp_word_trust((uint8_t)i),
		    cp_share((double)n->trust[i], all));
	cp_report_scalar_share(rep, "trust", cp_word_trust(CP_TRUST_NONE),
	    cp_share((double)n->trust[CP_TRUST_NONE], all));
	for (unsigned i = CP_SOURCE_NONE + 1; i < CP_SOURCES; i++)
		cp_report_scalar_share(rep, "sources",
		    cp_word_source((uint8_t)i),
		    cp_share((double)n->source[i], all));
}

static void
show_chains(struct cp_chain_ends *c, struct cp_report *rep)
{
	if (c->all == 0)
		return;
	cp_report_scalar(rep, "chains", "user_chains", CP_COL_COUNT, c->all);
	cp_report_scalar(rep, "chains", "broken", CP_COL_COUNT, c->broken);
	cp_report_scalar_share(rep, "chains", "share_broken",
	    cp_share((double)c->broken, (double)c->all));
	cp_report_scalar_share(rep, "chains", "share_callers_unnamed",
	    cp_share((double)c->unnamed, (double)c->callers));
}

static struct cp_named
name_rows(const struct quality *q, struct cp_run *run,
    const struct cp_tally_row *rows, size_t n)
{
	if (!q->chains)
		return cp_named_leaves(run, q->leaves);
	cp_rows_name(run, rows, n);
	return cp_named_count(run, rows, n, NULL, NULL);
}

static int
quality_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct quality *qs = state;
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(qs->tally, &rows);
	struct cp_named named = name_rows(qs, run, rows, n);
	struct cp_chain_ends chains;
	struct cp_lost_callers lost;

	show_account(cp_run_quality(run), rep);
	show_shares(cp_run_quality(run), &named, rep);
	cp_named_identity(run, &named, rep);
	cp_chain_ends_init(&chains, run);
	cp_lost_callers_init(&lost, run);
	for (size_t i = 0; i < n && qs->chains; i++)
		if (rows[i].a != AGAIN) {
			cp_chain_ends_add(
			    &chains, (uint32_t)rows[i].a, &rows[i]);
			cp_lost_callers_add(
			    &lost, (cp_stack_id)rows[i].b, rows[i].count);
		}
	show_chains(&chains, rep);
	cp_lost_callers_show(&lost, rep);
	cp_unwind_ends_count(&qs->ends);
	if (qs->ends.complete != qs->ends.all)
		cp_unwind_ends_show(&qs->ends, run, rep);
	else if (cp_run_quality(run)->unwound_part != 0 &&
		 cp_unwind_ends_untold(&qs->ends, cp_run_quality(run)))
		cp_unwind_sums_show(cp_run_quality(run), rep);
	cp_account_notes(run, &named, rep);
	cp_chain_ends_note(&chains, rep);
	return CP_OK;
}

CP_ANALYSIS_DEFINE(quality) = {
	.abi = CP_ABI,
	.name = "quality",
	.summary = "what was lost, cut or not named: how far to trust the rest",
	.wants = WANTS | CP_WANT_MERGED,
	.state_size = sizeof(struct quality),
	.begin = quality_begin,
	.sample = quality_sample,
	.finish = quality_finish,
};
