/* SPDX-License-Identifier: MIT */
#include "cli/report-output.h"

#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/match/nearest.h"
#include "base/port.h"
#include "cli/idle/idle.h"
#include "cli/output.h"
#include "cli/plugin.h"
#include "cli/redact.h"
#include "config.h"

/*
 * Returns the format by the file that stdout is redirected to: `coldperf flame
 * > x.svg' means a picture.  NULL: no file, or no known suffix.
 */
static const struct cp_renderer *
of_redirection(void)
{
	char path[4096];
	struct stat st;

	if (fstat(STDOUT_FILENO, &st) != 0 || !S_ISREG(st.st_mode))
		return NULL;
	return cp_port_path(STDOUT_FILENO, path, sizeof(path))
		   ? cp_renderer_of_path(path)
		   : NULL;
}

/* "x.png", not "x" or "x.2026-01-31". */
static bool
has_suffix(const char *path)
{
	const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');

	if (dot == NULL || (slash != NULL && slash > dot) ||
	    dot == (slash != NULL ? slash + 1 : path))
		return false;
	return dot[1] != '\0' && strspn(dot + 1, "0123456789") == 0 &&
	       strlen(dot) <= 6;
}

static const struct cp_renderer *
of_output(struct cp_cli *cli, const char *path)
{
	const struct cp_renderer *r;

	if (cli->format != NULL)
		return cp_renderer_find(cli->format);
	r = path != NULL ? cp_renderer_of_path(path) : of_redirection();
	if (r == NULL && path != NULL && has_suffix(path)) {
		cp_diag(&cli->diags, CP_D_USAGE,
		    "no format for --output %.60s; suffixes are .txt .json "
		    ".csv .folded .svg .html, and those of other tools that "
		    "`coldperf list' shows",
		    path);
		return NULL;
	}
	return r != NULL ? r : cp_renderer_find("text");
}

int
cp_report_choose(struct cp_cli *cli, cp_report_outputs *to)
{
	size_t n = CP_MAX(cli->outputs.len, 1);

	if (cli->format != NULL && n > 1) {
		cp_diag(&cli->diags, CP_D_USAGE,
		    "--format with several --output: their suffixes say the "
		    "formats");
		return CP_FAIL;
	}
	for (size_t i = 0; i < n; i++) {
		const char *path =
		    cli->outputs.len != 0 ? cli->outputs.data[i] : NULL;
		const struct cp_renderer *r = of_output(cli, path);

		if (r == NULL) {
			cp_vec_free(to);
			return CP_FAIL;
		}
		*cp_vec_push(to) = (struct cp_report_output){ path, r };
	}
	for (size_t i = 0; i < cli->outputs.len; i++)
		if (cp_output_check(cli, cli->outputs.data[i], false) !=
		    CP_OK) {
			cp_vec_free(to);
			return CP_FAIL;
		}
	cp_cli_idle_formats(cli, to);
	return CP_OK;
}

static bool
has_no_intervals(const struct cp_cli *cli)
{
	for (size_t i = 0; i < cli->own.len; i++)
		if (strcmp(cli->own.data[i].name, "interval") == 0)
			return strcmp(cli->own.data[i].value, "none") == 0;
	return false;
}

static struct cp_render_options
render_options(const struct cp_cli *cli, const struct cp_output *o,
    const struct cp_renderer *r)
{
	struct cp_render_options opt = { .icicle = cli->icicle,
		.brief =
		    cli->brief || (!cli->full && strcmp(r->name, "text") == 0),
		.plain = has_no_intervals(cli),
		.columns = cli->columns,
		.palette = cli->palette,
		.subtitle = cli->subtitle,
		.width = cli->width,
		.jobs = cli->run.jobs,
		.samples = cli->page_samples,
		.with_time = cli->with_time,
		.csv_raw = cli->csv_raw,
		.addresses = cli->callgrind_addresses,
		.kept = cli->kept,
		.stream = cli->stream,
		.tool = PACKAGE_STRING };
	struct winsize ws;

	if (cli->redact == NULL)
		opt.command = (struct cp_render_command){ cli->captures.data,
			cli->captures.len, cli->reads.data, cli->reads.len,
			cli->own.data, cli->own.len };
	opt.color =
	    cli->color == CP_ALWAYS || (cli->color == CP_AUTO && o->terminal &&
					   getenv("NO_COLOR") == NULL);
	if (opt.width == 0 && o->terminal && strcmp(r->name, "text") == 0 &&
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0)
		opt.width = ws.ws_col;
	return opt;
}

/* Notes which sections the format cannot hold. */
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

static bool
has_column(
    const struct cp_report *rep, const char *name, size_t n, cp_candidates *all)
{
	for (const struct cp_section *s = rep->first; s != NULL; s = s->next)
		for (size_t i = 0;
		     s->type == CP_SECTION_TABLE && i < s->table.columns.len;
		     i++) {
			const char *known = s->table.columns.data[i].name;

			if (strlen(known) == n &&
			    strncasecmp(known, name, n) == 0)
				return true;
			*cp_vec_push(all) = known;
		}
	return false;
}

/* Says which names of --columns no table has. */
static void
check_columns(struct cp_cli *cli, const struct cp_report *rep)
{
	for (const char *s = cli->columns; s != NULL; s = strchr(s, ',')) {
		cp_candidates all = { 0 };
		char name[80];
		struct cp_buf b;
		size_t n;

		s += *s == ',';
		n = strcspn(s, ",");
		if (!has_column(rep, s, n, &all)) {
			snprintf(name, sizeof(name), "%.*s",
			    (int)CP_MIN(n, sizeof(name) - 1), s);
			cp_buf_init(&b, 4096);
			cp_nearest_list(&b, name, &all, 150);
			cp_diag(&cli->diags, CP_D_NO_EFFECT,
			    "--columns %s; there are: %s", name,
			    b.len != 0 ? cp_buf_text(&b) : "none");
			cp_buf_free(&b);
		}
		cp_vec_free(&all);
	}
}

/* Scalars of the analysis's own begin with the number that it looked at. */
static bool
has_data(const struct cp_report *rep, const struct cp_section *s)
{
	if (s->type == CP_SECTION_TABLE)
		return s->table.rows.len != 0 || s->table.made != NULL;
	if (s->type == CP_SECTION_SCALARS)
		return s->by != NULL && strcmp(s->by, rep->analysis) == 0 &&
		       s->scalars.len != 0 && s->scalars.data[0].value.u64 != 0;
	return s->type != CP_SECTION_NOTES;
}

/*
 * Reports which formats have a place for what the report has, or would have
 * with the samples, which are added for formats that hold them.
 */
static void
tell_formats(
    struct cp_cli *cli, const struct cp_renderer *r, struct cp_report *rep)
{
	const struct cp_analysis *a = cp_cli_analysis(cli, cli->command);
	unsigned added =
	    a != NULL && a->captures <= 1 ? CP_SHOWS(CP_SECTION_PROFILE) : 0;
	struct cp_buf b;

	cp_buf_init(&b, 200);
	for (size_t i = 0; i < cp_renderer_count(); i++) {
		const struct cp_renderer *other = cp_renderer_at(i);

		if (cp_renderer_can(other, rep) || (other->shows & added) != 0)
			cp_buf_printf(
			    &b, "%s%s", b.len != 0 ? ", " : "", other->name);
	}
	cp_diag(&cli->diags, CP_D_USAGE,
	    "%s shows nothing of what %s gives; these formats do: %s", r->name,
	    rep->analysis, cp_buf_text(&b));
	cp_buf_free(&b);
}

/*
 * Reports that the report has no section for the format: the format is wrong,
 * or the capture lacks the data.
 */
static void
tell_cannot(
    struct cp_cli *cli, const struct cp_renderer *r, struct cp_report *rep)
{
	const char *note = NULL;
	bool data = false;

	for (const struct cp_section *s = rep->first; s != NULL; s = s->next) {
		data |= has_data(rep, s);
		if (note == NULL && s->type == CP_SECTION_NOTES &&
		    s->notes.len != 0)
			note = s->notes.data[0];
	}
	if (data || note == NULL)
		tell_formats(cli, r, rep);
	else
		cp_diag(&cli->diags, CP_D_NO_DATA, "%s", note);
}

/* A format of nothing but trees has no line for a tree without branches. */
static void
tell_blank(struct cp_cli *cli, const struct cp_renderer *r,
    const struct cp_report *rep)
{
	if (r->shows != CP_SHOWS(CP_SECTION_TREE))
		return;
	for (const struct cp_section *s = rep->first; s != NULL; s = s->next)
		if (s->type == CP_SECTION_TREE && s->tree.nodes.len > 1)
			return;
	cp_diag(&cli->diags, CP_D_BLANK, "%s", r->name);
}

static int
write_one(
    struct cp_cli *cli, const struct cp_renderer *r, struct cp_report *rep)
{
	bool text = strcmp(r->name, "text") == 0;
	struct cp_render_options opt;
	struct cp_left left = { 0 };
	struct cp_output o;
	bool keep;
	int status;

	if (!cp_renderer_can(r, rep)) {
		tell_cannot(cli, r, rep);
		return CP_FAIL;
	}
	cli->private = cli->kept != NULL && strcmp(r->name, "snapshot") == 0;
	if (cp_output_open(&o, cli, text) != CP_OK)
		return CP_FAIL;
	opt = render_options(cli, &o, r);
	status = cp_render(r, rep, &opt, &o.out, &left);
	tell_left(cli, &left);
	tell_blank(cli, r, rep);
	if (left.limit != NULL)
		cp_diag(&cli->diags, CP_D_LIMIT, "%s", left.limit);
	keep = status == CP_OK && !left.cut;
	cp_left_free(&left);
	if (cp_output_close(&o, cli, keep) != CP_OK)
		status = CP_FAIL;
	return status;
}

void
cp_report_no_records(struct cp_cli *cli, const char *why)
{
	cp_diag(&cli->diags, CP_D_NO_RECORDS,
	    "%s; for script, sched, offcpu and the like keep the capture, or a "
	    "snapshot of all of it",
	    why);
}

/*
 * Warns that a snapshot has no records.  `snapshot' reports the reason itself;
 * `merge' never writes records, as its page says.
 */
static void
tell_no_records(struct cp_cli *cli, const struct cp_renderer *r)
{
	if (strcmp(r->name, "snapshot") == 0 && cli->kept == NULL &&
	    strcmp(cli->command, "snapshot") != 0 &&
	    strcmp(cli->command, "merge") != 0)
		cp_report_no_records(
		    cli, "only `coldperf snapshot' keeps them");
}

int
cp_report_write(
    struct cp_cli *cli, const cp_report_outputs *to, struct cp_report *rep)
{
	int status = CP_OK;

	if (cli->section != NULL && choose_section(cli, rep) != CP_OK)
		return CP_FAIL;
	check_columns(cli, rep);
	if (cli->title != NULL)
		rep->title = cli->title;
	cp_cli_redact_report(cli, rep);
	for (size_t i = 0; i < to->len; i++) {
		cli->output = to->data[i].path;
		if (write_one(cli, to->data[i].renderer, rep) != CP_OK)
			status = CP_FAIL;
		else
			tell_no_records(cli, to->data[i].renderer);
	}
	return status;
}
