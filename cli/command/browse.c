/* SPDX-License-Identifier: MIT */
/*
 * browse: the report and the samples of captures as places to walk, in a
 * terminal.
 */
#include "browse/browse.h"

#include "analyses/list.h"
#include "base/limits.h"
#include "cli/command/command.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/redact.h"
#include "cli/status.h"
#include "report/profile.h"
#include "run/api.h"

static const char *const text_of[CP_BROWSE_TEXTS] = {
	[CP_BROWSE_REPORT] = "report",
	[CP_BROWSE_CODE] = "annotate",
	[CP_BROWSE_WAITS] = "wall",
	[CP_BROWSE_PAIRS] = "pair",
};

struct browsing {
	struct cp_cli *cli;
	struct cp_report *report;
};

/* Two captures are before and after; more are one. */
static bool
compares(const struct browsing *b)
{
	return b->cli->captures.len == 2;
}

static int
add_tasks(void *ctx, struct cp_run *run)
{
	static const char *const of_one[] = { "report", "wall", "annotate",
		"pair", "profile" };
	static const char *const of_two[] = { "diff", "profile" };
	const struct browsing *b = ctx;
	const char *const *names = compares(b) ? of_two : of_one;
	size_t n = compares(b) ? CP_ARRAY_LEN(of_two) : CP_ARRAY_LEN(of_one);

	for (size_t i = 0; i < n; i++) {
		const struct cp_analysis *a = cp_analysis_find(names[i]);

		/* Of several captures, what can count them as one. */
		if (b->cli->captures.len > 2 &&
		    (a->wants & CP_WANT_MERGED) == 0)
			continue;
		if (cp_run_add(run, a) != CP_OK)
			return CP_FAIL;
	}
	return CP_OK;
}

/* Writes the sections of one analysis as text. */
static void
write_text(
    void *ctx, enum cp_browse_text text, unsigned columns, struct cp_buf *to)
{
	const struct browsing *b = ctx;
	struct cp_render_options options = { .brief = true, .width = columns };
	struct cp_report rep = *b->report;
	struct cp_section *sections, *last = NULL;
	struct cp_left left = { 0 };
	struct cp_out out;
	const char *by = text_of[text];
	size_t n = 0;

	if (text == CP_BROWSE_REPORT && compares(b))
		by = "diff";
	if (text == CP_BROWSE_LOG) {
		cp_cli_diagnostics(b->cli, to);
		return;
	}
	for (const struct cp_section *s = rep.first; s != NULL; s = s->next)
		n++;
	sections = cp_xcalloc(n + 1, sizeof(*sections));
	rep.first = NULL;
	/* The title begins with the name of the command. */
	if (strncmp(rep.title, "browse: ", 8) == 0)
		rep.title += 8;
	n = 0;
	for (const struct cp_section *s = b->report->first; s != NULL;
	     s = s->next) {
		if (s->by == NULL || strcmp(s->by, by) != 0 ||
		    s->type == CP_SECTION_PROFILE)
			continue;
		sections[n] = *s;
		sections[n].next = NULL;
		if (last == NULL)
			rep.first = &sections[n];
		else
			last->next = &sections[n];
		last = &sections[n++];
	}
	cp_out_init(&out, cp_out_to_buf, to);
	if (n != 0 && cp_render(cp_renderer_find("text"), &rep, &options, &out,
			  &left) != CP_OK)
		cp_buf_str(to, "\nThe text is too long: it ends here.\n");
	cp_left_free(&left);
	free(sections);
}

/* The i-th option that says how the captures are read. */
static const char *
option_at(void *ctx, size_t i, const char **value)
{
	const struct cp_cli *cli = ((const struct browsing *)ctx)->cli;

	if (i >= cli->reads.len)
		return NULL;
	*value = cli->reads.data[i].value;
	return cli->reads.data[i].name;
}

static void
browse(struct browsing *b)
{
	struct cp_cli *cli = b->cli;
	struct cp_buf said;
	struct cp_browse in = { .report = b->report,
		.captures = cli->captures.data,
		.capture_count = cli->captures.len,
		.word = option_at,
		.text = write_text,
		.ctx = b };
	const char *why;

	cp_cli_redact_report(cli, b->report);
	if (cp_profile_of(b->report) == NULL ||
	    cp_profile_samples(cp_profile_of(b->report)) == 0) {
		cp_diag(&cli->diags, CP_D_NO_DATA, "no samples to browse");
		return;
	}
	cp_buf_init(&said, CP_MAX_ANSWER_TEXT);
	why = cp_browse(&in, &said);
	if (why != NULL)
		cp_diag(&cli->diags, CP_D_OUTPUT, "browse: %s", why);
	fputs(cp_buf_text(&said), stdout);
	cp_buf_free(&said);
}

static void
browse_run(struct browsing *b, struct cp_run *run)
{
	cp_run_label(run, b->report);
	if (cp_run_finish(run, b->report) == CP_OK) {
		cp_run_label_line(run, b->report);
		if (cp_diags_worst(&b->cli->diags) < CP_DIAG_ERROR)
			browse(b);
	}
}

int
cp_command_browse(struct cp_cli *cli)
{
	struct cp_report rep;
	struct browsing b = { cli, &rep };
	struct cp_merger m;
	struct cp_run run = { 0 };
	const char *lacks = cp_browse_lacks();

	if (lacks != NULL) {
		cp_diag(&cli->diags, CP_D_USAGE,
		    "browse needs a terminal, and %s; coldperf report writes "
		    "the same as text, or with -o report.html as a page",
		    lacks);
		return cp_cli_status(cli);
	}
	cp_report_init(&rep, "browse");
	if (cli->captures.len > 2) {
		cp_merge_init(&m, &cli->run, &cli->diags);
		if (cp_merging_read(cli, &m, add_tasks, &b) == CP_OK)
			browse_run(&b, &m.all);
		cp_report_free(&rep);
		cp_merge_free(&m);
		return cp_cli_status(cli);
	}
	if (compares(&b)) {
		if (cp_comparing_read(cli, &run, add_tasks, &b, &rep) == CP_OK)
			browse_run(&b, &run);
	} else if (cp_run_open(&run, &cli->run, &cli->diags,
		       cli->captures.data[0]) == CP_OK &&
		   add_tasks(&b, &run) == CP_OK &&
		   cp_progress_read(cli, &run) == CP_OK)
		browse_run(&b, &run);
	cp_report_free(&rep);
	cp_run_close(&run);
	return cp_cli_status(cli);
}
