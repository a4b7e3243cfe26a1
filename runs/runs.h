/* SPDX-License-Identifier: MIT */
/*
 * runs/runs.h: runs of a program as plain folders, and an index of them.
 *
 * A run is a folder DIR/ID with the capture and what was made of it; its file
 * run.txt says what ran: lines "key: value".  DIR/index.tsv lists the runs in
 * order of time, made anew from the folders whenever one changes, and
 * DIR/baseline has the ID of the baseline.  A person can read all of it, and
 * git can hold it.  This room knows folders and texts, and neither captures nor
 * reports.
 */
#ifndef CP_RUNS_RUNS_H
#define CP_RUNS_RUNS_H

#include "base/buf.h"
#include "base/vec.h"

/* Texts that are not known are "". */
struct cp_run_kept {
	const char *id;   /* the folder's name: begins with the time */
	const char *time; /* 2026-01-31T12:00:00Z */
	const char *host, *command, *commit;
	const char *exit;    /* status of the command */
	const char *labels;  /* key=value, by blanks */
	const char *capture; /* name of the file in the folder */
};

struct cp_runs {
	struct cp_arena arena;
	const char *folder;
	const char *baseline;           /* ID; "": none */
	bool has_baseline;              /* the file is there */
	CP_VEC(struct cp_run_kept) all; /* in order of time */
};

/* Reads a folder of runs, which may not exist; false and errno: it fails. */
bool cp_runs_read(struct cp_runs *, const char *folder);
void cp_runs_free(struct cp_runs *);
/*
 * Finds a run by ID, by a part that begins only one, or as LAST, LAST~N (N
 * before it), BASELINE.  NULL: there is none.
 */
const struct cp_run_kept *cp_runs_find(
    const struct cp_runs *, const char *name);
/* Makes the folder of a new run.  NULL and errno if that fails. */
const char *cp_runs_new(struct cp_runs *);
/* The path of a file of a run, or of the folder (id NULL). */
const char *cp_runs_path(struct cp_runs *, const char *id, const char *file);
/* Write run.txt, the index, the baseline; false and errno if that fails. */
bool cp_runs_keep(struct cp_runs *, const struct cp_run_kept *);
bool cp_runs_index(struct cp_runs *);
bool cp_runs_baseline(struct cp_runs *, const char *id);
/*
 * A folder in the run's for files that are written anew, as an ID for
 * cp_runs_path; then they take their places, of links too.  NULL, or false, and
 * errno if that fails.
 */
const char *cp_runs_scratch(struct cp_runs *, const char *id);
bool cp_runs_place(struct cp_runs *, const char *scratch, const char *id,
    const char *const *file, size_t n);
/* Runs of the same commit, command, exit status and labels are one side of a
 * diff. */
bool cp_runs_alike(const struct cp_run_kept *, const struct cp_run_kept *);
/* Copies a file; false and errno if that fails. */
bool cp_runs_copy(const char *from, const char *to);
/*
 * Removes the files of a run that coldperf wrote, and its folder.  False and
 * errno if any is left: ENOTEMPTY, there are others, which stay.
 */
bool cp_runs_remove(struct cp_runs *, const struct cp_run_kept *);

#endif
