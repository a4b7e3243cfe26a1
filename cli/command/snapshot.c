/* SPDX-License-Identifier: MIT */
/*
 * snapshot: the samples of a capture, with their names, as one file of tables
 * (docs/snapshot-format.md).
 */
#include <unistd.h>

#include "analyses/list.h"
#include "base/limits.h"
#include "base/retry.h"
#include "run/api.h"
#include "cli/progress.h"
#include "cli/report-output.h"
#include "cli/command/command.h"
#include "cli/command/pack-unwound.h"
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

/* ------------------------------------------------------------ the records */

struct records {
	struct cp_pack_unwound unwound;
	struct cp_buf bytes;
	bool wanted; /* no samples were left out */
};

static void
watch_records(struct records *r, struct cp_run *run)
{
	cp_buf_init(&r->bytes, CP_MAX_EXPORT);
	r->wanted = !run->filter.any;
	r->unwound.tells = true;
	if (r->wanted)
		cp_pack_unwound_watch(&r->unwound, run);
}

static bool
read_file(struct cp_buf *b, int fd)
{
	uint8_t some[1 << 16];
	uint64_t at = 0;
	ssize_t n = 0;

	while (
	    !b->full && (n = cp_pread(fd, some, sizeof(some), (off_t)at)) > 0) {
		cp_buf_add(b, some, (size_t)n);
		at += (uint64_t)n;
	}
	return !b->full && n == 0 && at != 0;
}

/* Dumped stacks are replaced by what they were unwound to. */
static bool
read_unwound(struct records *r)
{
	struct cp_packlist list = { .arena = { 0 } };
	bool whole = cp_pack_unwound(&r->unwound, &list) == CP_OK &&
		     r->unwound.files.len == 1 &&
		     read_file(&r->bytes, r->unwound.files.data[0]);

	cp_packlist_free(&list);
	return whole;
}

/* A capture without dumped stacks stays as it is, damage included. */
static void
read_records(struct records *r, struct cp_cli *cli, struct cp_run *run)
{
	const struct cp_input *in = &run->capture.in;
	bool whole = r->wanted && in->seekable &&
		     strcmp(run->capture.reader->name, "directory") != 0;

	if (whole && (r->unwound.chains.len | r->unwound.ends.len) != 0)
		whole = read_unwound(r);
	else if (whole)
		whole = read_file(&r->bytes, in->fd);
	if (whole) {
		cli->records = &r->bytes;
		return;
	}
	cp_diag(&cli->diags, CP_D_NO_RECORDS, "%s",
	    !r->wanted
		? "samples were chosen"
		: "it cannot be read again as one file, or is too large");
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
	struct records records = { .wanted = false };
	char name[4096];

	if (cli->output == NULL) {
		snprintf(name, sizeof(name), "%s.cold", capture);
		cli->output = name;
	}
	if (cp_run_open(&run, &cli->run, &cli->diags, capture) == CP_OK &&
	    add_tasks(&run) == CP_OK) {
		watch_records(&records, &run);
		if (cp_progress_read(cli, &run) == CP_OK) {
			read_records(&records, cli, &run);
			write_snapshot(cli, &run);
		}
	}
	cp_run_close(&run);
	cli->records = NULL;
	cp_pack_unwound_free(&records.unwound);
	cp_buf_free(&records.bytes);
	cli->output = NULL;
	return cp_cli_status(cli);
}
