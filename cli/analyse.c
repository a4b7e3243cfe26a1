/* SPDX-License-Identifier: MIT */
/*
 * analyse: the commands that are analyses.
 */
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyses/list.h"
#include "cli/host.h"
#include "cli/output.h"
#include "config.h"
#include "render/render.h"

/* The format: as asked, by the output's suffix, or text. */
static const struct cp_renderer *
choose_renderer(struct cp_cli *cli)
{
	const struct cp_renderer *r = NULL;

	if (cli->format != NULL) {
		r = cp_renderer_find(cli->format);
		if (r == NULL)
			cp_diag(&cli->diags, CP_D_USAGE,
			    "unknown format `%s'", cli->format);
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
		.palette = cli->palette, .width = cli->width,
		.tool = PACKAGE_STRING };
	struct winsize ws;

	opt.color = cli->color == CP_ALWAYS ||
	    (cli->color == CP_AUTO && o->terminal &&
		getenv("NO_COLOR") == NULL);
	if (opt.width == 0 && o->terminal && strcmp(r->name, "text") == 0 &&
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0)
		opt.width = ws.ws_col;
	return opt;
}

static int
write_report(struct cp_cli *cli, const struct cp_renderer *r,
    const struct cp_report *rep)
{
	bool text = strcmp(r->name, "text") == 0;
	struct cp_render_options opt;
	struct cp_left left = { 0 };
	struct cp_output o;
	int status;

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
	for (size_t i = 0; i < left.sections.len; i++)
		cp_diag(&cli->diags, CP_D_NOT_SHOWN, "%s",
		    left.sections.data[i]->slug);
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
	const struct cp_analysis *a = cp_analysis_find(run->cli->command);
	const struct cp_analysis *q = cp_analysis_find("quality");
	bool whole = strcmp(r->name, "json") == 0 ||
	    ((a->wants & CP_WANT_OVERVIEW) != 0 &&
		strcmp(r->name, "text") != 0);

	if (cp_run_add(run, a) != CP_OK)
		return CP_FAIL;
	return whole && a != q ? cp_run_add(run, q) : CP_OK;
}

int
cp_command_analyse(struct cp_cli *cli)
{
	const struct cp_renderer *r = choose_renderer(cli);
	struct cp_report rep;
	struct cp_run run;
	int status = CP_FAIL;

	if (r == NULL)
		return cp_cli_status(cli);
	cp_report_init(&rep, cli->command);
	if (cp_run_open(&run, cli, cli->captures.data[0]) == CP_OK &&
	    add_tasks(&run, r) == CP_OK && cp_run_read(&run) == CP_OK) {
		cp_run_label(&run, &rep);
		status = cp_run_finish(&run, &rep);
	}
	if (status == CP_OK)
		write_report(cli, r, &rep);
	cp_report_free(&rep);
	cp_run_close(&run);
	return cp_cli_status(cli);
}
