/* SPDX-License-Identifier: MIT */
/*
 * deferred: samples whose user part comes in a later record.
 *
 * The chain of such a sample ends in a marker and a cookie.  The next
 * CALLCHAIN_DEFERRED record of the thread with that cookie has the rest.  A
 * record with another cookie, or the end, means that it is lost.  Samples are
 * delivered in the order of those records, as in perf.
 */
#include "base/limits.h"
#include "model/session-state.h"

static int
deliver(
    struct cp_session *s, struct cp_queued *q, cp_order_sink sink, void *ctx)
{
	int status;

	q->deferred = false;
	status = sink(ctx, q);
	s->deferred_bytes -= q->event != NULL ? q->event->copied : 0;
	free(q->event);
	return status;
}

/* Delivers the older half of the waiting samples without a user part. */
static int
deliver_older_half(struct cp_session *s, cp_order_sink sink, void *ctx)
{
	size_t n = (s->deferred.len + 1) / 2;
	struct cp_queued *all = s->deferred.data;
	int status = CP_OK;

	cp_diag(s->diags, CP_D_LIMIT, "%zu samples wait for their user part",
	    s->deferred.len);
	for (size_t i = 0; i < n; i++) {
		int r = deliver(s, &all[i], sink, ctx);

		status = status != CP_OK ? status : r;
	}
	s->deferred.len -= n;
	memmove(all, all + n, s->deferred.len * sizeof(*all));
	return status;
}

int
cp_session_defer(struct cp_session *s, const struct cp_queued *q,
    cp_order_sink sink, void *ctx)
{
	struct cp_queued *held = cp_vec_push(&s->deferred);

	*held = *q;
	if (q->event != NULL) {
		held->event = cp_event_copy(q->event);
		s->deferred_bytes += held->event->copied;
	}
	if (s->deferred.len < CP_MAX_DEFERRED &&
	    s->deferred_bytes <= CP_HELD_BYTES)
		return CP_OK;
	return deliver_older_half(s, sink, ctx);
}

static bool
is_exact_user_address(const struct cp_session *s, const struct cp_queued *q)
{
	return !s->as_recorded && (q->misc & CP_MISC_EXACT_IP) != 0 &&
	       (q->misc & CP_MISC_CPUMODE) == CP_LEVEL_USER && q->ip != 0;
}

/*
 * Joins the sampled chain and the user part.  A sample that the kernel took in
 * user code has no words of its own: the user part begins with its address.
 */
static uint32_t
joined(struct cp_session *s, const struct cp_queued *q,
    const struct cp_ev_deferred *d)
{
	CP_CLEANUP(cp_cleanup_free)
	uint64_t *words = cp_xcalloc(CP_MAX_CHAIN, sizeof(*words));
	size_t sampled =
	    cp_chains_words(&s->chains, q->chain, words, CP_MAX_CHAIN);
	size_t n = sampled;
	uint32_t joint;

	if (d->nr == 0 || n + d->nr + 1 > CP_MAX_CHAIN)
		return q->chain;
	/* The kernel may have written the marker; do not add a second. */
	if (d->ips[0] != CP_CONTEXT_USER)
		words[n++] = CP_CONTEXT_USER;
	memcpy(words + n, d->ips, (size_t)d->nr * sizeof(*words));
	n += (size_t)d->nr;
	if (sampled == 0 && n > 1 && is_exact_user_address(s, q))
		words[1] = q->ip;
	joint = cp_chains_add(&s->chains, words, n);
	return joint != 0 ? joint : q->chain;
}

/* Delivers the samples that the record completes; d NULL: all samples. */
static int
release(struct cp_session *s, uint32_t tid, const struct cp_ev_deferred *d,
    cp_order_sink sink, void *ctx)
{
	size_t left = 0;
	int status = CP_OK;

	for (size_t i = 0; i < s->deferred.len; i++) {
		struct cp_queued q = s->deferred.data[i];

		if (d != NULL && (q.tid != tid || status != CP_OK)) {
			s->deferred.data[left++] = q;
			continue;
		}
		if (d != NULL && q.cookie == d->cookie)
			q.chain = joined(s, &q, d);
		if (status == CP_OK)
			status = deliver(s, &q, sink, ctx);
		else
			free(q.event);
	}
	s->deferred.len = left;
	return status;
}

int
cp_session_undefer(struct cp_session *s, const struct cp_event *ev,
    cp_order_sink sink, void *ctx)
{
	return release(s, ev->tid, &ev->u.deferred, sink, ctx);
}

int
cp_session_undefer_all(struct cp_session *s, cp_order_sink sink, void *ctx)
{
	return release(s, 0, NULL, sink, ctx);
}
