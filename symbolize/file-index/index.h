/* SPDX-License-Identifier: MIT */
/*
 * symbolize/file-index/index.h: an index of all files in --symbols and bundles,
 * by build ID and by name.
 *
 * A place is a folder (scanned to a bounded depth, without following links to
 * folders), a file, or a bundle: a tar file of any compression, whose useful
 * members are kept in an unlinked temporary file.  A file's first bytes tell
 * its kind; names decide only for texts.  Names of members are compared as text
 * and never become paths.
 *
 * The places are scanned at the first look-up.  After that the index does not
 * change, and any thread may use it.
 *
 * This room finds files by build ID and by name, and does not know their
 * purpose.  It may use elf/ and kernel/. Begin here: index has the table, build
 * fills it (folder, then bundle; each has a cache), lookup searches, content
 * maps the files.
 */
#ifndef CP_SYMBOLIZE_FILE_INDEX_INDEX_H
#define CP_SYMBOLIZE_FILE_INDEX_INDEX_H

#include <pthread.h>

#include "base/archive/spool.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/vec.h"
#include "symbolize/elf/elf-file.h"

enum cp_indexed_kind {
	CP_INDEXED_NOTHING,
	CP_INDEXED_ELF,
	CP_INDEXED_KALLSYMS,
	CP_INDEXED_PERF_MAP,
	CP_INDEXED_JITDUMP,
	/* compressed ELF file; of a kernel module no build ID is known yet */
	CP_INDEXED_PACKED,
	CP_INDEXED_SOURCE, /* source text, by its name */
	CP_INDEXED_BUNDLE,
	CP_INDEXED_SCRIPT, /* text of perf script: symbolizers/perf-script.h */
};

struct cp_indexed {
	const char *path; /* path for messages; the file's own path */
	/* in a bundle: the member's name, without "./" and "/" */
	const char *name;
	uint8_t kind;
	uint8_t build_id_size;
	uint8_t build_id[20];
	bool given;      /* named by the user, not found in a folder */
	uint32_t bundle; /* index of the bundle + 1; 0: a file on disk */
	struct cp_spooled at;
	/*
	 * Index + 1 of the next file of the same build ID (or name, without
	 * one).
	 */
	uint32_t next;
};

static inline bool
cp_indexed_is_elf(const struct cp_indexed *f)
{
	return f->kind == CP_INDEXED_ELF || f->kind == CP_INDEXED_PACKED;
}

struct cp_place {
	const char *path;
	bool given; /* named by the user, not found next to the capture */
};

struct cp_fd_span;
struct cp_indexcache;
struct cp_symindex {
	struct cp_diags *diags;
	struct cp_arena arena;
	CP_VEC(struct cp_place) places;
	bool no_cache;
	bool again;                  /* some file was found twice */
	struct cp_indexcache *cache; /* of the current folder, or NULL */
	pthread_mutex_t lock;        /* guards the fields below until ready */
	bool ready;
	CP_VEC(struct cp_indexed) files;
	CP_VEC(const char *) roots; /* folders */
	CP_VEC(struct cp_spool) bundles;
	struct cp_map64 by_id;   /* hash of a build ID -> index + 1 */
	struct cp_map64 by_name; /* hash of a file name -> index + 1 */
	struct cp_map64 visited; /* files that were seen */
	CP_VEC(struct cp_folder_todo {
		const char *path;
		unsigned depth;
	})
	todo;
};

void cp_symindex_init(struct cp_symindex *, struct cp_diags *);
/* Adds a place.  Reports one that does not exist. */
void cp_symindex_add(struct cp_symindex *, const char *path, bool given);
void cp_symindex_free(struct cp_symindex *);
/* Adds a file, while the index is built. */
void cp_symindex_push(struct cp_symindex *, const struct cp_indexed *);
/* The hashes by which files are found. */
uint64_t cp_symindex_id_key(const uint8_t *id, size_t size);
uint64_t cp_symindex_name_key(const char *path);

/* build.c: fills the index from its places. */

/* Scans all places, once. */
void cp_symindex_ready(struct cp_symindex *);

/* bundle.c: the members of a bundle that help to name addresses. */

/* Adds the members.  False if some could not be read. */
bool cp_bundle_read(
    struct cp_symindex *, struct cp_fd_span, const char *path, bool given);

/* folder.c: scans one place: a folder, a file, a bundle. */

void cp_folder_look(struct cp_symindex *, const struct cp_place *);

#endif
