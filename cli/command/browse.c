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

struct browsing {
	struct cp_cli *cli;
	const char *only; /* this analysis; NULL: all */
	struct cp_report report;
	struct cp_run run;
	struct cp_merger merger; /* of more than two captures */
};

/* Two captures are before and after; more are one. */
static bool
compares(const struct browsing *b)
{
	return b->cli->captures.len == 2;
}

static const char *
first_of(const struct browsing *b)
{
	return compares(b) ? "diff" : "report";
}

static int
add_tasks(void *ctx, struct cp_run *run)
{
	const struct browsing *b = ctx;
	const char *by = b->only != NULL ? b->only : first_of(b);

	if (cp_run_add(run, cp_analysis_find(by)) != CP_OK)
		return CP_FAIL;
	return b->only != NULL ? CP_OK
			       : cp_run_add(run, cp_analysis_find("profile"));
}

/* Reads the captures; false: they have none of that, which was said. */
static bool
read_captures(struct browsing *b)
{
	struct cp_cli *cli = b->cli;
	struct cp_run *run = &b->run;
	int status;

	cp_report_init(&b->report, "browse");
	if (cli->captures.len > 2) {
		cp_merge_init(&b->merger, &cli->run, &cli->diags);
		status = cp_merging_read(cli, &b->merger, add_tasks, b);
		run = &b->merger.all;
	} else if (compares(b)) {
		status = cp_comparing_read(cli, run, add_tasks, b, &b->report);
	} else {
		status = cp_run_open(
		    run, &cli->run, &cli->diags, cli->captures.data[0]);
		if (status == CP_OK)
			status = add_tasks(b, run);
		if (status == CP_OK)
			status = cp_progress_read(cli, run);
	}
	if (status != CP_OK)
		return false;
	cp_run_label(run, &b->report);
	if (cp_run_finish(run, &b->report) != CP_OK)
		return false;
	cp_run_label_line(run, &b->report);
	cp_cli_redact_report(cli, &b->report);
	return cp_diags_worst(&cli->diags) < CP_DIAG_ERROR;
}

static void
free_captures(struct browsing *b)
{
	cp_report_free(&b->report);
	if (b->cli->captures.len > 2)
		cp_merge_free(&b->merger);
	else
		cp_run_close(&b->run);
}

static void
write_report(const struct browsing *b, unsigned columns, struct cp_buf *to)
{
	struct cp_render_options options = { .brief = true, .width = columns };
	struct cp_report rep = b->report;
	struct cp_left left = { 0 };
	struct cp_out out;

	/* The title begins with the name of the command; the label follows. */
	if (strncmp(rep.title, "browse: ", 8) == 0)
		rep.title += 8;
	while (rep.first != NULL && rep.first->by == NULL)
		rep.first = rep.first->next;
	cp_out_init(&out, cp_out_to_buf, to);
	if (rep.first != NULL && cp_render(cp_renderer_find("text"), &rep,
				     &options, &out, &left) != CP_OK)
		cp_buf_str(to, "\nThe text is too long: it ends here.\n");
	cp_left_free(&left);
}

/* Reads the captures by one analysis, with these options, too. */
static void
write_selected(const struct browsing *b, const char *by,
    const struct cp_browse_word *word, size_t n, unsigned columns,
    struct cp_buf *to)
{
	struct cp_cli cli = *b->cli;
	struct browsing again = { .cli = &cli, .only = by };
	const struct {
		const char *name;
		cp_words *words;
	} lists[] = { { "event", &cli.run.events }, { "pid", &cli.run.pids },
		{ "tid", &cli.run.tids }, { "cpu", &cli.run.cpus },
		{ "dso", &cli.run.dsos }, { "time", &cli.run.times } };
	cp_words own[CP_ARRAY_LEN(lists)] = { 0 };

	for (size_t l = 0; l < CP_ARRAY_LEN(lists); l++) {
		for (size_t i = 0; i < n; i++)
			if (strcmp(word[i].name, lists[l].name) == 0)
				*cp_vec_push(&own[l]) = word[i].value;
		if (own[l].len != 0)
			memcpy(lists[l].words, &own[l], sizeof(own[l]));
	}
	cli.arena = (struct cp_arena){ 0 };
	cli.progress = CP_NEVER;
	cp_diags_init(&cli.diags);
	if (read_captures(&again))
		write_report(&again, columns, to);
	else
		cp_cli_diagnostics(&cli, to);
	free_captures(&again);
	cp_arena_free(&cli.arena);
	for (size_t l = 0; l < CP_ARRAY_LEN(lists); l++)
		cp_vec_free(&own[l]);
}

static void
write_text(void *ctx, const char *by, const struct cp_browse_word *word,
    size_t n, unsigned columns, struct cp_buf *to)
{
	const struct browsing *b = ctx;

	if (by == NULL)
		cp_cli_diagnostics(b->cli, to);
	else if (n == 0 && strcmp(by, first_of(b)) == 0)
		write_report(b, columns, to);
	else if (strcmp(b->cli->captures.data[0], "-") == 0)
		cp_buf_str(to, "A stream is read once: this needs a file.\n");
	else if (compares(b)
		     ? strcmp(by, "diff") == 0
		     : b->cli->captures.len == 1 ||
			   (cp_analysis_find(by)->wants & CP_WANT_MERGED) != 0)
		write_selected(b, by, word, n, columns, to);
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
	struct cp_browse in = { .report = &b->report,
		.captures = cli->captures.data,
		.capture_count = cli->captures.len,
		.word = option_at,
		.text = write_text,
		.ctx = b };
	const char *why;

	if (cp_profile_of(&b->report) == NULL ||
	    cp_profile_samples(cp_profile_of(&b->report)) == 0) {
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

int
cp_command_browse(struct cp_cli *cli)
{
	struct browsing b = { .cli = cli };
	const char *lacks = cp_browse_lacks();

	if (lacks != NULL) {
		cp_diag(&cli->diags, CP_D_USAGE,
		    "browse needs a terminal, and %s; coldperf report writes "
		    "the same as text, or with -o report.html as a page",
		    lacks);
		return cp_cli_status(cli);
	}
	if (read_captures(&b))
		browse(&b);
	free_captures(&b);
	return cp_cli_status(cli);
}
