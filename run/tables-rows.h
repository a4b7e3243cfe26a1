/* SPDX-License-Identifier: MIT */
/*
 * run/tables-rows.h: what the rows of a snapshot's tables are in a run.
 */
#ifndef CP_RUN_TABLES_ROWS_H
#define CP_RUN_TABLES_ROWS_H

#include "run/api.h"
#include "symbolize/object/snapshot-members.h"

struct cp_tables_thread {
	uint32_t pid, tid;
	cp_string_id comm;
};

struct cp_tables {
	struct cp_snapshot_members members;
	struct cp_arena arena;
	struct cp_merged merged;
	CP_VEC(uint32_t) object; /* ids by row */
	CP_VEC(const struct cp_symbol *) symbol;
	CP_VEC(cp_stack_id) stack;
	CP_VEC(struct cp_tables_thread) thread;
};

/* tables-code.c: objects, symbols, frames, spots and stacks. */
void cp_tables_code(struct cp_tables *, struct cp_run *);
/* tables-events.c: events, threads, and the account. */
void cp_tables_events(struct cp_tables *, struct cp_run *);

static inline void
cp_tables_damaged(const struct cp_run *run, enum cp_snapshot_table i)
{
	cp_diag(run->diags, CP_D_BAD_SNAPSHOT, "%s", cp_snapshot_table_name(i));
}

#endif
