/* SPDX-License-Identifier: MIT */
#include "cli/command/symbols-tables.h"

#include <time.h>

#include "symbolize/debuginfod/misses.h"

static const char *
missing_words(const struct cp_wanted *w)
{
	bool code = w->file[CP_DBG_EXECUTABLE].wanted;

	if (w->alt)
		return "names that dwz moved";
	if (!w->file[CP_DBG_DEBUGINFO].wanted)
		return "the file";
	if (w->debug_anyway)
		return code ? "the file and its debug information"
			    : "its debug information";
	return code ? "the file and its symbols" : "its symbols";
}

void
cp_wanted_table(struct cp_report *rep, const struct cp_wanted *all, size_t n)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Would help"),
		CP_COUNT("Samples"), CP_TEXT("Object"), CP_TEXT("Missing"),
		CP_TEXT("Build ID"), CP_TEXT("State") };
	struct cp_table *t = cp_report_table(rep, "missing",
	    "Missing files, in the order of fetching", CP_COLUMNS(columns));

	for (size_t i = 0; i < n; i++) {
		const struct cp_wanted *w = &all[i];

		cp_table_add(t,
		    cp_cell_share(
			(struct cp_mass){ w->samples, (double)w->samples },
			(struct cp_whole){ .mass = { w->of, (double)w->of } }),
		    w->samples, w->name, missing_words(w), w->hex, w->state);
	}
}

static void
result_rows(struct cp_table *t, const struct cp_wanted *w)
{
	for (int k = 0; k < CP_DBG_KINDS; k++) {
		const struct cp_wanted_file *f = &w->file[k];

		if (!f->asked)
			continue;
		cp_table_add(t, w->name, w->alt ? "dwz" : cp_dbg_kind_names[k],
		    cp_fetched_words[f->result], f->size);
	}
}

void
cp_fetched_table(struct cp_report *rep, const struct cp_wanted *all, size_t n)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Object"),
		CP_TEXT("File"), CP_TEXT("Result"), CP_BYTES("Size") };
	struct cp_table *t = cp_report_table(
	    rep, "fetched", "Results of fetching", CP_COLUMNS(columns));

	for (size_t i = 0; i < n; i++)
		result_rows(t, &all[i]);
}

static const char *
state_words(struct cp_run *run, const struct cp_wanted *w)
{
	bool open = false;

	if (!w->has_id)
		return "no build ID was recorded";
	for (int k = 0; k < CP_DBG_KINDS; k++)
		open |= w->file[k].wanted && !w->file[k].missed;
	if (!open)
		return "no server knew it";
	return cp_run_dso_found(run, w->dso).mismatch
		   ? "only another build is here"
		   : "can be fetched";
}

void
cp_wanted_states(struct cp_run *run, struct cp_wanted *all, size_t n)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct cp_misses m;

	cp_misses_load(&m, urls != NULL ? urls : "", (int64_t)time(NULL));
	for (size_t i = 0; i < n; i++) {
		struct cp_wanted *w = &all[i];

		for (int k = 0; k < CP_DBG_KINDS; k++)
			w->file[k].missed =
			    w->has_id && cp_misses_find(&m, &w->id,
					     (enum cp_dbg_kind)k) != NULL;
		w->state = state_words(run, w);
	}
	cp_misses_save(&m);
}
