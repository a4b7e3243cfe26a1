/* SPDX-License-Identifier: MIT */
/*
 * stitch: LBR call stacks that are deeper than the branch registers
 * (--stitch-lbr).
 *
 * perf's rule: if the previous sample of the thread has, in the register of
 * this sample's oldest branch, the same branch, then the older branches of the
 * previous sample are taken to be callers still.  They were overwritten since.
 * Callers that the previous sample got in this way are kept too.
 */
#include "base/bytes.h"
#include "base/limits.h"
#include "model/session-state.h"

enum { ENTRY = 24 };

/* True for a call stack of branches whose register index is known. */
static bool
is_lbr_chain(const struct cp_session *s, const struct cp_queued *q)
{
	const struct cp_ev_sample *b = &q->event->u.sample;
	const struct cp_attr *a = &s->rec->evsels.all.data[q->evsel]->attr;
	const struct cp_chain *c = &s->chains.all.data[q->chain];
	uint64_t want = UINT64_C(1) << CP_BRANCH_CALL_STACK |
			UINT64_C(1) << CP_BRANCH_HW_INDEX;

	return b->branch_nr != 0 && b->branch_nr <= s->rec->info.lbr_size &&
	       b->branch_hw_idx < s->rec->info.lbr_size &&
	       (a->branch_sample_type & want) == want && c->callers != 0;
}

static struct cp_stitch *
last_sample_of(struct cp_session *s, uint32_t tid)
{
	uint32_t *at = cp_map64_put(&s->stitch_threads, tid);
	struct cp_stitch *last;

	if (*at == 0) {
		if (s->stitches.len >= CP_MAX_STITCHES)
			return NULL;
		last = cp_vec_push(&s->stitches);
		*last = (struct cp_stitch){ .branches = cp_xcalloc(
						s->rec->info.lbr_size, ENTRY) };
		*at = (uint32_t)s->stitches.len;
	}
	return &s->stitches.data[*at - 1];
}

/*
 * Finds the branch of the last sample in the register of this sample's oldest
 * branch.  False: there is none, or it is another branch.
 */
static bool
overlap(const struct cp_stitch *last, const struct cp_ev_sample *b,
    uint64_t size, uint64_t *at)
{
	uint64_t base = size - b->branch_nr + b->branch_hw_idx + 1;
	uint64_t d = last->hw_idx > base ? last->hw_idx - base
					 : size + last->hw_idx - base;

	*at = d;
	return d < last->nr &&
	       memcmp(last->branches + ENTRY * d,
		   b->branch + ENTRY * (b->branch_nr - 1), ENTRY) == 0;
}

/* Prepends the last sample's branches that are older than `at`. */
static void
collect(struct cp_stitch *last, uint64_t at, bool swap)
{
	size_t n = (size_t)(last->nr - 1 - at), had = last->older.len;

	had = CP_MIN(had, CP_MAX_CHAIN / 2 - CP_MIN(n, CP_MAX_CHAIN / 2));
	cp_vec_reserve(&last->older, n + had);
	memmove(last->older.data + n, last->older.data,
	    had * sizeof(*last->older.data));
	for (size_t i = 0; i < n; i++)
		last->older.data[i] =
		    cp_load64(last->branches + ENTRY * (at + 1 + i), swap);
	last->older.len = n + had;
}

static uint32_t
append_older(struct cp_session *s, uint32_t chain, const struct cp_stitch *last)
{
	size_t room = CP_MAX_CHAIN, more = last->older.len, n;
	CP_CLEANUP(cp_cleanup_free) uint64_t *words = NULL;
	uint32_t id;

	if (more == 0)
		return chain;
	words = cp_xcalloc(room, sizeof(*words));
	n = cp_chains_words(&s->chains, chain, words, room);
	more = CP_MIN(more, room - n);
	memcpy(words + n, last->older.data, more * sizeof(*words));
	id = cp_chains_add(&s->chains, words, n + more);
	s->chains.all.data[id].whole = true;
	return id;
}

uint32_t
cp_session_stitch(struct cp_session *s, const struct cp_queued *q)
{
	const struct cp_ev_sample *b = &q->event->u.sample;
	struct cp_stitch *last;
	uint64_t at;

	if (!is_lbr_chain(s, q))
		return q->chain;
	last = last_sample_of(s, q->tid);
	if (last == NULL)
		return q->chain;
	if (overlap(last, b, s->rec->info.lbr_size, &at))
		collect(last, at, q->event->swap);
	else
		last->older.len = 0;
	last->nr = (uint32_t)b->branch_nr;
	last->hw_idx = b->branch_hw_idx;
	memcpy(last->branches, b->branch, ENTRY * (size_t)b->branch_nr);
	return append_older(s, q->chain, last);
}

void
cp_session_stitch_free(struct cp_session *s)
{
	for (size_t i = 0; i < s->stitches.len; i++) {
		free(s->stitches.data[i].branches);
		cp_vec_free(&s->stitches.data[i].older);
	}
	cp_vec_free(&s->stitches);
	cp_map64_free(&s->stitch_threads);
}

/*
 * perf's rule for LBR call stacks: the kernel part of the chain with its USER
 * marker, the target of the last branch, then the source of each branch.  In
 * user code the sample's own ip is more exact than the last branch's target.
 */
size_t
cp_lbr_chain(uint64_t *out, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	size_t n = 0;

	while (n < s->nr && s->ips[n] != CP_CONTEXT_USER)
		n++;
	if (n == s->nr || s->branch_nr + n + 2 > CP_MAX_CHAIN)
		return 0;
	n++;
	memcpy(out, s->ips, n * sizeof(*out));
	out[n++] = (ev->misc & CP_MISC_CPUMODE) == CP_LEVEL_USER
		       ? s->ip
		       : cp_load64(s->branch + 8, ev->swap);
	for (uint64_t i = 0; i < s->branch_nr; i++)
		out[n++] = cp_load64(s->branch + 24 * i, ev->swap);
	return n;
}
