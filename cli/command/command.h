/* SPDX-License-Identifier: MIT */
/*
 * cli/command/command.h: the commands, one file each.
 *
 * A command opens a run or a bundle, works on it, writes, and returns the exit
 * status.  It may use run/ and the shared code of cli/, but no other command.
 * dump.c is the shortest: begin there.
 */
#ifndef CP_CLI_COMMAND_COMMAND_H
#define CP_CLI_COMMAND_COMMAND_H

#include <stddef.h>

struct cp_cli;

int cp_command_analyse(struct cp_cli *);
int cp_command_browse(struct cp_cli *);
int cp_command_capture(struct cp_cli *);
int cp_command_check(struct cp_cli *);
int cp_command_dump(struct cp_cli *);
int cp_command_merge(struct cp_cli *);
int cp_command_names(struct cp_cli *);
int cp_command_pack(struct cp_cli *);
int cp_command_redact(struct cp_cli *);
int cp_command_repair(struct cp_cli *);
int cp_command_run(struct cp_cli *);
int cp_command_script(struct cp_cli *);
int cp_command_selftest(struct cp_cli *);
int cp_command_snapshot(struct cp_cli *);
int cp_command_sql(struct cp_cli *);
int cp_command_symbols(struct cp_cli *);
int cp_command_unpack(struct cp_cli *);
int cp_command_verify(struct cp_cli *);

/* capture.c: what capture and run share. */

/*
 * Records by the options of the command line and packs into the bundle (NULL:
 * by -o, or a name by question and time).  The words from `first` on are the
 * program, whose exit status is returned in *ended; -1: not known.  Returns the
 * exit status of coldperf.
 */
int cp_capture_to(
    struct cp_cli *, size_t first, const char *bundle, int *ended);

#endif
