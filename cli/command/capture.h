/* SPDX-License-Identifier: MIT */
/* cli/command/capture.h: what capture and run share. */
#ifndef CP_CLI_COMMAND_CAPTURE_H
#define CP_CLI_COMMAND_CAPTURE_H

#include "cli/cli.h"

/*
 * Records by the options of the command line and packs into the bundle (NULL:
 * by -o, or a name by question and time).  The words from `first` on are the
 * program, whose exit status is returned in *ended; -1: not known.  Returns the
 * exit status of coldperf.
 */
int cp_capture_to(
    struct cp_cli *, size_t first, const char *bundle, int *ended);

#endif
