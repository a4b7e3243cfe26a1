/* SPDX-License-Identifier: MIT */
/*
 * symbols: which files would name what has no name yet, by the share of
 * samples, and --fetch to get them from debuginfod.
 *
 * Without --fetch it opens no connection.  A sample counts for every object
 * that has an unnamed frame in its stack; where user stacks have to be
 * unwound, for every object on the way whose code is missing, too.
 */
#include "cli/symbols.h"

#include <time.h>

#include "symbolize/files.h"
#include "symbolize/misses.h"

struct plan {
	struct cp_tally *tally; /* 0, stack */
	uint64_t samples, affected;
	cp_wanted_vec wanted;
};

/* Counts by object. */
struct count {
	uint64_t unnamed, all; /* samples */
	uint64_t unnamed_row, all_row; /* + 1: the last row counted */
};

static int
plan_begin(struct cp_run *run, void *state)
{
	struct plan *p = state;

	p->tally = cp_tally_new(run);
	return CP_OK;
}

static int
plan_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct plan *p = state;

	(void)run;
	cp_tally_add(p->tally, 0, s->stack, 1);
	return CP_OK;
}

/* ---------------------------------------------------------------- counting */

static void
name_all(struct cp_run *run, const struct cp_tally_row *rows, size_t n)
{
	cp_stack_id *stacks = cp_xcalloc(n, sizeof(*stacks));

	for (size_t i = 0; i < n; i++)
		stacks[i] = (cp_stack_id)rows[i].b;
	cp_run_name(run, stacks, n);
	free(stacks);
}

static void
count_row(struct cp_run *run, struct plan *p, const struct cp_tally_row *row,
    uint64_t number, struct count *counts)
{
	bool affected = false;

	for (cp_stack_id s = (cp_stack_id)row->b; s != 0;
	     s = cp_stack_parent(run, s)) {
		cp_frame_id id = cp_stack_frame(run, s);
		const struct cp_frame *f = cp_frame_get(run, id);
		struct count *c = &counts[f->dso];

		if (f->dso == 0)
			continue;
		if (c->all_row != number)
			c->all += row->count;
		c->all_row = number;
		if (cp_frame_symbol(run, id) != NULL)
			continue;
		if (c->unnamed_row != number)
			c->unnamed += row->count;
		c->unnamed_row = number;
		affected = true;
	}
	p->samples += row->count;
	p->affected += affected ? row->count : 0;
}

/* ---------------------------------------------------------------- planning */

static bool
can_be_fetched(const struct cp_cli *cli, const struct cp_dso *d)
{
	if (d->kind == CP_DSO_KERNEL || d->kind == CP_DSO_MODULE)
		return cli->fetch.kernel;
	return d->kind == CP_DSO_FILE;
}

static void
want(struct cp_run *run, struct plan *p, const struct cp_dso_info *d,
    const struct count *c)
{
	struct cp_lacks lacks = cp_symbols_lack(cp_run_symbols(run), d);
	struct cp_wanted w = { .dso = d, .samples = c->unnamed };
	bool unwinds = run->quality.user_stacks != 0;
	bool code = lacks.code && (c->unnamed != 0 || unwinds);
	bool names = lacks.symbols && c->unnamed != 0;
	bool debug = lacks.debug && run->cli->fetch.debug_info;

	if ((lacks.code && unwinds) || debug)
		w.samples = c->all;
	w.file[CP_DBG_EXECUTABLE].wanted =
	    code && d->pub.kind == CP_DSO_FILE;
	w.file[CP_DBG_DEBUGINFO].wanted = names || debug;
	w.has_id = cp_dbg_id(&w.id, d->pub.build_id, d->pub.build_id_size);
	if (w.samples != 0 && (code || names || debug))
		*cp_vec_push(&p->wanted) = w;
}

/* Most samples first; then as they were met. */
static int
wanted_order(const void *a, const void *b)
{
	const struct cp_wanted *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return x->dso->pub.id < y->dso->pub.id ? -1 : 1;
}

static void
mark_misses(struct plan *p)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct cp_misses m;

	if (urls == NULL)
		return;
	cp_misses_load(&m, urls, (int64_t)time(NULL));
	for (size_t i = 0; i < p->wanted.len; i++)
		for (int k = 0; k < CP_DBG_KINDS; k++) {
			struct cp_wanted *w = &p->wanted.data[i];

			w->file[k].missed = w->has_id &&
			    cp_misses_find(
				&m, &w->id, (enum cp_dbg_kind)k) != NULL;
		}
	cp_misses_save(&m);
}

/* -------------------------------------------------------------- the report */

static const char *
missing_words(const struct cp_wanted *w)
{
	bool code = w->file[CP_DBG_EXECUTABLE].wanted;

	if (!w->file[CP_DBG_DEBUGINFO].wanted)
		return "the file";
	return code ? "the file and its symbols" : "its symbols";
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
	return cp_run_dso_state(run, w->dso->pub.id).mismatch
	    ? "only another build is here"
	    : "can be asked for";
}

static void
plan_table(struct cp_run *run, const struct plan *p, struct cp_report *rep)
{
	struct cp_table *t = cp_report_table(
	    rep, "missing", "What is missing, in the order of fetching");
	char hex[41];

	cp_table_column(t, "Would help", CP_COL_SHARE);
	cp_table_column(t, "Samples", CP_COL_COUNT);
	cp_table_column(t, "Object", CP_COL_TEXT);
	cp_table_column(t, "Missing", CP_COL_TEXT);
	cp_table_column(t, "Build ID", CP_COL_TEXT);
	cp_table_column(t, "State", CP_COL_TEXT);
	for (size_t i = 0; i < p->wanted.len; i++) {
		const struct cp_wanted *w = &p->wanted.data[i];
		const struct cp_dso *d = &w->dso->pub;
		double share = (double)w->samples / (double)p->samples, lo, hi;

		cp_interval(share, (double)p->samples, &lo, &hi);
		cp_table_row(t);
		cp_table_value(t, share, lo, hi);
		cp_table_u64(t, w->samples);
		cp_table_text(t, cp_run_string(run, d->name));
		cp_table_text(t, missing_words(w));
		hex[0] = '\0';
		for (size_t b = 0; b < d->build_id_size; b++)
			snprintf(hex + 2 * b, 3, "%02x", d->build_id[b]);
		cp_table_text(t, hex);
		cp_table_text(t, state_words(run, w));
	}
}

static void
result_rows(struct cp_run *run, struct cp_table *t, const struct cp_wanted *w)
{
	for (int k = 0; k < CP_DBG_KINDS; k++) {
		const struct cp_wanted_file *f = &w->file[k];

		if (!f->asked)
			continue;
		cp_table_row(t);
		cp_table_text(t, cp_run_string(run, w->dso->pub.name));
		cp_table_text(t, cp_dbg_kind_names[k]);
		cp_table_text(t, cp_fetched_words[f->result]);
		cp_table_u64(t, f->size);
	}
}

static void
result_table(struct cp_run *run, const struct plan *p, struct cp_report *rep)
{
	struct cp_table *t =
	    cp_report_table(rep, "fetched", "What came of it");

	cp_table_column(t, "Object", CP_COL_TEXT);
	cp_table_column(t, "File", CP_COL_TEXT);
	cp_table_column(t, "Result", CP_COL_TEXT);
	cp_table_column(t, "Size", CP_COL_BYTES);
	for (size_t i = 0; i < p->wanted.len; i++)
		result_rows(run, t, &p->wanted.data[i]);
}

static int
plan_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct plan *p = state;
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(p->tally, &rows);
	struct count *counts =
	    cp_xcalloc(cp_run_dso_count(run) + 1, sizeof(*counts));

	name_all(run, rows, n);
	for (size_t i = 0; i < n; i++)
		count_row(run, p, &rows[i], i + 1, counts);
	for (uint32_t d = 1; d <= cp_run_dso_count(run); d++)
		if (can_be_fetched(run->cli, cp_run_dso(run, d)))
			want(run, p, cp_dsos_at(&run->session.dsos, d),
			    &counts[d]);
	free(counts);
	if (p->wanted.len != 0)
		qsort(p->wanted.data, p->wanted.len,
		    sizeof(*p->wanted.data), wanted_order);
	mark_misses(p);
	cp_report_scalar(
	    rep, "plan", "samples", CP_COL_COUNT, p->samples);
	cp_report_scalar(rep, "plan", "samples with unnamed frames",
	    CP_COL_COUNT, p->affected);
	plan_table(run, p, rep);
	if (p->wanted.len == 0)
		cp_report_note(rep, "No file that could be had is missing.");
	return CP_OK;
}

static const struct cp_analysis plan_analysis = {
	.abi = CP_ABI,
	.name = "symbols",
	.summary = "which files are missing",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES,
	.state_size = sizeof(struct plan),
	.begin = plan_begin,
	.sample = plan_sample,
	.finish = plan_finish,
};

static int
finish(struct cp_run *run, struct cp_cli *cli, struct cp_report *rep)
{
	struct plan *p = run->tasks.data[0].state;
	int status;

	cp_run_label(run, rep);
	status = cp_run_finish(run, rep);
	if (status == CP_OK && cli->fetch.wanted && p->wanted.len != 0 &&
	    cp_fetch_wanted(cli, &p->wanted) == CP_OK)
		result_table(run, p, rep);
	cp_vec_free(&p->wanted);
	return status;
}

int
cp_command_symbols(struct cp_cli *cli)
{
	const struct cp_renderer *r = cp_report_renderer(cli);
	struct cp_report rep;
	struct cp_run run;
	int status = CP_FAIL;

	if (r == NULL)
		return cp_cli_status(cli);
	/* The plan is made without asking anybody. */
	if (cli->debuginfod == CP_DEBUGINFOD_ON)
		cli->debuginfod = CP_DEBUGINFOD_CACHED;
	cp_report_init(&rep, cli->command);
	if (cp_run_open(&run, cli, cli->captures.data[0]) == CP_OK &&
	    cp_run_add(&run, &plan_analysis) == CP_OK &&
	    cp_run_read(&run) == CP_OK)
		status = finish(&run, cli, &rep);
	if (status == CP_OK)
		cp_report_write(cli, r, &rep);
	cp_report_free(&rep);
	cp_run_close(&run);
	return cp_cli_status(cli);
}
