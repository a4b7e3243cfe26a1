/* SPDX-License-Identifier: MIT */
#include "run/merge/events.h"

/* How many events before event i have its name? */
static uint32_t
number_of(const struct cp_evsels *e, uint32_t i)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < i; k++)
		n += strcmp(e->all.data[k]->pub.name,
			 e->all.data[i]->pub.name) == 0;
	return n;
}

struct cp_evsel_info *
cp_merge_event(const struct cp_merger *m, const struct cp_run *part, uint32_t i)
{
	const struct cp_evsels *all = &m->all.rec.evsels;
	uint32_t skip = number_of(&part->rec.evsels, i);

	for (size_t k = 0; k < all->all.len; k++)
		if (strcmp(all->all.data[k]->pub.name,
			part->rec.evsels.all.data[i]->pub.name) == 0 &&
		    skip-- == 0)
			return all->all.data[k];
	return NULL;
}

/*
 * Adds the event to the union.  Its samples are decoded already; the position
 * of their id differs between captures, so the union's event has none.
 */
static void
event_new(struct cp_merger *m, const struct cp_evsel_info *from)
{
	struct cp_evsels *all = &m->all.rec.evsels;
	struct cp_attr attr = from->attr;
	struct cp_evsel_info *to;

	attr.sample_type &= ~(uint64_t)(CP_SAMPLE_IDENTIFIER | CP_SAMPLE_ID);
	to = cp_evsels_add(all, &attr, m->all.diags);
	cp_evsels_rename(all, to, from->pub.name);
}

/* Without recorded periods a sample weighs the frequency, which is no count. */
static bool
weighs_periods(const struct cp_evsel *e)
{
	return !e->freq || (e->sample_type & CP_SAMPLE_PERIOD) != 0;
}

/* Numbers of other PMUs and of tracepoints are another on each machine. */
static bool
same_on_all_machines(const struct cp_evsel *e)
{
	return e->type < CP_TYPE_BREAKPOINT && e->type != CP_TYPE_TRACEPOINT;
}

static bool
same_rate(const struct cp_evsel *a, const struct cp_evsel *b)
{
	return a->freq == b->freq && a->sample_period == b->sample_period &&
	       !a->rates && !b->rates;
}

/* Does a sample stand for a known time? */
static bool
tells_time(const struct cp_evsel *e)
{
	return e->freq || (e->type == CP_TYPE_SOFTWARE && e->config <= 1);
}

/* Why weights of one event are of two units; NULL: they are not. */
static const char *
unlike_weights(
    enum cp_weight weight, const struct cp_evsel *a, const struct cp_evsel *b)
{
	bool periods = weighs_periods(a);

	if (weight == CP_WEIGHT_PERIOD && periods != weighs_periods(b))
		return tells_time(a) && tells_time(b)
			   ? "only some captures have its periods; --weight "
			     "time counts the time that samples stand for"
			   : "only some captures have its periods; --weight "
			     "samples counts samples";
	if (weight == CP_WEIGHT_PERIOD && !periods && !same_rate(a, b))
		return "it was sampled at other rates, without periods; "
		       "--weight time counts the time that samples stand for";
	if (weight == CP_WEIGHT_SAMPLES && !same_rate(a, b))
		return "it was sampled at other rates; --weight period counts "
		       "what was measured";
	if (weight == CP_WEIGHT_TIME && tells_time(a) != tells_time(b))
		return "only some captures have it at so many samples a "
		       "second; --weight period counts what was measured";
	return NULL;
}

/* Why two events of one name cannot be added up; NULL: they can. */
static const char *
unlike(const struct cp_run *run, const struct cp_evsel *a,
    const struct cp_evsel *b)
{
	if ((same_on_all_machines(a) || same_on_all_machines(b)) &&
	    (a->type != b->type || a->config != b->config))
		return "the name stands for two events";
	return unlike_weights(run->options->weight, a, b);
}

/* True if both the capture and the union so far have samples of the event. */
static bool
added_up(const struct cp_merger *m, const struct cp_run *part, uint32_t i,
    const struct cp_evsel *to)
{
	return cp_run_kept(part, i) != 0 &&
	       cp_run_kept(&m->all, to->index) != 0;
}

/*
 * Takes the definition of the event from the first capture that has samples of
 * it: an earlier capture without samples may define the name otherwise.
 */
static void
become(struct cp_evsel *to, const struct cp_evsel *from)
{
	const uint64_t own = CP_SAMPLE_PERIOD | CP_SAMPLE_CALLCHAIN;

	to->type = from->type;
	to->config = from->config;
	to->sample_type = (to->sample_type & ~own) | (from->sample_type & own);
	if (cp_evsel_complete(from))
		return;
	to->freq = from->freq;
	to->sample_period = from->sample_period;
	to->rates = from->rates;
}

/*
 * A stack of the union does not say which capture it is from.  So the union
 * claims call chains only if all captures recorded them, and user stacks or
 * branch stacks if any did.
 */
static void
copy_stacks(struct cp_evsel *to, const struct cp_evsel *from, bool has)
{
	if (has && !(from->sample_type & CP_SAMPLE_CALLCHAIN))
		to->sample_type &= ~(uint64_t)CP_SAMPLE_CALLCHAIN;
	to->sample_type |= from->sample_type & CP_SAMPLE_STACK_USER;
	to->stack_user = CP_MAX(to->stack_user, from->stack_user);
	to->branch_type |= from->branch_type & UINT64_C(1)
						   << CP_BRANCH_CALL_STACK;
}

void
cp_merge_events_new(struct cp_merger *m, const struct cp_run *part)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(part); i++)
		if (cp_merge_event(m, part, i) == NULL)
			event_new(m, part->rec.evsels.all.data[i]);
}

static void
add_event(const struct cp_merger *m, const struct cp_run *part, uint32_t i,
    struct cp_evsel *to)
{
	const struct cp_evsel *from = cp_run_evsel(part, i);
	bool has = cp_run_kept(part, i) != 0;

	if (has && cp_run_kept(&m->all, to->index) == 0)
		become(to, from);
	else if (has)
		to->rates |= !same_rate(to, from);
	/*
	 * The union's event counts every occurrence only if it does so in each
	 * capture; else it becomes one that was sampled.
	 */
	if (!cp_evsel_complete(from)) {
		to->rates |= from->rates;
		to->freq |= from->freq;
		to->sample_period =
		    CP_MAX(to->sample_period, from->sample_period);
	}
	copy_stacks(to, from, has);
}

int
cp_merge_events_add(struct cp_merger *m, const struct cp_run *part)
{
	/* In a pipe events are described while it is read. */
	cp_merge_events_new(m, part);
	for (uint32_t i = 0; i < cp_run_evsel_count(part); i++) {
		struct cp_evsel *to = &cp_merge_event(m, part, i)->pub;
		const char *why = added_up(m, part, i, to)
				      ? unlike(part, to, cp_run_evsel(part, i))
				      : NULL;

		if (why != NULL) {
			cp_diag(m->all.diags, CP_D_UNLIKE, "event %.100s: %s",
			    to->name, why);
			return CP_FAIL;
		}
		add_event(m, part, i, to);
	}
	return CP_OK;
}

void
cp_merge_event_losses(struct cp_merger *m, const struct cp_run *part)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(part); i++) {
		const struct cp_evsel *from = cp_run_evsel(part, i);
		struct cp_evsel *to = &cp_merge_event(m, part, i)->pub;

		to->samples = cp_sum(to->samples, from->samples);
		to->period = cp_sum(to->period, from->period);
		to->lost = cp_sum(to->lost, from->lost);
		to->lost_samples = cp_sum(to->lost_samples, from->lost_samples);
		to->throttled = cp_sum(to->throttled, from->throttled);
	}
}
