/* SPDX-License-Identifier: MIT */
/*
 * tables-events: turns a snapshot's events, threads and account into those of a
 * run.
 */
#include "base/limits.h"
#include "base/parquet/columns.h"
#include "base/snapshot-columns.h"
#include "model/thread.h"
#include "run/tables-rows.h"

/* ------------------------------------------------------------------ events */

/* Fields of samples, if the table does not have sample_type. */
#define USUAL                                                                  \
	(CP_SAMPLE_IP | CP_SAMPLE_TID | CP_SAMPLE_TIME | CP_SAMPLE_CALLCHAIN | \
	    CP_SAMPLE_CPU | CP_SAMPLE_PERIOD)

/*
 * Does a sample stand for a part of a second that the event tells, and not for
 * a period?  Of several rates it is not known which one it had.
 */
static bool
by_rate(const struct cp_run *run, const struct cp_evsel *e)
{
	bool clock = e->type == CP_TYPE_SOFTWARE && e->config <= 1;

	return run->options->weight == CP_WEIGHT_TIME && e->freq &&
	       e->sample_period != 0 && !e->rates && run->tables->rates_told &&
	       !(clock && (e->sample_type & CP_SAMPLE_PERIOD) != 0);
}

/* Can weights of that unit be shown as the weight that was asked for? */
static bool
fits(const struct cp_run *run, const char *unit, const struct cp_evsel *e,
    bool clock)
{
	static const char *const periods[] = { "cycles", "instructions",
		"events" };
	enum cp_weight weight = run->options->weight;

	if (weight == CP_WEIGHT_SAMPLES)
		return true;
	if (weight == CP_WEIGHT_FIELD)
		return strcmp(unit, run->options->weight_field) == 0;
	if (by_rate(run, e))
		return true;
	if (weight == CP_WEIGHT_TIME || clock)
		return strcmp(unit, "ns") == 0;
	for (size_t i = 0; i < CP_ARRAY_LEN(periods); i++)
		if (strcmp(unit, periods[i]) == 0)
			return true;
	return false;
}

static void
check_unit(
    struct cp_run *run, const char *unit, const struct cp_evsel *e, bool clock)
{
	if (!fits(run, unit, e, clock))
		cp_diag(run->diags, CP_D_USAGE,
		    "the snapshot counts %.40s of %.100s%s, and not --weight "
		    "%.40s%s",
		    unit, e->name, e->rates ? " at several rates" : "",
		    cp_run_weight_name(run),
		    e->rates ? ""
			     : "; --weight samples can be counted of each");
}

uint64_t
cp_tables_weight(const struct cp_run *run, uint32_t event, uint64_t weight)
{
	const struct cp_evsel *e = cp_run_evsel(run, event);

	return by_rate(run, e) ? UINT64_C(1000000000) / e->sample_period
			       : weight;
}

/*
 * The captures by themselves would not be added up either, unless filters leave
 * samples of one rate: a snapshot has no rate of each sample.
 */
int
cp_tables_rates(const struct cp_run *run)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);
		const char *unit = run->tables->unit.data[i];

		if (run->options->weight != CP_WEIGHT_SAMPLES || !e->rates ||
		    cp_run_kept(run, i) == 0)
			continue;
		cp_diag(run->diags, CP_D_UNLIKE,
		    "event %.100s: it was sampled at other rates; which sample "
		    "had which, its captures tell: the snapshot counts %.40s",
		    e->name, unit);
		return CP_FAIL;
	}
	return CP_OK;
}

/* An event that happens n times a second may weigh n in each sample. */
static uint64_t
sample_type(int64_t told, bool constant)
{
	uint64_t type = told > 0 ? (uint64_t)told & CP_SAMPLE_KNOWN : USUAL;

	type &= ~(uint64_t)(CP_SAMPLE_IDENTIFIER | CP_SAMPLE_ID);
	return told <= 0 && constant ? type & ~(uint64_t)CP_SAMPLE_PERIOD
				     : type;
}

static void
read_events(struct cp_tables *to, struct cp_run *run, struct cp_columns *t)
{
	int64_t
	    *type = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(events, type)),
	    *config = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(events, config)),
	    *period = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(events, period)),
	    *freq = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(events, freq)),
	    *clock = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(events, clock)),
	    *samples =
		cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(events, samples)),
	    *weight = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(events, weight)),
	    *lost = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(events, lost)),
	    *lost_samples =
		cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(events, lost_samples)),
	    *throttled =
		cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(events, throttled)),
	    *fields =
		cp_columns_later(t, CP_SNAPSHOT_NUMBER(events, sample_type)),
	    *copy = cp_columns_later(t, CP_SNAPSHOT_NUMBER(events, stack_user)),
	    *rates = cp_columns_later(t, CP_SNAPSHOT_NUMBER(events, rates));
	const char **name = cp_columns_texts(t, CP_SNAPSHOT_TEXT(events, name)),
		   **unit = cp_columns_texts(t, CP_SNAPSHOT_TEXT(events, unit));

	to->rates_told =
	    cp_parquet_column(&t->p, CP_SNAPSHOT_NUMBER(events, rates)) >= 0;
	for (size_t i = 0; i < t->p.rows && i < CP_MAX_EVSELS && t->whole;
	     i++) {
		bool constant = freq[i] != 0 &&
				(uint64_t)weight[i] ==
				    (uint64_t)samples[i] * (uint64_t)period[i];
		struct cp_attr attr = { .type = (uint32_t)type[i],
			.config = (uint64_t)config[i],
			.sample_period = (uint64_t)period[i],
			.sample_type = sample_type(fields[i], constant),
			/* The first snapshots do not tell how many bytes. */
			.stack_user = (uint32_t)CP_MAX(copy[i], 1),
			.flags = (uint64_t)(freq[i] != 0) << CP_ATTR_FREQ };
		struct cp_evsel_info *e =
		    cp_evsels_add(&run->rec.evsels, &attr, run->diags);

		cp_evsels_rename(&run->rec.evsels, e, name[i]);
		unit[i] = cp_tables_shown_event(run, e, unit[i]);
		e->pub.rates = rates[i] != 0;
		e->pub.samples = (uint64_t)samples[i];
		e->pub.period = (uint64_t)weight[i];
		e->pub.lost = (uint64_t)lost[i];
		e->pub.lost_samples = (uint64_t)lost_samples[i];
		e->pub.throttled = (uint64_t)throttled[i];
		if (samples[i] != 0)
			check_unit(run, unit[i], &e->pub, clock[i] != 0);
		*cp_vec_push(&to->unit) = unit[i];
	}
}

/* ----------------------------------------------------------------- threads */

/*
 * The session gets the threads, too, for messages on filters that match none.
 */
bool
cp_tables_thread(struct cp_tables *to, struct cp_run *run, uint32_t pid,
    uint32_t tid, const char *comm)
{
	struct cp_tables_thread one = { pid, tid,
		cp_run_intern(
		    run, cp_tables_shown(run, CP_REDACT_COMM, comm)) };

	if (to->thread.len >= CP_MAX_THREADS)
		return false;
	*cp_vec_push(&to->thread) = one;
	*cp_vec_push(&run->session.thread) = (struct cp_thread){
		.tid = one.tid,
		.pid = one.pid,
		.named = true,
		.comm = one.comm,
	};
	return true;
}

static void
read_threads(struct cp_tables *to, struct cp_run *run, struct cp_columns *t)
{
	int64_t *pid = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(threads, pid)),
		*tid = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(threads, tid));
	const char **comm =
	    cp_columns_texts(t, CP_SNAPSHOT_TEXT(threads, comm));

	for (size_t i = 0; i < t->p.rows && t->whole; i++)
		if (!cp_tables_thread(
			to, run, (uint32_t)pid[i], (uint32_t)tid[i], comm[i]))
			break;
}

/* ----------------------------------------------------------------- quality */

static uint64_t *
count_of(struct cp_quality *q, const char *key)
{
#define COUNT(name, kind, field, about) { #name, &q->name },
	const struct {
		const char *key;
		uint64_t *at;
	} all[] = { CP_SNAPSHOT_COUNTS(COUNT) };
#undef COUNT

	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++)
		if (strcmp(all[i].key, key) == 0)
			return all[i].at;
	return NULL;
}

static void
read_quality(struct cp_tables *to, struct cp_run *run, struct cp_columns *t)
{
	int64_t *count =
	    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(quality, count));
	const char **key = cp_columns_texts(t, CP_SNAPSHOT_TEXT(quality, key));

	(void)to;
	for (size_t i = 0; i < t->p.rows && t->whole; i++) {
		uint64_t *at = count_of(&run->quality, key[i]);

		if (at != NULL)
			*at = (uint64_t)count[i];
	}
}

const struct cp_tables_reader cp_tables_events[] = {
	{ CP_SNAPSHOT_EVENTS, read_events, false },
	{ CP_SNAPSHOT_THREADS, read_threads, false },
	{ CP_SNAPSHOT_QUALITY, read_quality, false },
	{ 0, NULL, false },
};
