/* SPDX-License-Identifier: MIT */
/* chain: a sample as it waits: its fields, and its call chain as an id. */
#include "model/order/queue.h"

#include "base/limits.h"

/* Replaces the leaf of *ips by the exact ip.  Returns the number of words. */
static size_t
exact_leaf(struct cp_order *o, const uint64_t **ips, size_t n, uint64_t ip,
    uint16_t misc)
{
	size_t m = 0;

	if (!o->as_recorded && cp_exact_differs(*ips, n, ip, misc) &&
	    n <= CP_MAX_CHAIN)
		m = cp_exact_chain(o->exact, *ips, n, ip, misc);
	if (m == 0 || m > CP_MAX_CHAIN)
		return n;
	*ips = o->exact;
	return m;
}

/* Adds the chain of the innermost address alone. */
static uint32_t
leaf_of(struct cp_order *o, const uint64_t *ips, uint64_t nr, uint64_t ip,
    uint16_t misc)
{
	return cp_chains_leaf(o->chains, ips, nr, ip,
	    o->as_recorded ? misc & (uint16_t)~CP_MISC_EXACT_IP : misc);
}

static bool
is_deferred(const struct cp_ev_sample *s)
{
	return s->nr >= 2 && s->ips[s->nr - 2] == CP_CONTEXT_USER_DEFERRED;
}

/* The words of the chain before a deferred user part's marker and cookie. */
static size_t
sampled_words(const struct cp_ev_sample *s)
{
	return is_deferred(s) ? (size_t)s->nr - 2 : (size_t)s->nr;
}

static uint32_t
sample_leaf(struct cp_order *o, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	return leaf_of(o, s->ips, sampled_words(s), s->ip, ev->misc);
}

static uint32_t
sample_chain(struct cp_order *o, const struct cp_event *ev, struct cp_queued *q)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	const struct cp_attr *a = &o->evsels->all.data[ev->evsel]->attr;
	const uint64_t *ips = o->lbr;
	uint32_t id;
	size_t n = 0;
	bool branches;

	if (s->nr == 0)
		return sample_leaf(o, ev);
	if (s->branch_nr != 0 && !o->no_lbr &&
	    (a->branch_sample_type >> CP_BRANCH_CALL_STACK & 1))
		n = cp_lbr_chain(o->lbr, ev);
	branches = n != 0;
	if (!branches) {
		ips = s->ips;
		n = sampled_words(s);
		q->deferred = is_deferred(s);
		q->cookie = q->deferred ? s->ips[s->nr - 1] : 0;
	}
	n = exact_leaf(o, &ips, n, s->ip, ev->misc);
	id = cp_chains_add(o->chains, ips, n);
	o->chains->all.data[id].whole = branches;
	return id != 0 ? id : sample_leaf(o, ev);
}

void
cp_order_place_(
    struct cp_order *o, struct cp_slot *s, const uint64_t *ips, uint64_t nr)
{
	if (CP_UNLIKELY((s->misc & CP_MISC_EXACT_IP) != 0))
		nr = exact_leaf(o, &ips, (size_t)nr, s->ip, s->misc);
	if (o->want_chains && nr != 0)
		s->chain = cp_chains_add(o->chains, ips, (size_t)nr);
	if (s->chain == 0)
		s->chain = leaf_of(o, ips, nr, s->ip, s->misc);
}

/*
 * User stacks are large.  So they are unwound when they are read, not copied.
 * If the mappings change before the sample's time, its record is read again.
 */
static bool
may_unwind(const struct cp_order *o, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	return o->early != NULL && o->want_stacks && o->want_chains &&
	       !o->want_payload && ev->outer && s->user_stack != NULL &&
	       s->read == NULL && s->branch == NULL && s->cgroup == 0;
}

void
cp_order_describe(
    struct cp_order *o, const struct cp_event *ev, struct cp_queued *q)
{
	*q = (struct cp_queued){ .time = ev->time,
		.offset = ev->offset,
		.pid = ev->pid,
		.tid = ev->tid,
		.cpu = ev->cpu,
		.evsel = ev->evsel,
		.type16 = (uint16_t)ev->type,
		.misc = ev->misc };
	if (ev->type != CP_RECORD_SAMPLE || ev->evsel == CP_NO_ID)
		return;
	q->ip = ev->u.sample.ip;
	q->period = ev->u.sample.period;
	if (!o->want_places || (may_unwind(o, ev) && o->early(o->ctx, ev, q)))
		return;
	q->chain = o->want_chains ? sample_chain(o, ev, q) : sample_leaf(o, ev);
}
