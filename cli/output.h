/* SPDX-License-Identifier: MIT */
/*
 * cli/output.h: writes reports to files, pipes and the terminal.
 *
 * A failed or interrupted run leaves no partial file: output-file.h.  An
 * existing path that is not a regular file (a device, a pipe) is written
 * directly, and a link stays a link: the file that it leads to is replaced.
 */
#ifndef CP_CLI_OUTPUT_H
#define CP_CLI_OUTPUT_H

#include "cli/cli.h"
#include "render/common/out.h"

struct cp_output {
	struct cp_out out;
	const char *path;            /* NULL: standard output */
	struct cp_output_file *file; /* a regular file, or NULL */
	int fd;
	int pager; /* its pid, 0: none */
	/*
	 * output goes to a copy, which is searched for names that --redact
	 * removed
	 */
	bool held;
	bool terminal; /* the output is a terminal */
};

/*
 * Starts the pager for long text, because no program can be started later.  The
 * pager waits until there is text.
 */
void cp_output_prepare(const struct cp_cli *, bool page);
/*
 * Finds out, before a capture is read, whether the path can be written to;
 * folder: it is one, or becomes one.  CP_FAIL after a diagnostic.
 */
int cp_output_check(struct cp_cli *, const char *path, bool folder) CP_MUST_USE;
int cp_output_open(struct cp_output *, struct cp_cli *, bool page) CP_MUST_USE;
/*
 * CP_FAIL after a diagnostic, which decides the exit status, if anything was
 * not written.
 */
int cp_output_close(struct cp_output *, struct cp_cli *, bool keep);

#endif
