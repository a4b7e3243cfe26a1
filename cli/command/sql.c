/* SPDX-License-Identifier: MIT */
/*
 * sql: questions about a capture's samples, asked in SQL.
 *
 * Without a question it lists the tables.  --shell reads questions from
 * standard input, each ended by a semicolon.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include "sql/sql.h"

#include "analyses/list.h"
#include "base/buf.h"
#include "base/limits.h"
#include "cli/command/command.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/redact.h"
#include "cli/report-output.h"
#include "cli/status.h"
#include "run/api.h"

#define LIST "SELECT name, columns FROM tables ORDER BY name"

struct asker {
	struct cp_cli *cli;
	struct cp_sql *sql;
	cp_report_outputs to;
	struct cp_report *about; /* the capture */
	bool limited;            /* a limit ended the last query */
};

/*
 * SQLite looks at the clock between steps, but one call of a function can take
 * hours: instr() of two long texts.  Such a call can be ended only with the
 * process.
 */
static void
end_process(int sig)
{
	static const char text[] =
	    "coldperf: sql: error: the query was ended, and coldperf with it: "
	    "one function took longer than --max-time\n";

	(void)sig;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(CP_EXIT_BUG);
	_exit(CP_EXIT_LIMIT);
}

/* Asks, and ends the process if that takes far longer than it may. */
static bool
ask_in_time(struct asker *a, const char *query, struct cp_report *rep,
    const char **error, bool *cut)
{
	unsigned seconds = a->cli->fetch.seconds;
	bool done;

	signal(SIGALRM, end_process);
	if (seconds < UINT_MAX - CP_MAX_QUERY_RUNS_ON)
		alarm(seconds + CP_MAX_QUERY_RUNS_ON);
	done = cp_sql_ask(a->sql, query, rep, error, cut);
	alarm(0);
	return done;
}

/* Writes the answer.  NULL, or why there is none. */
static const char *
answer(struct asker *a, const char *query)
{
	struct cp_report rep;
	const char *error = NULL;

	cp_report_init(&rep, "sql");
	rep.title = a->about->title;
	rep.label = "";
	rep.weight = a->about->weight;
	rep.event = a->about->event;
	rep.start = a->about->start;
	if (ask_in_time(a, query, &rep, &error, &a->limited)) {
		cp_report_finish(&rep);
		if (a->limited)
			cp_diag(&a->cli->diags, CP_D_LIMIT,
			    "the answer is cut: it may have %u values and "
			    "%u MiB of text",
			    CP_MAX_ANSWER, CP_MAX_ANSWER_TEXT >> 20);
		cp_report_write(a->cli, &a->to, &rep);
	}
	cp_report_free(&rep);
	return error;
}

static void
tell_error(struct asker *a, const char *error)
{
	cp_diag(
	    &a->cli->diags, a->limited ? CP_D_LIMIT : CP_D_USAGE, "%s", error);
}

/* Answers one query; prints an error and goes on. */
static void
answer_in_shell(struct asker *a, const char *query)
{
	const char *error = answer(a, query);

	fflush(stdout);
	if (error == NULL)
		return;
	fprintf(stderr, "coldperf: sql: %s\n", error);
	if (!isatty(STDIN_FILENO))
		tell_error(a, error);
}

/* Reads a line into *line; false: the input has ended. */
static bool
read_line(const char *prompt, char **line, size_t *size)
{
	if (isatty(STDIN_FILENO))
		fputs(prompt, stderr);
	return getline(line, size, stdin) > 0;
}

/* Skips what is no query: blanks, comments, and semicolons alone. */
static const char *
skip_blanks(const char *s)
{
	for (;;) {
		const char *end = NULL;

		s += strspn(s, " \t\r\n;");
		if (strncmp(s, "--", 2) == 0)
			end = s + strcspn(s, "\n");
		else if (strncmp(s, "/*", 2) == 0)
			end = strstr(s + 2, "*/");
		if (end == NULL)
			return s;
		s = *end == '*' ? end + 2 : end;
	}
}

/* Answers the queries that have ended, and leaves what follows the last. */
static void
answer_ended(struct asker *a, struct cp_buf *text)
{
	char *copy = cp_xmalloc(text->len + 1);
	const char *from;

	memcpy(copy, cp_buf_text(text), text->len + 1);
	from = skip_blanks(copy);
	for (char *end = copy; (end = strchr(end, ';')) != NULL;) {
		char next = *++end;

		*end = '\0';
		if (end > from && cp_sql_complete(from)) {
			answer_in_shell(a, from);
			*end = next;
			from = skip_blanks(end);
		}
		*end = next;
	}
	cp_buf_reset(text);
	cp_buf_str(text, from);
	free(copy);
}

static void
shell(struct asker *a)
{
	struct cp_buf query;
	char *line = NULL;
	size_t size = 0;

	cp_buf_init(&query, CP_MAX_QUERY);
	while (read_line(query.len != 0 ? "...> " : "sql> ", &line, &size)) {
		cp_buf_str(&query, line);
		answer_ended(a, &query);
	}
	if (*skip_blanks(cp_buf_text(&query)) != '\0')
		answer_in_shell(a, cp_buf_text(&query));
	cp_buf_free(&query);
	free(line);
}

static void
ask(struct asker *a)
{
	const char *query = a->cli->query, *error;

	cp_cli_redact_report(a->cli, a->about);
	a->sql = cp_sql_open(a->about, (struct cp_sql_limits){
					   .seconds = a->cli->fetch.seconds,
					   .values = CP_MAX_ANSWER,
					   .bytes = CP_MAX_ANSWER_TEXT,
				       });
	if (a->sql == NULL) {
		cp_diag(&a->cli->diags, CP_D_NO_DATA, "no samples to ask");
		return;
	}
	if (a->cli->shell) {
		shell(a);
	} else {
		error = answer(a, query != NULL ? query : LIST);
		if (error != NULL)
			tell_error(a, error);
	}
	cp_sql_close(a->sql);
}

static int
add_tasks(void *ctx, struct cp_run *run)
{
	(void)ctx;
	if (cp_run_add(run, cp_analysis_find("profile")) != CP_OK)
		return CP_FAIL;
	return cp_run_add(run, cp_analysis_find("quality"));
}

/* Asks about a run whose capture, or captures, were read. */
static void
ask_run(struct asker *a, struct cp_run *run, struct cp_report *rep)
{
	cp_run_label(run, rep);
	if (cp_run_finish(run, rep) == CP_OK &&
	    cp_diags_worst(&a->cli->diags) < CP_DIAG_ERROR)
		ask(a);
}

static void
ask_one(struct asker *a, struct cp_report *rep)
{
	struct cp_cli *cli = a->cli;
	struct cp_run run = { 0 };

	if (cp_run_open(&run, &cli->run, &cli->diags, cli->captures.data[0]) ==
		CP_OK &&
	    add_tasks(NULL, &run) == CP_OK &&
	    cp_progress_read(cli, &run) == CP_OK)
		ask_run(a, &run, rep);
	cp_run_close(&run);
}

static void
ask_several(struct asker *a, struct cp_report *rep)
{
	struct cp_merger m;

	cp_merge_init(&m, &a->cli->run, &a->cli->diags);
	if (cp_merging_read(a->cli, &m, add_tasks, NULL) == CP_OK)
		ask_run(a, &m.all, rep);
	cp_merge_free(&m);
}

/* Said before a capture is read in vain. */
static void
check_usage(struct cp_cli *cli)
{
	if (cli->shell && cli->output != NULL)
		cp_diag(&cli->diags, CP_D_USAGE,
		    "--shell writes to standard output");
	if (cli->shell && cli->query != NULL)
		cp_diag(&cli->diags, CP_D_USAGE,
		    "--shell reads its queries from standard input, not "
		    "`%.60s'",
		    cli->query);
	if (!cp_sql_possible())
		cp_diag(&cli->diags, CP_D_OPEN, "SQLite is not installed");
}

int
cp_command_sql(struct cp_cli *cli)
{
	struct cp_report rep;
	struct asker a = { .cli = cli, .about = &rep };

	check_usage(cli);
	if (cp_report_choose(cli, &a.to) != CP_OK ||
	    cp_diags_worst(&cli->diags) >= CP_DIAG_ERROR) {
		cp_vec_free(&a.to);
		return cp_cli_status(cli);
	}
	cp_report_init(&rep, "sql");
	if (cli->captures.len > 1)
		ask_several(&a, &rep);
	else
		ask_one(&a, &rep);
	cp_report_free(&rep);
	cp_vec_free(&a.to);
	return cp_cli_status(cli);
}
