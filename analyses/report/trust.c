/* SPDX-License-Identifier: MIT */
/* How far the capture can be trusted. */
#include "analyses/report/report.h"

#include <math.h>

/*
 * What follows damage in compressed data is left out where nothing tells if it
 * is right.  A truncated file is always a finding, because build IDs and the
 * host's name are at its end.
 */
void
cp_trust_input(struct cp_run *run, struct cp_accounts *a)
{
	const struct cp_quality *q = cp_run_quality(run);
	double whole = (double)q->bytes_total + (double)q->bytes_missing;
	double read =
	    1 - cp_share((double)q->bytes_skipped, (double)q->bytes_total);
	double decided =
	    1 - cp_share((double)q->bytes_undecided, (double)q->bytes_inflated);
	struct cp_account x = { .name = CP_A_DAMAGED,
		.share = cp_percent_exact(1 - read * decided, 1) };

	if (q->bytes_inflated != 0)
		cp_accounts_add(a, &x);
	x.name = q->killed ? CP_A_KILLED : CP_A_CUT_RECORD;
	if (q->killed || q->cut)
		cp_accounts_add(a, &x);
	x = (struct cp_account){ .name = CP_A_CUT_MOST,
		.n = q->bytes_missing,
		.share = cp_percent_exact(q->bytes_missing, whole) };
	if (q->bytes_missing == 0 || cp_accounts_add(a, &x) != NULL)
		return;
	x.name = CP_A_CUT_PART;
	cp_accounts_add(a, &x);
}

static double
unnamed_share(const struct cp_named *n)
{
	return cp_share((double)n->trust[CP_TRUST_NONE], (double)n->samples);
}

bool
cp_trust_lacks_names(const struct cp_named *n)
{
	return unnamed_share(n) >= cp_threshold(CP_T_UNNAMED);
}

/*
 * Finds throttling: spans without samples where there was the most to sample.
 */
static void
find_throttling(const struct cp_quality *q, const struct cp_pauses *p,
    struct cp_accounts *a)
{
	double ns = (double)(q->last_time - q->first_time);
	struct cp_account x = { .name = CP_A_THROTTLED, .n = q->throttled };

	if (q->first_time == CP_NO_TIME || q->throttled < 2)
		return;
	if (p->timed)
		x = (struct cp_account){ .name = CP_A_PAUSED,
			.n = p->times,
			.typical = p->lost,
			.share = cp_percent_exact(p->lost, ns),
			.of = "the capture's length" };
	else if ((double)q->throttled * 1e9 < cp_threshold(CP_T_THROTTLED) * ns)
		return;
	cp_accounts_add(a, &x);
}

void
cp_trust_quality(struct cp_run *run, const char *event,
    const struct cp_pauses *pauses, const struct cp_named *named,
    const struct cp_chain_ends *chains, struct cp_accounts *a)
{
	const struct cp_quality *q = cp_run_quality(run);
	/* Lost samples may be among the lost records: the larger counts. */
	double records =
	    cp_share((double)q->lost, (double)q->records + (double)q->lost);
	double samples = cp_share((double)q->lost_samples,
	    (double)q->samples + (double)q->lost_samples);
	const struct {
		enum cp_account_name name;
		double share;
		const char *of;
	} all[] = {
		{ CP_A_LOST, fmax(records, samples),
		    samples >= records ? "samples" : "records" },
		{ CP_A_NO_NAMES, unnamed_share(named), event },
		{ CP_A_UNWOUND_PART,
		    cp_share((double)q->unwound_part, (double)q->unwound),
		    "the stacks" },
		{ CP_A_BROKEN,
		    cp_share(
			(double)chains->broken_weight, (double)chains->weight),
		    event },
		{ CP_A_LOST_CALLERS,
		    cp_share((double)(q->lost_callers - q->inferred_callers),
			(double)q->samples),
		    "the samples" },
	};

	find_throttling(q, pauses, a);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		cp_accounts_add(
		    a, &(struct cp_account){ .name = all[i].name,
			   .share = cp_percent_exact(all[i].share, 1),
			   .of = all[i].of });
}
