/* SPDX-License-Identifier: MIT */
/*
 * symbols: lists the files that would name unnamed code, by the share of
 * samples; --fetch gets them from debuginfod.
 *
 * Without --fetch it opens no connection.  A sample counts for every object
 * that has an unnamed frame in its stack; if user stacks are unwound, also for
 * every object whose code or unwind tables are missing.  Such a stack ends at
 * the first of these objects.  So after a fetch the capture is read again,
 * until no new file is wanted; what has come is then no longer said to be
 * missing.
 */
#include "base/strings.h"
#include "cli/command/symbols-fetch.h"
#include "cli/command/symbols-tables.h"
#include "cli/progress.h"
#include "cli/report-output.h"
#include "cli/command/command.h"
#include "cli/status.h"

#include <sys/stat.h>

#include "base/limits.h"

#include "symbolize/object/alt.h"
#include "symbolize/object/files.h"

struct plan {
	const struct cp_cli *cli;
	struct cp_tally *tally; /* 0, stack */
	/* 0, object whose code has no unwind table */
	struct cp_tally *ends;
	uint64_t samples, affected; /* counts of the first pass */
	uint64_t of;                /* number of samples of this pass */
	cp_wanted_vec wanted;       /* objects wanted in all passes */
	size_t tried;               /* number of those of earlier passes */
	bool asked;                 /* servers were asked */
	struct cp_fetch_budget left;
};

/*
 * Counts by object: samples, and the last row counted, so that none counts
 * twice.
 */
struct count {
	uint64_t unnamed, all, tableless;
	uint64_t unnamed_row, all_row, tableless_row;
};

static int
plan_begin(struct cp_run *run, void *state)
{
	struct plan *p = state;

	p->tally = cp_tally_new(run);
	p->ends = cp_tally_new(run);
	return CP_OK;
}

static int
plan_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct plan *p = state;

	(void)run;
	cp_tally_add(p->tally, 0, s->stack, 1);
	if (s->unwound == CP_UNWIND_NO_TABLE && s->unwound_dso != 0)
		cp_tally_add(p->ends, 0, s->unwound_dso, 1);
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
count_once(uint64_t *count, uint64_t *last, uint64_t number, uint64_t n)
{
	*count += *last != number ? n : 0;
	*last = number;
}

static void
count_row(struct cp_run *run, struct plan *p, const struct cp_tally_row *row,
    uint64_t number, struct count *counts)
{
	struct count *called = NULL;
	bool affected = false;

	for (cp_stack_id s = (cp_stack_id)row->b; s != 0;
	     s = cp_stack_parent(run, s)) {
		cp_frame_id id = cp_stack_frame(run, s);
		const struct cp_frame *f = cp_frame_get(run, id);
		struct count *c = &counts[f->dso];

		if (called != NULL && cp_frame_guess(f) != CP_GUESS_NONE)
			count_once(&called->tableless, &called->tableless_row,
			    number, row->count);
		called = f->dso != 0 ? c : NULL;
		if (f->dso == 0)
			continue;
		count_once(&c->all, &c->all_row, number, row->count);
		if (cp_frame_symbol(run, id) != NULL)
			continue;
		count_once(&c->unnamed, &c->unnamed_row, number, row->count);
		affected = true;
	}
	p->of += row->count;
	if (p->tried != 0)
		return;
	p->samples += row->count;
	p->affected += affected ? row->count : 0;
}

static struct count *
count_all(struct cp_run *run, struct plan *p)
{
	struct count *counts =
	    cp_xcalloc(cp_run_dso_count(run) + 1, sizeof(*counts));
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(p->tally, &rows);

	name_all(run, rows, n);
	p->of = 0;
	for (size_t i = 0; i < n; i++)
		count_row(run, p, &rows[i], i + 1, counts);
	n = cp_tally_rows(p->ends, &rows);
	for (size_t i = 0; i < n; i++)
		counts[rows[i].b].tableless += rows[i].count;
	return counts;
}

/* ---------------------------------------------------------------- planning */

static bool
can_be_fetched(const struct cp_cli *cli, const struct cp_dso *d)
{
	if (d->kind == CP_DSO_KERNEL || d->kind == CP_DSO_MODULE)
		return cli->fetch.kernel;
	return d->kind == CP_DSO_FILE;
}

static const char *
text_copy(struct cp_run *run, const char *text)
{
	size_t n = strlen(text) + 1;

	return memcpy(cp_run_alloc(run, n), text, n);
}

static const char *
hex_of(struct cp_run *run, const uint8_t *id, size_t size)
{
	char hex[41];

	cp_hex_of(hex, id, CP_MIN(size, 20));
	return text_copy(run, hex);
}

static bool
same_object(const struct cp_wanted *a, const struct cp_wanted *b)
{
	return a->has_id == b->has_id &&
	       strcmp(a->has_id ? a->id.hex : a->name,
		   b->has_id ? b->id.hex : b->name) == 0;
}

/* A file that has come, or cannot be had, is not wanted again. */
static bool
is_new(const struct plan *p, struct cp_wanted *w)
{
	bool any = false;

	for (size_t i = 0; i < p->tried; i++)
		for (int k = 0; k < CP_DBG_KINDS; k++) {
			const struct cp_wanted *x = &p->wanted.data[i];

			if (same_object(x, w) && x->file[k].wanted &&
			    (!x->has_id || x->file[k].asked ||
				x->file[k].missed))
				w->file[k].wanted = false;
		}
	for (int k = 0; k < CP_DBG_KINDS; k++)
		any |= w->file[k].wanted;
	return any;
}

static void
want(struct cp_run *run, struct plan *p, const struct cp_dso_info *d,
    const struct count *c)
{
	struct cp_lacks lacks = cp_symbols_lack(cp_run_symbols(run), d);
	struct cp_wanted w = {
		.samples = c->unnamed, .dso = d->pub.id, .of = p->of
	};
	bool unwinds = run->quality.user_stacks != 0;
	bool code = lacks.code && (c->unnamed != 0 || unwinds);
	bool names = lacks.symbols && c->unnamed != 0;
	bool all = lacks.debug && p->cli->fetch.debug_info;

	/* Only the executable shows whether it has unwind tables. */
	w.debug_anyway =
	    all || (lacks.debug && !lacks.code && c->tableless != 0);
	if ((lacks.code && unwinds) || all)
		w.samples = c->all;
	else if (w.debug_anyway)
		w.samples = CP_MAX(c->unnamed, c->tableless);
	w.file[CP_DBG_EXECUTABLE].wanted = code && d->pub.kind == CP_DSO_FILE;
	w.file[CP_DBG_DEBUGINFO].wanted = names || w.debug_anyway;
	w.has_id = cp_dbg_id(&w.id, d->pub.build_id, d->pub.build_id_size);
	w.name = text_copy(run, cp_run_string(run, d->pub.name));
	w.hex = hex_of(run, d->pub.build_id, d->pub.build_id_size);
	if (w.samples != 0 && (code || names || w.debug_anyway) &&
	    is_new(p, &w))
		*cp_vec_push(&p->wanted) = w;
}

/* Several objects may share the file; the first one tells of it. */
static bool
is_wanted(const struct plan *p, const struct cp_dbg_id *id)
{
	for (size_t i = 0; i < p->wanted.len; i++)
		if (strcmp(p->wanted.data[i].id.hex, id->hex) == 0)
			return true;
	return false;
}

/* Wants the file to which dwz moved names.  w: the object that needs them. */
static void
want_alt(struct cp_run *run, struct plan *p, struct cp_wanted w,
    const uint8_t *id, size_t size)
{
	if (w.samples == 0 || !cp_dbg_id(&w.id, id, size) ||
	    is_wanted(p, &w.id))
		return;
	w.hex = hex_of(run, id, size);
	w.alt = w.has_id = true;
	w.file[CP_DBG_DEBUGINFO].wanted = true;
	*cp_vec_push(&p->wanted) = w;
}

static void
want_alt_of_object(struct cp_run *run, struct plan *p,
    const struct cp_dso_info *d, uint64_t samples)
{
	struct cp_wanted w = {
		.samples = samples, .dso = d->pub.id, .of = p->of
	};
	uint8_t id[20];
	size_t size = 0;

	if (samples != 0)
		size = cp_symbols_missing_alt(cp_run_symbols(run), d, id);
	w.name = text_copy(run, cp_run_string(run, d->pub.name));
	want_alt(run, p, w, id, size);
}

/* Wants the files to which dwz moved names of debug files that have come. */
static void
want_alt_of_fetched(struct cp_run *run, struct plan *p, size_t first)
{
	char *root = cp_dbgcache_root();

	for (size_t i = first; i < p->tried; i++) {
		const struct cp_wanted *w = &p->wanted.data[i];
		const struct cp_wanted_file *f = &w->file[CP_DBG_DEBUGINFO];
		struct cp_wanted alt = { .name = w->name,
			.dso = w->dso,
			.samples = w->samples,
			.of = w->of };
		uint8_t id[20];
		size_t size = 0;
		char *path;

		if (w->alt || !f->asked || f->result != CP_FETCHED)
			continue;
		path = cp_dbgcache_path(root, &w->id, CP_DBG_DEBUGINFO);
		if (path != NULL)
			size = cp_symbols_missing_alt_of(
			    cp_run_symbols(run), path, id);
		free(path);
		want_alt(run, p, alt, id, size);
	}
	free(root);
}

/* Orders by samples, then by first appearance. */
static int
wanted_order(const void *a, const void *b)
{
	const struct cp_wanted *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return x->dso < y->dso ? -1 : 1;
}

/* Called after each pass over the capture. */
static int
plan_capture(struct cp_run *run, void *state, uint32_t index)
{
	struct plan *p = state;
	struct count *counts = count_all(run, p);

	(void)index;
	for (uint32_t d = 1; d <= cp_run_dso_count(run); d++) {
		const struct cp_dso_info *dso =
		    cp_dsos_at(&run->session.dsos, d);

		if (!can_be_fetched(p->cli, &dso->pub))
			continue;
		want(run, p, dso, &counts[d]);
		want_alt_of_object(run, p, dso, counts[d].all);
	}
	free(counts);
	if (p->wanted.len != p->tried)
		qsort(&p->wanted.data[p->tried], p->wanted.len - p->tried,
		    sizeof(*p->wanted.data), wanted_order);
	cp_wanted_states(
	    run, &p->wanted.data[p->tried], p->wanted.len - p->tried);
	cp_tally_clear(p->tally);
	cp_tally_clear(p->ends);
	return CP_OK;
}

/* -------------------------------------------------------------- the report */

static int
plan_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct plan *p = state;

	(void)run;
	cp_report_scalar(rep, "plan", "samples", CP_COL_COUNT, p->samples);
	cp_report_scalar(rep, "plan", "samples with unnamed frames",
	    CP_COL_COUNT, p->affected);
	cp_wanted_table(rep, p->wanted.data, p->wanted.len);
	if (p->wanted.len == 0)
		cp_report_note(
		    rep, "No file that could be fetched is missing.");
	if (p->asked)
		cp_fetched_table(rep, p->wanted.data, p->wanted.len);
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
	.capture = plan_capture,
};

static int
plan_add(struct cp_run *run, const struct cp_cli *cli)
{
	struct plan *p;

	if (cp_run_add(run, &plan_analysis) != CP_OK)
		return CP_FAIL;
	p = run->tasks.data[0].state;
	p->cli = cli;
	p->left = (struct cp_fetch_budget){ cli->fetch.bytes,
		cli->fetch.seconds, CP_FETCH_SILENCE };
	return CP_OK;
}

/* ---------------------------------------------------------------- fetching */

/* True if the capture can be read again. */
static bool
rereadable(const struct cp_run *run)
{
	struct stat st;

	return stat(run->options->capture, &st) == 0 &&
	       (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

/*
 * Runs another pass with the new files.  Of its diagnostics only those count
 * that tell of files, in place of those of the pass before: what has come is
 * not missing.
 */
static bool
again(struct cp_run *run, struct cp_cli *cli, uint32_t index)
{
	static const enum cp_diag_id of_files[] = { CP_D_NO_OBJECT,
		CP_D_STRIPPED, CP_D_MISMATCH, CP_D_UNVERIFIED, CP_D_BAD_ELF,
		CP_D_KALLSYMS };
	struct cp_diags *now = cp_run_alloc(run, sizeof(*now));

	cp_diags_init(now);
	run->diags = now;
	if (cp_run_next(run, cli->captures.data[0]) != CP_OK ||
	    cp_progress_read(cli, run) != CP_OK ||
	    cp_run_captured(run, index, NULL) != CP_OK)
		return false;
	for (size_t i = 0; i < CP_ARRAY_LEN(of_files); i++)
		cp_diags_replace(&cli->diags, now, of_files[i]);
	return true;
}

static void
fetch_all(struct cp_run *run, struct cp_cli *cli, struct plan *p)
{
	bool more = true;

	for (uint32_t i = 1; more && p->tried < p->wanted.len; i++) {
		size_t first = p->tried;

		p->tried = p->wanted.len;
		if (cp_fetch_wanted(cli, &p->wanted.data[first],
			p->tried - first, &p->left, &more) != CP_OK)
			return;
		p->asked = true;
		if (more && rereadable(run)) {
			more = again(run, cli, i);
		} else if (more) {
			want_alt_of_fetched(run, p, first);
			cp_wanted_states(run, &p->wanted.data[p->tried],
			    p->wanted.len - p->tried);
		}
	}
}

static int
finish(struct cp_run *run, struct cp_cli *cli, struct cp_report *rep)
{
	struct plan *p = run->tasks.data[0].state;
	int status;

	cp_run_label(run, rep);
	if (cli->fetch.wanted)
		fetch_all(run, cli, p);
	status = cp_run_finish(run, rep);
	cp_run_label_line(run, rep);
	cp_vec_free(&p->wanted);
	return status;
}

int
cp_command_symbols(struct cp_cli *cli)
{
	cp_report_outputs to = { 0 };
	struct cp_report rep;
	struct cp_run run;
	int status = CP_FAIL;

	if (cp_report_choose(cli, &to) != CP_OK)
		return cp_cli_status(cli);
	/* The plan is made without connecting to servers. */
	if (cli->run.debuginfod == CP_DEBUGINFOD_ON)
		cli->run.debuginfod = CP_DEBUGINFOD_CACHED;
	cp_report_init(&rep, cli->command);
	if (cp_run_open(&run, &cli->run, &cli->diags, cli->captures.data[0]) ==
		CP_OK &&
	    plan_add(&run, cli) == CP_OK &&
	    cp_progress_read(cli, &run) == CP_OK &&
	    cp_run_captured(&run, 0, NULL) == CP_OK)
		status = finish(&run, cli, &rep);
	if (status == CP_OK)
		cp_report_write(cli, &to, &rep);
	cp_report_free(&rep);
	cp_run_close(&run);
	cp_vec_free(&to);
	return cp_cli_status(cli);
}
