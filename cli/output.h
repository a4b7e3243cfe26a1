/* SPDX-License-Identifier: MIT */
/*
 * cli/output.h: where reports go.
 *
 * A file is written under a temporary name beside its own and renamed when
 * it is whole: a failed or interrupted run leaves no half file.  What is
 * there and no regular file (a device, a pipe) is written to as it is, and a
 * link stays a link to the file that is replaced.
 */
#ifndef CP_CLI_OUTPUT_H
#define CP_CLI_OUTPUT_H

#include "cli/cli.h"
#include "render/common/out.h"

struct cp_output {
	struct cp_out out;
	const char *path; /* NULL: standard output */
	char *target;     /* where links lead; of a regular file */
	char *temporary;
	int fd;
	int pager;     /* its pid, 0: none */
	bool terminal; /* a person reads it */
};

int cp_output_open(struct cp_output *, struct cp_cli *, bool page) CP_MUST_USE;
/*
 * CP_FAIL and a diagnostic, which decides the exit status, unless everything
 * was written.
 */
int cp_output_close(struct cp_output *, struct cp_cli *, bool keep);
/* Removes unfinished files; for the out-of-memory handler and signals. */
void cp_output_abandon(void);

#endif
