/* SPDX-License-Identifier: MIT */
/*
 * cli/command/snapshot/renamed.h: changes of names after `snapshot
 * --resymbolize'.
 */
#ifndef CP_CLI_COMMAND_SNAPSHOT_RENAMED_H
#define CP_CLI_COMMAND_SNAPSHOT_RENAMED_H

#include "report/profile.h"

struct cp_report;
struct cp_snapshot;

/* Adds to the report how the profile's names differ from the snapshot's. */
void cp_snapshot_renamed(
    struct cp_report *, const struct cp_profile *, const struct cp_snapshot *);

#endif
