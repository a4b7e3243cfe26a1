/* SPDX-License-Identifier: MIT */
#include "cli/command/write-snapshot.h"

#include "analyses/list.h"
#include "cli/progress.h"
#include "cli/report-output.h"
#include "render/export/snapshot/stream.h"
#include "run/merge/merge.h"

int
cp_write_tables(struct cp_cli *cli, struct cp_run *run,
    bool (*copy)(struct cp_cli *, const struct cp_run *))
{
	struct cp_report rep;
	int status = CP_FAIL;

	if (cli->run.again) {
		cp_diag(&cli->diags, CP_D_ONLY_TABLES,
		    "--resymbolize asks for the names of records");
		return CP_FAIL;
	}
	cp_report_init(&rep, cli->command);
	if (cp_run_add(run, cp_analysis_find("quality")) == CP_OK &&
	    cp_run_add(run, cp_analysis_find("profile")) == CP_OK &&
	    cp_progress_read(cli, run) == CP_OK)
		status = copy != NULL && copy(cli, run)
			     ? CP_OK
			     : cp_write_snapshot(cli, run, NULL, &rep);
	cp_report_free(&rep);
	if (status == CP_OK)
		cp_report_no_records(cli, "what was read has none");
	return status;
}

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
	/*
	 * Samples go into their table at once, so that memory never holds all.
	 */
	cli->stream = cp_snapshot_stream_new(cli->run.jobs);
	rep->sink = cp_snapshot_stream_add;
	rep->sink_ctx = cli->stream;
	status = cp_run_finish(run, rep);
	cp_run_label_line(run, rep);
	if (status == CP_OK && cp_diags_worst(&cli->diags) < CP_DIAG_ERROR)
		status = cp_report_write(cli, &to, rep);
	cp_snapshot_stream_free(cli->stream);
	cli->stream = NULL;
	return status;
}
