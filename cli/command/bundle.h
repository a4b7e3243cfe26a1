/* SPDX-License-Identifier: MIT */
/* cli/command/bundle.h: opens a bundle, for unpack and verify. */
#ifndef CP_CLI_COMMAND_BUNDLE_H
#define CP_CLI_COMMAND_BUNDLE_H

#include "base/archive/read.h"
#include "cli/cli.h"

struct cp_bundle {
	struct cp_archive *a;
	int fd;
};

/* Opens a bundle.  CP_FAIL after a diagnostic; close it in any case. */
int cp_bundle_open(
    struct cp_bundle *, struct cp_cli *, const char *path) CP_MUST_USE;
/* Uses an open file, which it then owns. */
int cp_bundle_adopt(struct cp_bundle *, struct cp_cli *, int fd) CP_MUST_USE;
void cp_bundle_close(struct cp_bundle *);
/*
 * Reports why reading ended early, and which limit was hit; `more' follows,
 * such as what there is of a member.
 */
void cp_bundle_say_why(
    const struct cp_bundle *, struct cp_cli *, const char *more);

#endif
