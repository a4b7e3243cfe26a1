/* SPDX-License-Identifier: MIT */
/*
 * cli/command/snapshot/records.h: the parts of a capture that a snapshot keeps
 * for coldperf itself: records, and the jitdumps used.
 */
#ifndef CP_CLI_COMMAND_SNAPSHOT_RECORDS_H
#define CP_CLI_COMMAND_SNAPSHOT_RECORDS_H

#include "run/api.h"
#include "cli/cli.h"
#include "cli/command/pack-unwound.h"
#include "cli/command/snapshot/frames.h"
#include "render/render.h"
#include "report/profile.h"

struct cp_snapshot_records {
	struct cp_pack_unwound unwound;
	struct cp_render_kept kept;
	struct cp_cli *cli;    /* for diagnostics */
	struct cp_frames file; /* the capture, if it is a file */
	struct cp_arena arena; /* names of members */
	bool wanted;           /* no samples were left out */
};

/* Call it before the run reads, and free it after that in any case. */
void cp_snapshot_records_watch(
    struct cp_snapshot_records *, struct cp_cli *, struct cp_run *);
/* Call it after reading; passes the members to the renderer. */
void cp_snapshot_records_read(
    struct cp_snapshot_records *, struct cp_cli *, struct cp_run *);
void cp_snapshot_records_free(struct cp_snapshot_records *);

/* copy.c: a snapshot without records, as it is. */

/*
 * Writes the members of the snapshot that was read to the output.  False: its
 * tables are damaged, an option changes them, or it failed, with a diagnostic.
 */
bool cp_snapshot_copy(struct cp_cli *, const struct cp_run *);

/* renamed.c: changes of names after `snapshot --resymbolize'. */

struct cp_report;
struct cp_snapshot;

/* Adds to the report how the profile's names differ from the snapshot's. */
void cp_snapshot_renamed(
    struct cp_report *, const struct cp_profile *, const struct cp_snapshot *);

#endif
