/* SPDX-License-Identifier: MIT */
/*
 * cli/output.h: where reports go.
 *
 * A file is written under a temporary name in the same folder and renamed when
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
	char *target;     /* the regular file that links lead to */
	char *temporary;
	bool nameless; /* until it is whole */
	int fd;
	int pager; /* its pid, 0: none */
	/* a copy is searched for what --redact removed before it is passed on
	 */
	bool held;
	bool terminal; /* the output is a terminal */
};

/*
 * Starts what may page long text: later no program can be started.  It waits
 * until there is text.
 */
void cp_output_prepare(const struct cp_cli *, bool page);
int cp_output_open(struct cp_output *, struct cp_cli *, bool page) CP_MUST_USE;
/*
 * CP_FAIL after a diagnostic, which decides the exit status, if anything was
 * not written.
 */
int cp_output_close(struct cp_output *, struct cp_cli *, bool keep);
/* Removes unfinished files; for the out-of-memory handler and signals. */
void cp_output_abandon(void);

#endif
