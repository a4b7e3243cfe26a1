/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/snapshot-members.h: the tables of a snapshot, checked
 * against its manifest: those that name addresses and lost callers, and those
 * read from a snapshot without records.
 */
#ifndef CP_SYMBOLIZE_OBJECT_SNAPSHOT_MEMBERS_H
#define CP_SYMBOLIZE_OBJECT_SNAPSHOT_MEMBERS_H

#include "base/archive/spool.h"
#include "base/buf.h"
#include "base/vec.h"

enum cp_snapshot_table {
	CP_SNAPSHOT_OBJECTS,
	CP_SNAPSHOT_SYMBOLS,
	CP_SNAPSHOT_FRAMES,
	CP_SNAPSHOT_SPOTS,
	CP_SNAPSHOT_STACKS,
	CP_SNAPSHOT_NAMING, /* number of tables that name addresses */
	CP_SNAPSHOT_CONTEXTS = CP_SNAPSHOT_NAMING,
	CP_SNAPSHOT_THREADS,
	CP_SNAPSHOT_EVENTS,
	CP_SNAPSHOT_QUALITY,
	CP_SNAPSHOT_CAPTURES,
	CP_SNAPSHOT_SAMPLES,
	CP_SNAPSHOT_READ, /* number of tables */
};

struct cp_snapshot_jit {
	const char *name; /* of the member */
	struct cp_spooled at;
};

struct cp_snapshot_members {
	struct cp_arena arena;
	struct cp_buf manifest, table[CP_SNAPSHOT_READ];
	struct cp_spool spool; /* jitdumps, still compressed */
	CP_VEC(struct cp_snapshot_jit) jits;
	unsigned tables; /* number of tables that are read */
	/* listed in the manifest, missing in the tar */
	bool gone[CP_SNAPSHOT_READ];
	/* where each begins, or the tar ends without it; or CP_NO_OFFSET */
	uint64_t at[CP_SNAPSHOT_READ];
	bool snapshot;
	bool whole; /* the file was read to its end */
	uint64_t version;
};

/* Reads the first `tables' tables. */
void cp_snapshot_members_read(
    struct cp_snapshot_members *, int fd, unsigned tables);
/* Empties tables that differ from the manifest. */
void cp_snapshot_members_check(struct cp_snapshot_members *);
/* Frees the bytes of the tables. */
void cp_snapshot_members_shed(struct cp_snapshot_members *);
void cp_snapshot_members_free(struct cp_snapshot_members *);
/* Returns the name of a table's member. */
const char *cp_snapshot_table_name(enum cp_snapshot_table);

#endif
