/* SPDX-License-Identifier: MIT */
#include "cli/command/write-snapshot.h"

#include "cli/report-output.h"
#include "run/merge/merge.h"

int
cp_write_snapshot(struct cp_cli *cli, struct cp_run *run,
    const struct cp_merger *m, struct cp_report *rep)
{
	struct cp_report_output one = { cli->output,
		cp_renderer_find("snapshot") };
	cp_report_outputs to = { .data = &one, .len = 1 };
	int status;

	cp_run_label(run, rep);
	if (m != NULL)
		cp_merge_show(m, rep);
	else
		cp_run_origins_show(run, rep);
	status = cp_run_finish(run, rep);
	cp_run_label_line(run, rep);
	if (status == CP_OK && cp_diags_worst(&cli->diags) < CP_DIAG_ERROR)
		status = cp_report_write(cli, &to, rep);
	return status;
}
