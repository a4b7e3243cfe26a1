/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/snapshot.h: the names in a snapshot's tables
 * (docs/snapshot-format.md).
 *
 * Only addresses that were named when the snapshot was made have a row; all
 * others have no name.
 */
#ifndef CP_SYMBOLIZE_OBJECT_SNAPSHOT_H
#define CP_SYMBOLIZE_OBJECT_SNAPSHOT_H

#include <coldperf/profile.h>

#include "base/diag.h"
#include "base/safe-file.h"
#include "model/dso.h"
#include "symbolize/object/snapshot-lost.h"

struct cp_object;
struct cp_snapshot;
struct cp_snapshot_members;
struct cp_symbols;

struct cp_snapshot_object {
	const char *name, *kind, *build_id, *source, *trust, *file, *reason;
	int64_t pid, found; /* enum cp_profile_found */
	uint64_t symbols;
};

struct cp_snapshot_symbol {
	const char *name, *raw, *source, *trust, *label;
	uint64_t start, end;
	int64_t object; /* row of objects */
};

struct cp_snapshot_frame {
	/*
	 * asked: for a return address the byte before it, which is in the call.
	 */
	uint64_t object, asked, addr, vaddr;
	int64_t symbol;
	uint8_t flags;
	size_t row, first_spot, spots;
};

struct cp_snapshot_spot {
	int64_t symbol;
	const char *file;
	uint32_t line, column;
};

/*
 * Loads a snapshot.  NULL: the file is not a snapshot, or it cannot be read
 * (with a diagnostic).
 */
struct cp_snapshot *cp_snapshot_load(int fd, struct cp_diags *);
/* Does the same for members, which it takes over. */
struct cp_snapshot *cp_snapshot_of(
    struct cp_snapshot_members *, struct cp_diags *);
void cp_snapshot_free(struct cp_snapshot *);
/* Returns the object's row; 0: none.  A snapshot must have been loaded. */
size_t cp_object_row(struct cp_symbols *, struct cp_object *);
/*
 * Returns the object's row if its names come from the snapshot; 0: the snapshot
 * has no names, or --symbols has better ones.  Names of both are never mixed.
 */
size_t cp_object_recorded(struct cp_symbols *, struct cp_object *);
/* Is the snapshot the only source of names? */
bool cp_snapshot_alone(const struct cp_symbols *);
/* Returns the snapshot if the capture is one; or NULL. */
const struct cp_snapshot *cp_symbols_snapshot(const struct cp_symbols *);
/*
 * Return the snapshot's symbols and lines of an object, for a new search of its
 * names.
 */
uint64_t cp_object_had_symbols(struct cp_symbols *, struct cp_object *);
bool cp_object_had_lines(struct cp_symbols *, struct cp_object *);
/* True if no other source can have better names. */
bool cp_object_keeps_names(struct cp_symbols *, struct cp_object *);
/* Finds the address in the file's image; false: not known. */
bool cp_snapshot_vaddr(
    const struct cp_snapshot *, size_t object, uint64_t addr, uint64_t *vaddr);
/* Returns the symbol of a row, always the same pointer; NULL: no such row. */
const struct cp_symbol *cp_object_recorded_symbol(
    struct cp_symbols *, struct cp_object *, int64_t row);
/* The row of an object; 0: none. */
size_t cp_snapshot_find(
    const struct cp_snapshot *, const struct cp_dso *, const char *name);
const struct cp_snapshot_object *cp_snapshot_object(
    const struct cp_snapshot *, size_t row);
/* Gives all symbols; returns their number. */
size_t cp_snapshot_symbols(
    const struct cp_snapshot *, const struct cp_snapshot_symbol **);
/* Finds the frame of an address, or of the byte before it. */
const struct cp_snapshot_frame *cp_snapshot_frame_at(
    const struct cp_snapshot *, size_t object, uint64_t addr);
/*
 * Finds the frame of an address that was asked for.  NULL: it was not asked for
 * in that object.
 */
const struct cp_snapshot_frame *cp_snapshot_frame(
    const struct cp_snapshot *, size_t object, uint64_t asked);
/*
 * Finds the frame for a lost caller between two frames; above NULL: any that is
 * above.  NULL: the chain has the caller.
 */
const struct cp_snapshot_lost *cp_snapshot_lost(const struct cp_snapshot *,
    struct cp_snapshot_place below, const struct cp_snapshot_place *above);
/* Does any address of the object have lines? */
bool cp_snapshot_lines(const struct cp_snapshot *, size_t object);
/* The spot's number is below the frame's first_spot + spots. */
const struct cp_snapshot_spot *cp_snapshot_spot(
    const struct cp_snapshot *, size_t number);
/* The jitdump that the process mapped under that path.  False: none. */
bool cp_snapshot_jitdump(const struct cp_snapshot *, uint32_t pid,
    const char *recorded, struct cp_content *);
/* Returns the jitdump's path when the snapshot was made. */
const char *cp_snapshot_jit_file(
    const struct cp_snapshot *, uint32_t pid, const char *recorded);
/* Convert the words in tables to enum values. */
enum cp_source cp_snapshot_source(const char *);
enum cp_trust cp_snapshot_trust(const char *);
enum cp_unwind_end cp_snapshot_end(const char *);
enum cp_dso_kind cp_snapshot_kind(const char *);
enum cp_level cp_snapshot_level(const char *);

#endif
