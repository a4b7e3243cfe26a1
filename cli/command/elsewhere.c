/* SPDX-License-Identifier: MIT */
/* elsewhere: what needs Linux, refused on another system. */
#include "cli/cli.h"
#include "cli/command/command.h"
#include "cli/status.h"

static int
no_perf(struct cp_cli *cli)
{
	cp_diag(&cli->diags, CP_D_NO_RECORDING,
	    "perf is on Linux alone: record there, and read the file here");
	return cp_cli_status(cli);
}

int
cp_command_capture(struct cp_cli *cli)
{
	return no_perf(cli);
}

int
cp_command_run(struct cp_cli *cli)
{
	return no_perf(cli);
}

int
cp_command_selftest(struct cp_cli *cli)
{
	cp_diag(&cli->diags, CP_D_SANDBOX,
	    "there are none: Landlock and seccomp are on Linux alone");
	return cp_cli_status(cli);
}
