/* SPDX-License-Identifier: MIT */
/*
 * analyse: the commands that are analyses.
 */
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyses/list.h"
#include "run/api.h"
#include "cli/output.h"
#include "cli/plugin.h"
#include "config.h"
#include "render/render.h"

/* The format: as asked, by the output's suffix, or text. */
const struct cp_renderer *
cp_report_renderer(struct cp_cli *cli)
{
	const struct cp_renderer *r = NULL;

	if (cli->format != NULL) {
		r = cp_renderer_find(cli->format);
		if (r == NULL)
			cp_diag(&cli->diags, CP_D_USAGE, "unknown format `%s'",
			    cli->format);
		return r;
	}
	if (cli->output != NULL)
		r = cp_renderer_of_path(cli->output);
	return r != NULL ? r : cp_renderer_find("text");
}

static struct cp_render_options
render_options(const struct cp_cli *cli, const struct cp_output *o,
    const struct cp_renderer *r)
{
	struct cp_render_options opt = { .icicle = cli->icicle,
		.palette = cli->palette,
		.width = cli->width,
		.tool = PACKAGE_STRING };
	struct winsize ws;

	opt.color =
	    cli->color == CP_ALWAYS || (cli->color == CP_AUTO && o->terminal &&
					   getenv("NO_COLOR") == NULL);
	if (opt.width == 0 && o->terminal && strcmp(r->name, "text") == 0 &&
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0)
		opt.width = ws.ws_col;
	return opt;
}

/* The sections that the format has no place for, in one note. */
static void
tell_left(struct cp_cli *cli, const struct cp_left *left)
{
	struct cp_buf b;

	cp_buf_init(&b, 1000);
	for (size_t i = 0; i < left->sections.len; i++)
		cp_buf_printf(&b, "%s%s", i != 0 ? ", " : "",
		    left->sections.data[i]->slug);
	if (b.len != 0)
		cp_diag(&cli->diags, CP_D_NOT_SHOWN, "%s", cp_buf_text(&b));
	cp_buf_free(&b);
}

static int
choose_section(struct cp_cli *cli, struct cp_report *rep)
{
	struct cp_buf b;

	cp_buf_init(&b, 100);
	for (const struct cp_section *s = rep->first; s != NULL; s = s->next)
		cp_buf_printf(&b, "%s%s", b.len != 0 ? ", " : "", s->slug);
	if (!cp_report_only(rep, cli->section)) {
		cp_diag(&cli->diags, CP_D_USAGE,
		    "no section `%.40s'; there are: %s", cli->section,
		    cp_buf_text(&b));
		cp_buf_free(&b);
		return CP_FAIL;
	}
	cp_buf_free(&b);
	return CP_OK;
}

int
cp_report_write(
    struct cp_cli *cli, const struct cp_renderer *r, struct cp_report *rep)
{
	bool text = strcmp(r->name, "text") == 0;
	struct cp_render_options opt;
	struct cp_left left = { 0 };
	struct cp_output o;
	int status;

	if (cli->section != NULL && choose_section(cli, rep) != CP_OK)
		return CP_FAIL;
	if (!cp_renderer_can(r, rep)) {
		cp_diag(&cli->diags, CP_D_USAGE,
		    "%s shows nothing of what %s gives", r->name,
		    rep->analysis);
		return CP_FAIL;
	}
	if (cp_output_open(&o, cli, text) != CP_OK)
		return CP_FAIL;
	opt = render_options(cli, &o, r);
	status = cp_render(r, rep, &opt, &o.out, &left);
	tell_left(cli, &left);
	if (left.limit != NULL)
		cp_diag(&cli->diags, CP_D_LIMIT, "%s", left.limit);
	cp_left_free(&left);
	if (cp_output_close(&o, cli, status == CP_OK) != CP_OK)
		status = CP_FAIL;
	return status;
}

/*
 * Machines get the account in numbers with every report, pictures with the
 * overview.  As text the overview says in its notes what deviates.
 */
static int
add_tasks(struct cp_run *run, const struct cp_renderer *r)
{
	const struct cp_analysis *a =
	    cp_cli_analysis(run->cli, run->cli->command);
	const struct cp_analysis *q = cp_analysis_find("quality");
	bool whole = strcmp(r->name, "json") == 0 ||
		     ((a->wants & CP_WANT_OVERVIEW) != 0 &&
			 strcmp(r->name, "text") != 0);

	if (cp_run_add(run, a) != CP_OK)
		return CP_FAIL;
	whole = whole && a != q && a->captures <= 1;
	return whole ? cp_run_add(run, q) : CP_OK;
}

/*
 * Reads the captures of an analysis that compares them.  The windows of
 * several --time belong to them in turn; one capture with several windows is
 * read once for each.
 */
static int
read_several(
    struct cp_cli *cli, struct cp_run *run, const struct cp_renderer *r)
{
	size_t n = CP_MAX(cli->captures.len, cli->times.len);
	int status = CP_OK;

	for (size_t i = 0; i < n && status == CP_OK; i++) {
		const char *path =
		    cli->captures.data[CP_MIN(i, cli->captures.len - 1)];

		if (cli->times.len > 1)
			cli->time = cli->times.data[i];
		cli->reading = path;
		status = i == 0 ? cp_run_open(run, cli, path)
				: cp_run_next(run, cli, path);
		if (status == CP_OK && i == 0)
			status = add_tasks(run, r);
		if (status == CP_OK)
			status = cp_run_read(run);
		if (status == CP_OK)
			status = cp_run_captured(run, (uint32_t)i);
	}
	return status;
}

static int
check_number(struct cp_cli *cli, const struct cp_analysis *a)
{
	size_t n = CP_MAX(cli->captures.len, cli->times.len);

	if (cli->times.len > 1 && cli->captures.len > 1 &&
	    cli->times.len != cli->captures.len)
		cp_diag(&cli->diags, CP_D_USAGE, "%zu captures, but %zu times",
		    cli->captures.len, cli->times.len);
	else if (n > a->captures)
		cp_diag(&cli->diags, CP_D_USAGE,
		    "%s takes %" PRIu32 " captures", a->name, a->captures);
	else
		return CP_OK;
	return CP_FAIL;
}

int
cp_command_analyse(struct cp_cli *cli)
{
	const struct cp_renderer *r = cp_report_renderer(cli);
	const struct cp_analysis *a = cp_cli_analysis(cli, cli->command);
	struct cp_report rep;
	struct cp_run run = { 0 };
	int status = CP_FAIL;

	if (r == NULL || (a->captures > 1 && check_number(cli, a) != CP_OK))
		return cp_cli_status(cli);
	cp_report_init(&rep, cli->command);
	if (a->captures > 1)
		status = read_several(cli, &run, r);
	else if (cp_run_open(&run, cli, cli->captures.data[0]) == CP_OK &&
		 add_tasks(&run, r) == CP_OK)
		status = cp_run_read(&run);
	if (status == CP_OK) {
		cp_run_label(&run, &rep);
		status = cp_run_finish(&run, &rep);
	}
	if (status == CP_OK)
		cp_report_write(cli, r, &rep);
	cp_report_free(&rep);
	cp_run_close(&run);
	return cp_cli_status(cli);
}
