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
	struct cp_table *t = cp_report_table(
	    rep, "missing", "Missing files, in the order of fetching");

	cp_table_column(t, "Would help", CP_COL_SHARE);
	cp_table_column(t, "Samples", CP_COL_COUNT);
	cp_table_column(t, "Object", CP_COL_TEXT);
	cp_table_column(t, "Missing", CP_COL_TEXT);
	cp_table_column(t, "Build ID", CP_COL_TEXT);
	cp_table_column(t, "State", CP_COL_TEXT);
	for (size_t i = 0; i < n; i++) {
		const struct cp_wanted *w = &all[i];

		cp_table_row(t);
		cp_table_share(t,
		    (struct cp_mass){ w->samples, (double)w->samples },
		    (struct cp_whole){ .mass = { w->of, (double)w->of } });
		cp_table_u64(t, w->samples);
		cp_table_text(t, w->name);
		cp_table_text(t, missing_words(w));
		cp_table_text(t, w->hex);
		cp_table_text(t, w->state);
	}
}

static void
result_rows(struct cp_table *t, const struct cp_wanted *w)
{
	for (int k = 0; k < CP_DBG_KINDS; k++) {
		const struct cp_wanted_file *f = &w->file[k];

		if (!f->asked)
			continue;
		cp_table_row(t);
		cp_table_text(t, w->name);
		cp_table_text(t, w->alt ? "dwz" : cp_dbg_kind_names[k]);
		cp_table_text(t, cp_fetched_words[f->result]);
		cp_table_u64(t, f->size);
	}
}

void
cp_fetched_table(struct cp_report *rep, const struct cp_wanted *all, size_t n)
{
	struct cp_table *t =
	    cp_report_table(rep, "fetched", "Results of fetching");

	cp_table_column(t, "Object", CP_COL_TEXT);
	cp_table_column(t, "File", CP_COL_TEXT);
	cp_table_column(t, "Result", CP_COL_TEXT);
	cp_table_column(t, "Size", CP_COL_BYTES);
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
