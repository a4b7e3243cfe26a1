/* SPDX-License-Identifier: MIT */
#include "analyses/report/report.h"

#include "analyses/common/label.h"
#include "analyses/common/losses.h"

#define OBJECTS 4 /* shown */
/* an object with less than 1 / LEAST of the samples is not shown */
#define LEAST 1000

static uint64_t
sum(const struct cp_tally_row *rows, size_t n)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < n; i++)
		samples += rows[i].count;
	return samples;
}

/*
 * Returns the whole of the shares, which are exact if each occurrence was
 * recorded.
 */
static struct cp_whole
whole_of(struct cp_run *run, const struct cp_tally_row *rows, size_t n,
    uint64_t samples)
{
	struct cp_whole whole = cp_counted(samples, 1);

	whole.complete = n != 0;
	for (size_t i = 0; i < n; i++)
		whole.complete &=
		    cp_evsel_complete(cp_run_evsel(run, (uint32_t)rows[i].a));
	return whole;
}

/*
 * The title tells if samples of several events are counted: other tables show
 * one event.
 */
static const char *
title_of(const struct cp_tally_row *rows, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (rows[i].a != rows[0].a)
			return "Objects without symbols, by samples of all "
			       "events";
	return "Objects without symbols";
}

void
cp_unnamed_show(struct cp_run *run, const struct cp_tally_row *rows, size_t n,
    struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Samples"), CP_TEXT("Object"), CP_TEXT("Why"),
		CP_TEXT("Build ID") };
	size_t objects = (size_t)cp_run_dso_count(run) + 1;
	const struct cp_unnamed_object *all =
	    cp_unnamed_objects(run, rows, n, objects);
	uint64_t samples = sum(rows, n);
	struct cp_whole whole = whole_of(run, rows, n, samples);
	struct cp_table *t;

	if (all[0].samples == 0 || all[0].samples < samples / LEAST)
		return;
	t = cp_report_table(
	    rep, "unnamed", title_of(rows, n), CP_COLUMNS(columns));
	for (size_t i = 0; i < objects && i < OBJECTS && all[i].samples != 0 &&
			   all[i].samples >= samples / LEAST;
	     i++) {
		cp_table_add(t, cp_count_cell(all[i].samples, whole),
		    all[i].samples, cp_word_object(run, all[i].dso),
		    cp_word_unnamed(run, all[i].dso),
		    cp_word_build_id(run, all[i].dso));
	}
}
