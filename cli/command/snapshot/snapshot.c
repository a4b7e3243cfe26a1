/* SPDX-License-Identifier: MIT */
/*
 * snapshot: the samples of a capture, with their names, as one file of tables
 * (docs/snapshot-format.md).
 */
#include <sys/stat.h>
#include <unistd.h>

#include "analyses/list.h"
#include "readers/input.h"
#include "report/profile.h"
#include "run/api.h"
#include "cli/progress.h"
#include "cli/report-output.h"
#include "cli/command/command.h"
#include "cli/command/write-snapshot.h"
#include "cli/command/snapshot/records.h"
#include "symbolize/object/snapshot.h"
#include "cli/status.h"

/* Adds the analyses that make the tables and report.json. */
static int
add_tasks(struct cp_run *run)
{
	static const char *const names[] = { "info", "quality", "profile" };

	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++)
		if (cp_run_add(run, cp_analysis_find(names[i])) != CP_OK)
			return CP_FAIL;
	return CP_OK;
}

/* How the names that were asked again differ, on standard output. */
static void
write_account(struct cp_cli *cli, struct cp_run *run, struct cp_report *rep)
{
	struct cp_report_output one = { NULL, cp_renderer_find("text") };
	cp_report_outputs to = { .data = &one, .len = 1 };
	struct cp_report account;

	cp_report_init(&account, "resymbolize");
	cp_snapshot_renamed(&account, cp_profile_of(rep),
	    cp_symbols_snapshot(cp_run_symbols(run)));
	cp_report_finish(&account);
	cli->output = NULL;
	cp_report_write(cli, &to, &account);
	cp_report_free(&account);
}

static bool
is_stream(const char *path)
{
	struct stat st;

	return strcmp(path, "-") == 0 ||
	       (stat(path, &st) == 0 && S_ISFIFO(st.st_mode));
}

/*
 * Copies a stream to a file, which then becomes standard input, because the
 * records are read twice.
 */
static int
keep_stream(struct cp_cli *cli, const char **path)
{
	struct cp_input in;
	int status;

	if (!is_stream(*path))
		return CP_OK;
	if (cp_input_open(&in, *path, &cli->diags) != CP_OK)
		return CP_FAIL;
	status = in.seekable || in.directory || in.head_len == 0
		     ? CP_OK
		     : cp_input_spool(&in, &cli->diags);
	if (status == CP_OK && dup2(in.fd, STDIN_FILENO) != STDIN_FILENO)
		status = CP_FAIL;
	cp_input_close(&in);
	*path = "-";
	return status;
}

/* --resymbolize needs a snapshot, which has names. */
static int
check_again(struct cp_cli *cli, struct cp_run *run)
{
	if (!cli->run.again || cp_symbols_snapshot(cp_run_symbols(run)) != NULL)
		return CP_OK;
	cp_diag(&cli->diags, CP_D_USAGE,
	    "--resymbolize is for snapshots: this is a capture");
	return CP_FAIL;
}

static void
read_and_write(struct cp_cli *cli, struct cp_run *run)
{
	struct cp_snapshot_records records = { .file = { .fd = -1 } };
	struct cp_report rep;

	if (check_again(cli, run) != CP_OK || add_tasks(run) != CP_OK)
		return;
	cp_snapshot_records_watch(&records, cli, run);
	if (cp_progress_read(cli, run) == CP_OK) {
		cp_snapshot_records_read(&records, cli, run);
		cp_report_init(&rep, cli->command);
		if (cp_write_snapshot(cli, run, NULL, &rep) == CP_OK &&
		    cli->run.again)
			write_account(cli, run, &rep);
		cp_report_free(&rep);
	}
	cli->kept = NULL;
	cp_snapshot_records_free(&records);
}

int
cp_command_snapshot(struct cp_cli *cli)
{
	const char *capture = cli->captures.data[0];
	struct cp_run run = { 0 };

	if (keep_stream(cli, &capture) == CP_OK &&
	    cp_run_open(&run, &cli->run, &cli->diags, capture) == CP_OK) {
		if (run.tables != NULL)
			(void)cp_write_tables(cli, &run, cp_snapshot_copy);
		else
			read_and_write(cli, &run);
	}
	cp_run_close(&run);
	cli->output = NULL;
	return cp_cli_status(cli);
}
