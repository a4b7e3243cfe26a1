/* SPDX-License-Identifier: MIT */
/*
 * symbolize/file-index/index.h: all that --symbols and the bundles at hand
 * hold, looked through once, by build ID and by name.
 *
 * A place is a folder (walked to a bounded depth, without following links that
 * lead to folders), a file, or a bundle: a tar file of any compression, whose
 * useful members are kept in an unlinked temporary file.  What a file is, its
 * first bytes say; names decide only for texts.  Names of members are text to
 * compare with and never become paths.
 *
 * The places are looked through when something is first asked for.  After that
 * the index does not change; any thread may ask.
 *
 * This room finds files, by build ID and by name, and does not know what for.
 * It may use elf/ and kernel/.  Begin here: index holds the table, build fills
 * it (folder, then bundle; each has a cache), lookup answers, content maps
 * what was found.
 */
#ifndef CP_SYMBOLIZE_FILE_INDEX_INDEX_H
#define CP_SYMBOLIZE_FILE_INDEX_INDEX_H

#include <pthread.h>

#include "base/archive/read.h"
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
	CP_INDEXED_PACKED, /* a compressed module; its build ID is not known */
	CP_INDEXED_SOURCE, /* by its name: text that a compiler reads */
	CP_INDEXED_BUNDLE,
};

struct cp_indexed {
	const char *path; /* what the user is told; a file's own path */
	const char *name; /* in a bundle: of the member, without "./" and "/" */
	uint8_t kind;
	uint8_t build_id_size;
	uint8_t build_id[20];
	bool given;      /* by the user himself, not met in a folder */
	uint32_t bundle; /* its number + 1; 0: a file on disk */
	struct cp_spooled at;
	/* Of the same build ID, or without one of the same name: number + 1. */
	uint32_t next;
};

struct cp_place {
	const char *path;
	bool given; /* else found beside the capture */
};

struct cp_indexcache;
struct cp_symindex {
	struct cp_diags *diags;
	struct cp_arena arena;
	CP_VEC(struct cp_place) places;
	bool no_cache;
	bool again;                  /* a file was met a second time */
	struct cp_indexcache *cache; /* of the folder at hand, or NULL */
	pthread_mutex_t lock;        /* of what follows, until ready */
	bool ready;
	CP_VEC(struct cp_indexed) files;
	CP_VEC(const char *) roots; /* folders */
	CP_VEC(struct cp_spool) bundles;
	struct cp_map64 by_id;   /* hash of a build ID -> number + 1 */
	struct cp_map64 by_name; /* hash of a file name -> number + 1 */
	struct cp_map64 visited; /* files that a second link leads to */
	CP_VEC(struct cp_folder_todo {
		const char *path;
		unsigned depth;
	})
	todo;
};

void cp_symindex_init(struct cp_symindex *, struct cp_diags *);
/* Says so if it is not there. */
void cp_symindex_add(struct cp_symindex *, const char *path, bool given);
void cp_symindex_free(struct cp_symindex *);
/* Adds a file; while the index is built. */
void cp_symindex_push(struct cp_symindex *, const struct cp_indexed *);
/* What files are found by: hashes. */
uint64_t cp_symindex_id_key(const uint8_t *id, size_t size);
uint64_t cp_symindex_name_key(const char *path);

#endif
