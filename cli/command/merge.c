/* SPDX-License-Identifier: MIT */
/* merge: several captures as one snapshot. */
#include "analyses/list.h"
#include "cli/command/command.h"
#include "cli/command/write-snapshot.h"
#include "cli/cli.h"
#include "cli/status.h"

static int
add_tasks(void *ctx, struct cp_run *all)
{
	(void)ctx;
	if (cp_run_add(all, cp_analysis_find("quality")) != CP_OK)
		return CP_FAIL;
	return cp_run_add(all, cp_analysis_find("profile"));
}

int
cp_command_merge(struct cp_cli *cli)
{
	struct cp_merger m;

	if (cli->output == NULL) {
		cp_diag(&cli->diags, CP_D_USAGE,
		    "merge needs -o: the snapshot that it writes");
		return cp_cli_status(cli);
	}
	cp_merge_init(&m, &cli->run, &cli->diags);
	if (cp_merging_read(cli, &m, add_tasks, NULL) == CP_OK) {
		struct cp_report rep;

		cp_report_init(&rep, cli->command);
		cp_write_snapshot(cli, &m.all, &m, &rep);
		cp_report_free(&rep);
	}
	cp_merge_free(&m);
	return cp_cli_status(cli);
}
