/* SPDX-License-Identifier: MIT */
/* merge: several captures as one snapshot. */
#include "analyses/list.h"
#include "cli/command/command.h"
#include "cli/merging.h"
#include "cli/report-output.h"
#include "cli/status.h"

static int
add_tasks(void *ctx, struct cp_run *all)
{
	(void)ctx;
	if (cp_run_add(all, cp_analysis_find("quality")) != CP_OK)
		return CP_FAIL;
	return cp_run_add(all, cp_analysis_find("profile"));
}

static int
write_union(struct cp_cli *cli, struct cp_merger *m)
{
	struct cp_report_output one = { cli->output,
		cp_renderer_find("snapshot") };
	cp_report_outputs to = { .data = &one, .len = 1 };
	struct cp_report rep;
	int status;

	cp_report_init(&rep, cli->command);
	cp_run_label(&m->all, &rep);
	cp_merge_show(m, &rep);
	status = cp_run_finish(&m->all, &rep);
	cp_run_label_line(&m->all, &rep);
	if (status == CP_OK && cp_diags_worst(&cli->diags) < CP_DIAG_ERROR)
		status = cp_report_write(cli, &to, &rep);
	cp_report_free(&rep);
	return status;
}

int
cp_command_merge(struct cp_cli *cli)
{
	struct cp_merger m;

	if (cli->outputs.len != 1) {
		cp_diag(&cli->diags, CP_D_USAGE,
		    "merge wants one -o: the snapshot that it writes");
		return cp_cli_status(cli);
	}
	cp_merge_init(&m, &cli->run, &cli->diags);
	if (cp_merging_read(cli, &m, add_tasks, NULL) == CP_OK)
		write_union(cli, &m);
	cp_merge_free(&m);
	return cp_cli_status(cli);
}
