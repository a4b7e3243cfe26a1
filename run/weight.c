/* SPDX-License-Identifier: MIT */
/*
 * weight: what samples weigh by --weight.  With field:NAME it is a number in
 * their payload.  With the sizes that a malloc probe records, a flame graph
 * shows allocations.  Samples without the field are left out.  So are values
 * below zero or with the top bit set: they are usually an error code returned
 * in place of a size.  The report shows the number of both.
 */
#include <coldperf/spans.h>

#include "base/buf.h"
#include "run/api.h"

/*
 * Finds the field in samples of an event, once for each event; NULL: it has
 * none.
 */
static const struct cp_field *
field_of(struct cp_run *run, uint32_t evsel)
{
	struct cp_weighing *w = &run->weighing;

	while (w->looked.len <= evsel) {
		*cp_vec_push(&w->looked) = false;
		*cp_vec_push(&w->field) = NULL;
	}
	if (!w->looked.data[evsel]) {
		w->looked.data[evsel] = true;
		w->field.data[evsel] =
		    cp_run_field(run, evsel, run->options->weight_field);
	}
	return w->field.data[evsel];
}

bool
cp_run_weigh(struct cp_run *run, struct cp_sample *s)
{
	const struct cp_field *f = field_of(run, s->evsel);
	uint64_t value;

	s->weight = 0;
	if (f == NULL || !cp_field_u64(f, s, &value)) {
		run->weighing.absent++;
		return false;
	}
	if (value >> 63 != 0) {
		run->weighing.negative++;
		return false;
	}
	run->weighing.found++;
	s->weight = value;
	return true;
}

/* Lists the existing numeric fields, for the message. */
static void
list_fields(const struct cp_run *run, struct cp_buf *b)
{
	for (size_t i = 0; i < run->rec.evsels.all.len; i++) {
		const struct cp_tp_event *tp = run->rec.evsels.all.data[i]->tp;
		const char *before = "";

		for (uint32_t k = 0; tp != NULL && k < tp->n_fields; k++) {
			const struct cp_tp_field *f = &tp->fields[k];

			if (f->kind != CP_TP_SCALAR ||
			    strncmp(f->name, "common_", 7) == 0)
				continue;
			if (before[0] == '\0')
				cp_buf_printf(b, "%s%s has ",
				    b->len != 0 ? "; " : "", tp->name);
			cp_buf_printf(b, "%s%s", before, f->name);
			before = " ";
		}
	}
}

/* Is the event a clock?  Its periods, if they were recorded, are ns. */
static bool
is_clock(const struct cp_evsel *e)
{
	return e->type == CP_TYPE_SOFTWARE && e->config <= 1;
}

uint64_t
cp_run_weigh_time(const struct cp_evsel *e, const struct cp_sample *s)
{
	if (is_clock(e) &&
	    (!e->freq || (e->sample_type & CP_SAMPLE_PERIOD) != 0))
		return s->period;
	return e->freq && e->sample_period != 0 ? 1000000000u / e->sample_period
						: 0;
}

/*
 * The parts that division leaves of an event's periods are not lost: they are
 * carried to its next sample, since a period may be 1.
 */
uint64_t
cp_run_weigh_latency(struct cp_run *run, const struct cp_sample *s)
{
	struct cp_weighing *w = &run->weighing;
	uint32_t n = cp_run_parallelism(run, s);
	double part;

	/* An idle CPU does no work: nothing waits for it to end. */
	if (!s->kept || s->tid == 0)
		return 0;
	if (n == 0) {
		w->absent++;
		return 0;
	}
	w->found++;
	while (w->carried.len <= s->evsel)
		*cp_vec_push(&w->carried) = 0;
	part = w->carried.data[s->evsel] + (double)(s->period % n) / n;
	w->carried.data[s->evsel] = part - (part >= 1);
	return s->period / n + (part >= 1);
}

/* Events that were recorded with a constant period tell no time. */
static void
check_times(const struct cp_run *run)
{
	const struct cp_evsel *silent = NULL;

	for (uint32_t i = 0; i < run->kept.len; i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);

		if (run->kept.data[i] == 0)
			continue;
		if (is_clock(e) || (e->freq && e->sample_period != 0))
			return;
		silent = e;
	}
	if (silent != NULL)
		cp_diag(run->diags, CP_D_USAGE,
		    "--weight time: %.100s was not recorded at a rate (perf "
		    "record -F), so its samples tell no time; --weight period "
		    "or samples counts them",
		    silent->name);
}

void
cp_run_weigh_end(struct cp_run *run)
{
	const struct cp_weighing *w = &run->weighing;
	const char *name = run->options->weight_field;
	struct cp_buf b;

	if (run->options->weight == CP_WEIGHT_TIME && run->tables == NULL)
		check_times(run);
	if (run->options->weight == CP_WEIGHT_LATENCY && w->found == 0 &&
	    run->quality.samples_kept != 0)
		cp_diag(run->diags, CP_D_USAGE,
		    "--weight latency: no switches were recorded, so it is not "
		    "known how many threads ran at once; `coldperf report' "
		    "estimates it from the samples (perf record "
		    "--switch-events records it)");
	if (run->options->weight != CP_WEIGHT_FIELD ||
	    w->absent + w->negative == 0)
		return;
	if (w->found != 0) {
		cp_diag(run->diags, CP_D_NO_WEIGHT,
		    "%" PRIu64 " without %.60s, %" PRIu64 " with a negative "
		    "one; %" PRIu64 " count",
		    w->absent, name, w->negative, w->found);
		return;
	}
	cp_buf_init(&b, 4096);
	list_fields(run, &b);
	cp_diag(run->diags, CP_D_USAGE,
	    "--weight: no sample has a number %.40s; %s", name,
	    b.len != 0 ? cp_buf_text(&b) : "no event has fields");
	cp_buf_free(&b);
}

void
cp_run_weigh_free(struct cp_run *run)
{
	cp_vec_free(&run->weighing.looked);
	cp_vec_free(&run->weighing.field);
	cp_vec_free(&run->weighing.carried);
}
