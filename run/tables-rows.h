/* SPDX-License-Identifier: MIT */
/*
 * run/tables-rows.h: a snapshot that has tables and no records, read as a run.
 *
 * Its samples, stacks, frames and names are those of the tables
 * (docs/snapshot-format.md), so nothing is looked up: the run is like one over
 * the union of captures (struct cp_merged).  A reference to a row that does not
 * exist counts as a reference to none.
 */
#ifndef CP_RUN_TABLES_ROWS_H
#define CP_RUN_TABLES_ROWS_H

#include "base/parquet/columns.h"
#include "base/redact/policy.h"
#include "run/api.h"
#include "symbolize/object/snapshot-members.h"

struct cp_tables_thread {
	uint32_t pid, tid;
	cp_string_id comm;
};

struct cp_tables_context {
	uint64_t cgroup;
	uint32_t object; /* id */
	uint8_t unwound; /* enum cp_unwind_end */
};

/* Samples that are alike. */
struct cp_tables_row {
	uint64_t time, weight, stack, thread, event, context;
	uint32_t cpu, times;
	uint32_t number; /* in the order of the profile */
};

struct cp_tables {
	struct cp_snapshot_members members;
	struct cp_arena arena;
	struct cp_merged merged;
	CP_VEC(const char *) unit; /* of weights, by event */
	bool rates_told;           /* not in the first snapshots */
	CP_VEC(uint32_t) object;   /* ids by row */
	CP_VEC(bool) said;         /* by id - 1: what was wrong with it */
	CP_VEC(const struct cp_symbol *) symbol;
	CP_VEC(cp_stack_id) stack;
	CP_VEC(struct cp_tables_thread) thread;
	CP_VEC(struct cp_tables_context) context;
	uint32_t reading; /* number of the record that the last row is of */
	/* Of another tool's profile (import/), which has no members. */
	bool imported;
	struct cp_buf about;                 /* what it is, and what it lacks */
	const struct cp_report_pprof *pprof; /* NULL: it is none of pprof's */
	CP_VEC(struct cp_tables_row) rows;
};

/* Returns empty tables, which are the run's from now on. */
struct cp_tables *cp_tables_new(struct cp_run *);
/* Opens the snapshot that the run's capture is; CP_FAIL after a diagnostic. */
int cp_tables_open(struct cp_run *) CP_MUST_USE;
/* Does the same for members, which it takes over. */
int cp_tables_take(struct cp_run *, struct cp_snapshot_members *) CP_MUST_USE;
/* Calls `pass' with each sample. */
int cp_tables_read(struct cp_run *,
    int (*pass)(struct cp_run *, struct cp_sample *)) CP_MUST_USE;
void cp_tables_free(struct cp_tables *);
/* What an imported profile is, and what it lacks; NULL: none was imported. */
const char *cp_tables_about(const struct cp_run *);
/* What a profile of pprof's says; NULL: none, or some of it is not to be said.
 */
const struct cp_report_pprof *cp_tables_pprof(const struct cp_run *);

/* Reads the rows of one table; lists of them end with NULL. */
struct cp_tables_reader {
	enum cp_snapshot_table table;
	void (*read)(struct cp_tables *, struct cp_run *, struct cp_columns *);
	bool later; /* the first snapshots have no such table */
};

/* tables-code.c: adds a frame; false: the run's limit is reached. */
bool cp_tables_frame(struct cp_tables *, struct cp_run *,
    const struct cp_frame *, const struct cp_symbol *function, uint64_t vaddr);
/* tables-events.c: adds a thread by its command; false: too many. */
bool cp_tables_thread(struct cp_tables *, struct cp_run *, uint32_t pid,
    uint32_t tid, const char *comm);

/* tables-said.c: repeats the diagnostics about the files of an object. */
void cp_tables_say_object(struct cp_run *, uint32_t dso);

/* tables-events.c: the weight of a sample by --weight. */
uint64_t cp_tables_weight(
    const struct cp_run *, uint32_t event, uint64_t weight);
/* CP_FAIL after a diagnostic: samples at several rates were counted. */
int cp_tables_rates(const struct cp_run *) CP_MUST_USE;

/* tables-code.c: first objects; stacks after frames, and so on. */
extern const struct cp_tables_reader cp_tables_code[];
/* tables-events.c: events, threads, and the account. */
extern const struct cp_tables_reader cp_tables_events[];

/* tables-learn.c: remembers the users and hosts that the tables name. */
struct cp_redact;
void cp_tables_learn(struct cp_redact *, const struct cp_snapshot_members *);

/* tables-shown.c: texts after a redaction; without one they stay the same. */
const char *cp_tables_shown(
    const struct cp_run *, enum cp_redact_class, const char *text);
void cp_tables_shown_origin(
    struct cp_run *, struct cp_report_origin *, size_t number);
/* Renames the event, and returns the unit of its weights. */
const char *cp_tables_shown_event(
    struct cp_run *, struct cp_evsel_info *, const char *unit);
/* Returns NULL if the symbol is not shown by any name. */
const struct cp_symbol *cp_tables_shown_symbol(
    struct cp_run *, const struct cp_symbol *);
void cp_tables_shown_object(
    struct cp_run *, struct cp_dso_info *, struct cp_dso_state *);

static inline void
cp_tables_damaged(const struct cp_run *run, enum cp_snapshot_table i)
{
	cp_diag_at(run->diags, CP_D_BAD_SNAPSHOT, run->tables->members.at[i],
	    "%s", cp_snapshot_table_name(i));
}

#endif
