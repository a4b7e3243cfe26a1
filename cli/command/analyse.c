/* SPDX-License-Identifier: MIT */
/*
 * analyse: the commands that are analyses.
 */
#include "analyses/list.h"
#include "run/api.h"
#include "cli/idle/idle.h"
#include "cli/cli.h"
#include "cli/report-output.h"
#include "cli/progress.h"
#include "cli/plugin.h"
#include "cli/command/command.h"
#include "cli/status.h"
#include "render/render.h"

/* Adds an analysis that a format needs in every report. */
static int
add_too(struct cp_run *run, const struct cp_analysis *a, const char *name)
{
	const struct cp_analysis *other = cp_analysis_find(name);

	return a == other || (a->captures > 1 && other->capture == NULL)
		   ? CP_OK
		   : cp_run_add(run, other);
}

static bool
is_format(const struct cp_report_output *o, const char *name)
{
	return strcmp(o->renderer->name, name) == 0;
}

/*
 * A picture needs no more of a tree than it draws.  Other tools compare folded
 * stacks with perf's: commands are as recorded, not pools, and no caller is
 * marked.  A run has one form.
 */
static void
suit_formats(struct cp_cli *cli, const cp_report_outputs *to)
{
	cli->run.tree_share =
	    cli->palette == NULL ? cp_svg_share(cli->width) : 0;
	for (size_t i = 0; i < to->len; i++) {
		/* Nobody can say whose names the text of a payload has. */
		cli->run.labels |=
		    to->data[i].renderer->labels && cli->run.redact == NULL;
		if (!is_format(&to->data[i], "svg"))
			cli->run.tree_share = 0;
		if (!is_format(&to->data[i], "folded"))
			continue;
		if (cli->run.lost_callers == CP_LOST_AUTO)
			cli->run.lost_callers = CP_LOST_HIDE;
		*cp_vec_push(&cli->run.given) =
		    (struct cp_given){ "split-threads", "", 0 };
	}
}

/*
 * Adds `quality' to every report in a format for machines, and to the overview
 * in a format for pictures; in text the overview has notes instead.  Adds
 * `profile' for formats that hold samples; with several captures, only for
 * formats that keep these apart.  A page of one capture gets the code of its
 * heaviest functions, and the times at which the rate of samples changes.  A
 * snapshot alone says what `info' does, as that of the command `snapshot'.
 */
static int
add_tasks(struct cp_cli *cli, struct cp_run *run, const cp_report_outputs *to)
{
	const struct cp_analysis *a = cp_cli_analysis(cli, cli->command);
	bool overview = (a->wants & CP_WANT_OVERVIEW) != 0;
	bool samples = false, account = false, page = false, cold = true;

	for (size_t i = 0; i < to->len; i++) {
		const struct cp_report_output *o = &to->data[i];

		samples |=
		    (o->renderer->shows & CP_SHOWS(CP_SECTION_PROFILE)) != 0 &&
		    (a->captures <= 1 || o->renderer->several);
		page |= is_format(o, "html");
		cold &= is_format(o, "snapshot");
		account |=
		    is_format(o, "json") || (overview && !is_format(o, "text"));
	}
	if (cp_run_add(run, a) != CP_OK ||
	    ((account || samples) && add_too(run, a, "quality") != CP_OK))
		return CP_FAIL;
	page &= cli->captures.len == 1;
	if (page && add_too(run, a, "timeline") != CP_OK)
		return CP_FAIL;
	if (page && cli->run.code_share > 0 &&
	    add_too(run, a, "annotate") != CP_OK)
		return CP_FAIL;
	if (cold && cli->captures.len == 1 && run->tables == NULL &&
	    add_too(run, a, "info") != CP_OK)
		return CP_FAIL;
	if (samples && add_too(run, a, "profile") != CP_OK)
		return CP_FAIL;
	cp_cli_idle_wants(cli, run->wants);
	return CP_OK;
}

static int
check_number(struct cp_cli *cli, const struct cp_analysis *a)
{
	size_t n = CP_MAX(cli->captures.len, cli->run.times.len);

	if (cli->run.times.len > 1 && cli->captures.len > 1 &&
	    cli->run.times.len != cli->captures.len)
		cp_diag(&cli->diags, CP_D_USAGE, "%zu captures, but %zu times",
		    cli->captures.len, cli->run.times.len);
	else if (n > a->captures)
		cp_diag(&cli->diags, CP_D_USAGE,
		    "%s takes %" PRIu32 " captures at most", a->name,
		    a->captures);
	else
		return CP_OK;
	return CP_FAIL;
}

struct merging {
	struct cp_cli *cli;
	const cp_report_outputs *to;
};

static int
add_merged(void *ctx, struct cp_run *all)
{
	const struct merging *m = ctx;

	return add_tasks(m->cli, all, m->to);
}

/* Formats for programs (JSON) have the account of each capture. */
static bool
shows_captures(const cp_report_outputs *to)
{
	for (size_t i = 0; i < to->len; i++)
		if (is_format(&to->data[i], "json"))
			return true;
	return false;
}

/* A plug-in that fails without a diagnostic would end as if all were well. */
static void
check_said(struct cp_cli *cli, int status)
{
	if (status != CP_OK && cp_diags_worst(&cli->diags) < CP_DIAG_ERROR)
		cp_diag(&cli->diags, CP_D_PLUGIN,
		    "%s failed (CP_FAIL) and does not say why", cli->command);
}

/* Counts several captures as one. */
static int
analyse_merged(struct cp_cli *cli, const cp_report_outputs *to)
{
	struct merging ctx = { cli, to };
	struct cp_merger m;
	struct cp_report rep;
	int status;

	cp_report_init(&rep, cli->command);
	cp_merge_init(&m, &cli->run, &cli->diags);
	status = cp_merging_read(cli, &m, add_merged, &ctx);
	if (status == CP_OK) {
		cp_run_label(&m.all, &rep);
		status = cp_run_finish(&m.all, &rep);
		if (shows_captures(to))
			cp_merge_show(&m, &rep);
		cp_run_label_line(&m.all, &rep);
	}
	check_said(cli, status);
	if (status == CP_OK && cp_diags_worst(&cli->diags) < CP_DIAG_ERROR)
		cp_report_write(cli, to, &rep);
	cp_report_free(&rep);
	cp_merge_free(&m);
	return cp_cli_status(cli);
}

int
cp_command_analyse(struct cp_cli *cli)
{
	const struct cp_analysis *a = cp_cli_analysis(cli, cli->command);
	cp_report_outputs to = { 0 };
	struct cp_report rep;
	struct cp_run run = { 0 };
	int status = CP_FAIL;

	if (cp_report_choose(cli, &to) != CP_OK ||
	    (a->captures > 1 && check_number(cli, a) != CP_OK)) {
		cp_vec_free(&to);
		return cp_cli_status(cli);
	}
	suit_formats(cli, &to);
	if (a->captures < 2 && cli->captures.len > 1) {
		status = analyse_merged(cli, &to);
		cp_vec_free(&to);
		return status;
	}
	cp_report_init(&rep, cli->command);
	if (a->captures > 1)
		status = cp_comparing_read(
		    cli, &run, add_merged, &(struct merging){ cli, &to }, &rep);
	else if (cp_run_open(&run, &cli->run, &cli->diags,
		     cli->captures.data[0]) == CP_OK &&
		 add_tasks(cli, &run, &to) == CP_OK)
		status = cp_progress_read(cli, &run);
	if (status == CP_OK) {
		cp_run_label(&run, &rep);
		status = cp_run_finish(&run, &rep);
		if (shows_captures(&to))
			cp_run_origins_show(&run, &rep);
		cp_run_label_line(&run, &rep);
	}
	check_said(cli, status);
	if (status == CP_OK && cp_diags_worst(&cli->diags) < CP_DIAG_ERROR)
		cp_report_write(cli, &to, &rep);
	cp_report_free(&rep);
	cp_run_close(&run);
	cp_vec_free(&to);
	return cp_cli_status(cli);
}
