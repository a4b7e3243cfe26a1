/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/snapshot.h: the names in a snapshot's tables
 * (docs/snapshot-format.md).
 *
 * They answer what the one who made the snapshot asked: an address that has no
 * row has no name.
 */
#ifndef CP_SYMBOLIZE_OBJECT_SNAPSHOT_H
#define CP_SYMBOLIZE_OBJECT_SNAPSHOT_H

#include <coldperf/profile.h>

#include "base/diag.h"
#include "base/safe-file.h"
#include "model/dso.h"

struct cp_object;
struct cp_snapshot;
struct cp_snapshot_members;
struct cp_symbols;

struct cp_snapshot_object {
	const char *name, *kind, *build_id, *source, *trust, *file;
	int64_t pid, found; /* enum cp_profile_found */
	uint64_t symbols;
};

struct cp_snapshot_symbol {
	const char *name, *raw, *source, *trust;
	uint64_t start, end;
	int64_t object; /* row of objects */
};

struct cp_snapshot_frame {
	/* Of a return address the byte before it, which is in the call. */
	uint64_t object, asked, addr, vaddr;
	int64_t symbol;
	size_t row, first_spot, spots;
};

struct cp_snapshot_spot {
	int64_t symbol;
	const char *file;
	uint32_t line, column;
};

/* NULL: the file is no snapshot, or one that cannot be read (a diagnostic). */
struct cp_snapshot *cp_snapshot_load(int fd, struct cp_diags *);
/* The same of members, which it takes. */
struct cp_snapshot *cp_snapshot_of(
    struct cp_snapshot_members *, struct cp_diags *);
void cp_snapshot_free(struct cp_snapshot *);
/* The object's row in the snapshot, which there is; 0: none. */
size_t cp_object_row(struct cp_symbols *, struct cp_object *);
/*
 * The row of the object whose names are the snapshot's; 0: the snapshot has
 * none, or --symbols has better ones.  Names of both are never mixed.
 */
size_t cp_object_recorded(struct cp_symbols *, struct cp_object *);
/* Is nothing but the snapshot asked? */
bool cp_snapshot_alone(const struct cp_symbols *);
/* The snapshot that the capture is; or NULL. */
const struct cp_snapshot *cp_symbols_snapshot(const struct cp_symbols *);
/* What the snapshot has of an object whose names are asked again. */
uint64_t cp_object_had_symbols(struct cp_symbols *, struct cp_object *);
bool cp_object_had_lines(struct cp_symbols *, struct cp_object *);
/* True if no other place can know better. */
bool cp_object_keeps_names(struct cp_symbols *, struct cp_object *);
/* The address in the file; false: it was not known. */
bool cp_snapshot_vaddr(
    const struct cp_snapshot *, size_t object, uint64_t addr, uint64_t *vaddr);
/* The symbol of a row, the same for all that have it; NULL: no such row. */
const struct cp_symbol *cp_object_recorded_symbol(
    struct cp_symbols *, struct cp_object *, int64_t row);
/* The row of an object; 0: none. */
size_t cp_snapshot_find(
    const struct cp_snapshot *, const struct cp_dso *, const char *name);
const struct cp_snapshot_object *cp_snapshot_object(
    const struct cp_snapshot *, size_t row);
/* All symbols; returns how many. */
size_t cp_snapshot_symbols(
    const struct cp_snapshot *, const struct cp_snapshot_symbol **);
/* The same of a frame's address, or of that in the call. */
const struct cp_snapshot_frame *cp_snapshot_frame_at(
    const struct cp_snapshot *, size_t object, uint64_t addr);
/* NULL: names of that address of that object were not asked for. */
const struct cp_snapshot_frame *cp_snapshot_frame(
    const struct cp_snapshot *, size_t object, uint64_t asked);
/* Has any address of the object lines? */
bool cp_snapshot_lines(const struct cp_snapshot *, size_t object);
/* The spot's number is below the frame's first_spot + spots. */
const struct cp_snapshot_spot *cp_snapshot_spot(
    const struct cp_snapshot *, size_t number);
/* The jitdump that the process mapped under that path.  False: none. */
bool cp_snapshot_jitdump(const struct cp_snapshot *, uint32_t pid,
    const char *recorded, struct cp_content *);
/* Where it was when the snapshot was made. */
const char *cp_snapshot_jit_file(
    const struct cp_snapshot *, uint32_t pid, const char *recorded);
/* The numbers of the words that tables have. */
enum cp_source cp_snapshot_source(const char *);
enum cp_trust cp_snapshot_trust(const char *);
enum cp_unwind_end cp_snapshot_end(const char *);
enum cp_dso_kind cp_snapshot_kind(const char *);
enum cp_level cp_snapshot_level(const char *);

#endif
