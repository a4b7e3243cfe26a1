/* SPDX-License-Identifier: MIT */
/*
 * snapshot: the samples of a capture, with their names, as one file of tables
 * (docs/snapshot-format.md).
 */
#include "analyses/list.h"
#include "run/api.h"
#include "cli/progress.h"
#include "cli/report-output.h"
#include "cli/command/command.h"
#include "cli/status.h"

/* What the tables are made of, and what report.json tells. */
static int
add_tasks(struct cp_run *run)
{
	static const char *const names[] = { "info", "quality", "profile" };

	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++)
		if (cp_run_add(run, cp_analysis_find(names[i])) != CP_OK)
			return CP_FAIL;
	return CP_OK;
}

static int
write_snapshot(struct cp_cli *cli, struct cp_run *run)
{
	struct cp_report_output one = { cli->output,
		cp_renderer_find("snapshot") };
	cp_report_outputs to = { .data = &one, .len = 1 };
	struct cp_report rep;
	int status;

	cp_report_init(&rep, cli->command);
	cp_run_label(run, &rep);
	status = cp_run_finish(run, &rep);
	cp_run_label_line(run, &rep);
	if (status == CP_OK && cp_diags_worst(&cli->diags) < CP_DIAG_ERROR)
		status = cp_report_write(cli, &to, &rep);
	cp_report_free(&rep);
	return status;
}

int
cp_command_snapshot(struct cp_cli *cli)
{
	const char *capture = cli->captures.data[0];
	struct cp_run run = { 0 };
	char name[4096];

	if (cli->output == NULL) {
		snprintf(name, sizeof(name), "%s.cold", capture);
		cli->output = name;
	}
	if (cp_run_open(&run, &cli->run, &cli->diags, capture) == CP_OK &&
	    add_tasks(&run) == CP_OK && cp_progress_read(cli, &run) == CP_OK)
		write_snapshot(cli, &run);
	cp_run_close(&run);
	cli->output = NULL;
	return cp_cli_status(cli);
}
