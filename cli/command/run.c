/* SPDX-License-Identifier: MIT */
/*
 * run: the workflow kept: runs are recorded or added, listed, compared, pruned.
 *
 * What a run shows is made by coldperf's own commands, each in a process of its
 * own, which has its walls; their outputs lie next to the capture.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/port.h"
#include "base/retry.h"
#include "base/strings.h"
#include "capture/record.h"
#include "cli/command/command.h"
#include "cli/status.h"
#include "render/common/escape.h"
#include "runs/trend.h"

#define KEEP 20

typedef CP_VEC(const char *) words;
struct runs_command {
	struct cp_cli *cli;
	struct cp_runs runs;
	const char *const *word; /* after the subcommand */
	size_t n;
};

/* Prints text of files line by line, for a terminal. */
static void
print(const char *text)
{
	char *copy = strdup(text), *s = copy, *line;
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	while (copy != NULL && (line = strsep(&s, "\n")) != NULL) {
		for (char *c = line; *c != '\0'; c++)
			*c = *c == '\t' ? ' ' : *c;
		cp_escape_terminal(&b, line);
		if (s != NULL)
			cp_buf_char(&b, '\n');
	}
	fputs(cp_buf_text(&b), stdout);
	cp_buf_free(&b);
	free(copy);
}

static int
failed(struct cp_cli *cli, const char *what)
{
	cp_diag(&cli->diags, CP_D_OUTPUT, "%.300s: %s", what,
	    errno == ENOTEMPTY ? "files that coldperf did not write stay"
			       : strerror(errno));
	return cp_cli_status(cli);
}

static const struct cp_run_kept *
find(struct runs_command *r, const char *name)
{
	const struct cp_run_kept *k = cp_runs_find(&r->runs, name);

	if (k == NULL)
		(void)cp_cli_bad(r->cli,
		    "no run, or no single one, `%.60s' in %.200s%s", name,
		    r->runs.folder,
		    strcmp(name, "BASELINE") == 0
			? "; coldperf run baseline ID names it"
			: "");
	return k;
}

/* The first line that a command prints, which has no word from elsewhere. */
static bool
first_line(const char *command, char *out, int size)
{
	FILE *f = popen(command, "r");
	bool ok = f != NULL && fgets(out, size, f) != NULL;

	if (f != NULL && pclose(f) == -1)
		ok = false;
	out[ok ? strcspn(out, "\n") : 0] = '\0';
	return ok;
}

/* "0123456789ab", or with -dirty; "": no repository here. */
static const char *
commit_here(struct runs_command *r)
{
	char commit[80], changed[200];

	if (!first_line("git rev-parse --short=12 HEAD 2>/dev/null", commit,
		sizeof(commit) - 8))
		return "";
	if (first_line("git status --porcelain --untracked-files=no "
		       "2>/dev/null | head -n 1",
		changed, sizeof(changed)))
		snprintf(commit + strlen(commit), 8, "-dirty");
	return cp_arena_strndup(&r->cli->arena, commit, strlen(commit));
}

static const char *
commit_label(const struct cp_cli *cli)
{
	for (size_t i = cli->capture.labels.len; i-- > 0;)
		if (strncmp(cli->capture.labels.data[i], "commit=", 7) == 0)
			return cli->capture.labels.data[i] + 7;
	return NULL;
}

static int
self(const char *const *args, size_t n)
{
	words w = { 0 };
	int status;

	*cp_vec_push(&w) = cp_port_self();
	for (size_t i = 0; i < n; i++)
		*cp_vec_push(&w) = args[i];
	*cp_vec_push(&w) = NULL;
	fflush(stdout);
	status = cp_await(cp_start(w.data, -1));
	cp_vec_free(&w);
	return status;
}

/* Makes what a run shows: each command reads the capture once. */
static bool
make_outputs(struct runs_command *r, const struct cp_run_kept *k)
{
	static const char *const made[][4] = {
		{ "report", "report.txt", "report.json", "page.html" },
		{ "flame", "stacks.folded", "flame.svg", NULL },
		{ "hotspots", "functions.csv", NULL, NULL },
	};
	bool ok = true;

	for (size_t i = 0; i < CP_ARRAY_LEN(made); i++) {
		const char *w[20] = { made[i][0], "--no-config",
			"--progress=never" };
		size_t n = 3;
		int status;

		if (strcmp(made[i][0], "hotspots") == 0) {
			w[n++] = "--children";
			w[n++] = "--top=0";
			w[n++] = "--by=symbol";
		}
		for (size_t o = 1; o < 4 && made[i][o] != NULL; o++) {
			w[n++] = "-o";
			w[n++] = cp_runs_path(&r->runs, k->id, made[i][o]);
		}
		w[n++] = "--";
		w[n++] = cp_runs_path(&r->runs, k->id, k->capture);
		status = self(w, n);
		ok &= status == CP_EXIT_OK || status == CP_EXIT_PARTIAL;
	}
	return ok;
}

/* Writes run.txt and the index, then what the run shows. */
static int
keep(struct runs_command *r, struct cp_run_kept *k)
{
	struct cp_cli *cli = r->cli;
	char date[40] = "", host[256] = "", folder[4096];
	time_t t = time(NULL);
	struct cp_buf labels;
	struct tm tm;
	bool ok;

	cp_buf_init(&labels, 1 << 16);
	for (size_t i = 0; i < cli->capture.labels.len; i++)
		cp_buf_printf(&labels, "%s%s", i != 0 ? " " : "",
		    cli->capture.labels.data[i]);
	if (gmtime_r(&t, &tm) != NULL)
		(void)strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	(void)gethostname(host, sizeof(host) - 1);
	k->time = date;
	k->host = host;
	k->labels = cp_buf_text(&labels);
	k->commit = commit_label(cli);
	if (k->commit == NULL)
		k->commit = commit_here(r);
	snprintf(
	    folder, sizeof(folder), "%s", cp_runs_path(&r->runs, k->id, ""));
	ok = make_outputs(r, k);
	if (!cp_runs_keep(&r->runs, k) || !cp_runs_index(&r->runs)) {
		cp_buf_free(&labels);
		return failed(cli, folder);
	}
	cp_buf_free(&labels);
	printf("%s\n", folder);
	if (!ok)
		cp_diag(&cli->diags, CP_D_OUTPUT,
		    "%.300s: not all reports are made", folder);
	return cp_cli_status(cli);
}

static int
run_capture(struct runs_command *r)
{
	struct cp_cli *cli = r->cli;
	struct cp_run_kept k = { .capture = "capture.tar.zst" };
	char ended[16] = "";
	struct cp_buf command;
	int status, exit_status;

	if (cli->capture.dry_run)
		return cp_capture_to(cli, 1, "capture.tar.zst", &exit_status);
	k.id = cp_runs_new(&r->runs);
	if (k.id == NULL)
		return failed(cli, r->runs.folder);
	cp_buf_init(&command, 1 << 14);
	cp_plan_print(&command, r->word, r->n);
	status = cp_capture_to(
	    cli, 1, cp_runs_path(&r->runs, k.id, k.capture), &exit_status);
	/* As shells say it: not executable, or not found. */
	if (exit_status == 126 || exit_status == 127) {
		cp_diag(&cli->diags, CP_D_NO_RECORDING,
		    "the command did not start, or not what it was to start "
		    "(status %d): the run is not kept",
		    exit_status);
		status = cp_cli_status(cli);
	}
	if (exit_status >= 0)
		snprintf(ended, sizeof(ended), "%d", exit_status);
	k.exit = ended;
	k.command = cp_buf_text(&command);
	if (status == CP_EXIT_OK)
		status = keep(r, &k);
	else
		(void)cp_runs_remove(&r->runs, &k);
	cp_buf_free(&command);
	return status;
}

static int
run_add(struct runs_command *r)
{
	struct cp_run_kept k = { .exit = "" };
	const char *name = r->n == 1 ? cp_basename(r->word[0]) : "", *dot;
	char capture[80];
	int status;

	if (r->n != 1) {
		(void)cp_cli_bad(r->cli, "run add takes one capture");
		return cp_cli_status(r->cli);
	}
	k.id = cp_runs_new(&r->runs);
	if (k.id == NULL)
		return failed(r->cli, r->runs.folder);
	dot = strchr(name, '.');
	snprintf(
	    capture, sizeof(capture), "capture%.60s", dot != NULL ? dot : "");
	k.capture = capture;
	k.command = name;
	if (!cp_runs_copy(r->word[0], cp_runs_path(&r->runs, k.id, capture))) {
		status = failed(r->cli, r->word[0]);
		(void)cp_runs_remove(&r->runs, &k);
		return status;
	}
	return keep(r, &k);
}

static int
run_list(struct runs_command *r)
{
	char line[400];

	snprintf(line, sizeof(line), "%-18s  %-20s  %4s  %-18s  %s\n", "Run",
	    "Time", "Exit", "Commit", "Command, labels");
	print(line);
	for (size_t i = 0; i < r->runs.all.len; i++) {
		const struct cp_run_kept *k = &r->runs.all.data[i];

		snprintf(line, sizeof(line),
		    "%-17s%s  %-20s  %4.4s  %-18.18s  %.150s  %.100s\n", k->id,
		    strcmp(k->id, r->runs.baseline) == 0 ? "*" : " ", k->time,
		    k->exit, k->commit, k->command, k->labels);
		print(line);
	}
	return CP_EXIT_OK;
}

static int
run_show(struct runs_command *r)
{
	const struct cp_run_kept *k = find(r, r->n != 0 ? r->word[0] : "LAST");
	static const char *const files[] = { "run.txt", "report.txt" };
	char some[4096];

	for (size_t i = 0; k != NULL && i < CP_ARRAY_LEN(files); i++) {
		const char *path = cp_runs_path(&r->runs, k->id, files[i]);
		FILE *f = fopen(path, "re");

		if (f == NULL)
			return failed(r->cli, path);
		while (fgets(some, sizeof(some), f) != NULL)
			print(some);
		(void)fclose(f);
		printf("\n");
	}
	return cp_cli_status(r->cli);
}

static void
put_side(struct runs_command *r, const struct cp_run_kept *k, const char *side,
    words *w)
{
	*cp_vec_push(w) = side;
	for (size_t i = 0; i < r->runs.all.len; i++) {
		const struct cp_run_kept *at = &r->runs.all.data[i];
		if (cp_runs_alike(k, at))
			*cp_vec_push(w) =
			    cp_runs_path(&r->runs, at->id, at->capture);
	}
}

/*
 * Compares by diff, which has the gate; Markdown, JUnit and JSON of it lie in
 * the run's folder.
 */
static int
run_diff(struct runs_command *r)
{
	const struct cp_run_kept *after =
				     find(r, r->n > 0 ? r->word[0] : "LAST"),
				 *before = find(
				     r, r->n > 1 ? r->word[1] : "BASELINE");
	static const char *const diff_files[] = { "diff.txt", "diff.md",
		"diff.junit.xml", "diff.json" };
	const char *shown = "diff.txt", *made;
	char some[4096];
	words w = { 0 };
	int status;
	FILE *f;

	if (after == NULL || before == NULL)
		return cp_cli_status(r->cli);
	made = cp_runs_scratch(&r->runs, after->id);
	if (made == NULL)
		return failed(r->cli, after->id);
	*cp_vec_push(&w) = "diff";
	*cp_vec_push(&w) = "--no-config";
	*cp_vec_push(&w) = "--progress=never";
	if (r->cli->capture.fail_over != NULL) {
		*cp_vec_push(&w) = "--fail-over";
		*cp_vec_push(&w) = r->cli->capture.fail_over;
	}
	for (size_t i = 0; i < CP_ARRAY_LEN(diff_files); i++) {
		*cp_vec_push(&w) = "-o";
		*cp_vec_push(&w) = cp_runs_path(&r->runs, made, diff_files[i]);
		if (r->cli->format != NULL &&
		    strstr(diff_files[i], r->cli->format) != NULL)
			shown = diff_files[i];
	}
	if (r->cli->format != NULL && strcmp(r->cli->format, "markdown") == 0)
		shown = "diff.md";
	put_side(r, before, "--before", &w);
	put_side(r, after, "--after", &w);
	status = self(w.data, w.len);
	cp_vec_free(&w);
	if (!cp_runs_place(&r->runs, made, after->id, diff_files,
		CP_ARRAY_LEN(diff_files)))
		(void)failed(r->cli, after->id);
	f = fopen(cp_runs_path(&r->runs, after->id, shown), "re");
	while (f != NULL && fgets(some, sizeof(some), f) != NULL)
		fputs(some, stdout);
	if (f != NULL)
		(void)fclose(f);
	return status;
}

static int
run_baseline(struct runs_command *r)
{
	const struct cp_run_kept *k = find(r, r->n != 0 ? r->word[0] : "LAST");

	if (k != NULL && !cp_runs_baseline(&r->runs, k->id))
		return failed(r->cli, r->runs.folder);
	return cp_cli_status(r->cli);
}

/* Removes all but the last runs and the baseline. */
static int
run_prune(struct runs_command *r)
{
	size_t most = r->cli->capture.keep != 0 ? r->cli->capture.keep : KEEP;
	const struct cp_run_kept *kept = cp_runs_find(&r->runs, "BASELINE");

	if (kept == NULL && r->runs.has_baseline) {
		(void)cp_cli_bad(r->cli,
		    "%.200s/baseline names no run, so nothing is removed; "
		    "coldperf run baseline ID names one",
		    r->runs.folder);
		return cp_cli_status(r->cli);
	}
	for (size_t i = 0; i + most < r->runs.all.len; i++) {
		const struct cp_run_kept *k = &r->runs.all.data[i];

		if (k != kept && !cp_runs_remove(&r->runs, k))
			(void)failed(r->cli, k->id);
	}
	return cp_runs_index(&r->runs) ? cp_cli_status(r->cli)
				       : failed(r->cli, r->runs.folder);
}

static int
run_trend(struct runs_command *r)
{
	const char *format = r->cli->format;
	struct cp_trend t;
	struct cp_buf b;

	if (r->n != 1 || (format != NULL && strcmp(format, "text") != 0 &&
			     strcmp(format, "svg") != 0)) {
		(void)cp_cli_bad(r->cli,
		    "run trend takes a function, and writes text or svg");
		return cp_cli_status(r->cli);
	}
	cp_trend_read(&t, &r->runs, r->word[0]);
	cp_buf_init(&b, SIZE_MAX / 2);
	if (!t.met)
		cp_diag(&r->cli->diags, CP_D_NO_MATCH,
		    "no run has a function `%.200s'", r->word[0]);
	else if (format != NULL && strcmp(format, "svg") == 0) {
		cp_trend_svg(&t, r->word[0], &b);
		fputs(cp_buf_text(&b), stdout);
	} else {
		cp_trend_text(&t, &b);
		print(cp_buf_text(&b));
	}
	cp_buf_free(&b);
	cp_trend_free(&t);
	return cp_cli_status(r->cli);
}

int
cp_command_run(struct cp_cli *cli)
{
	static const struct {
		const char *name;
		int (*run)(struct runs_command *);
	} subcommands[] = { { "capture", run_capture }, { "add", run_add },
		{ "list", run_list }, { "show", run_show },
		{ "diff", run_diff }, { "baseline", run_baseline },
		{ "prune", run_prune }, { "trend", run_trend } };
	struct runs_command r = { .cli = cli };
	bool known;
	int status;

	for (size_t i = 0;
	     i < CP_ARRAY_LEN(subcommands) && cli->captures.len != 0; i++)
		if (strcmp(cli->captures.data[0], subcommands[i].name) == 0) {
			r.word = cli->captures.data + 1;
			r.n = cli->captures.len - 1;
			known = cp_runs_read(&r.runs,
			    cli->output != NULL ? cli->output : "runs");
			if (i != 0) /* messages are about no capture */
				cli->captures.len = 0;
			status = known ? subcommands[i].run(&r)
				       : failed(cli, r.runs.folder);
			cp_runs_free(&r.runs);
			return status;
		}
	(void)cp_cli_bad(cli, "run capture, add, list, show, diff, baseline, "
			      "prune or trend");
	return cp_cli_status(cli);
}
