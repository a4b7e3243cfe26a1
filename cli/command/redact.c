/* SPDX-License-Identifier: MIT */
/*
 * redact: writes a capture without the data that a policy removes, as a file
 * that perf reads.
 *
 * cp_run_open() has removed the data except the copies of users' stacks, which
 * the run unwinds; here call chains replace them.  A snapshot without records
 * becomes another one.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command/command.h"
#include "cli/command/pack-unwound.h"
#include "cli/command/write-snapshot.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/status.h"
#include "render/render.h"
#include "run/api.h"

enum { COPY = 1 << 16 };

static bool
copy_out(int fd, struct cp_out *out)
{
	CP_CLEANUP(cp_cleanup_free) char *p = cp_xmalloc(COPY);
	uint64_t at = 0;
	ssize_t n = 0;

	while (!out->failed && (n = pread(fd, p, COPY, (off_t)at)) > 0) {
		cp_out_add(out, p, (size_t)n);
		at += (uint64_t)n;
	}
	return at != 0 && n == 0;
}

static void
write_capture(struct cp_cli *cli, struct cp_pack_unwound *unwound)
{
	struct cp_packlist list = { .arena = { 0 } };
	struct cp_output o;
	bool whole;

	if (cp_pack_unwound(unwound, &list) == CP_OK &&
	    unwound->files.len == 1 &&
	    cp_output_open(&o, cli, false) == CP_OK) {
		whole = copy_out(unwound->files.data[0], &o.out);
		if (!whole && !o.out.failed)
			cp_diag(&cli->diags, CP_D_OUTPUT,
			    "its copy cannot be read");
		(void)cp_output_close(&o, cli, whole);
	}
	cp_packlist_free(&list);
}

/* Of a bundle, the redacted capture is all that is unpacked. */
static int
to_folder(struct cp_cli *cli, char *name, size_t size)
{
	if (mkdir(cli->output, 0777) != 0 && errno != EEXIST) {
		cp_diag(&cli->diags, CP_D_OUTPUT, "%s: %s", cli->output,
		    strerror(errno));
		return CP_FAIL;
	}
	snprintf(name, size, "%s/perf.data", cli->output);
	cli->output = name;
	return CP_OK;
}

/* What was captured stays a capture, whatever its name. */
static bool
is_fit(struct cp_cli *cli)
{
	if (cp_renderer_of_path(cli->output) == NULL)
		return true;
	cp_diag(&cli->diags, CP_D_USAGE,
	    "redact makes a capture of a capture, not %.60s; "
	    "snapshot --redact makes a snapshot",
	    cli->output);
	return false;
}

static void
read_and_write(
    struct cp_cli *cli, struct cp_run *run, struct cp_pack_unwound *unwound)
{
	if (!is_fit(cli))
		return;
	cp_pack_unwound_watch(unwound, run);
	cp_run_chains(run, true);
	if (cp_progress_read(cli, run) == CP_OK)
		write_capture(cli, unwound);
}

int
cp_command_redact(struct cp_cli *cli)
{
	struct cp_pack_unwound unwound = { 0 };
	struct cp_run run = { 0 };
	char name[4096];

	if (cli->output == NULL) {
		cp_diag(&cli->diags, CP_D_USAGE, "redact needs -o FILE");
		return cp_cli_status(cli);
	}
	if (strcmp(cli->command, "unpack") == 0 &&
	    to_folder(cli, name, sizeof(name)) != CP_OK)
		return cp_cli_status(cli);
	if (cp_run_open(&run, &cli->run, &cli->diags, cli->captures.data[0]) ==
	    CP_OK) {
		if (run.tables != NULL)
			(void)cp_write_tables(cli, &run, NULL);
		else
			read_and_write(cli, &run, &unwound);
	}
	cp_run_close(&run);
	cp_pack_unwound_free(&unwound);
	cli->output = NULL;
	return cp_cli_status(cli);
}
