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
	CP_VEC(struct cp_walk_todo {
		const char *path;
		unsigned depth;
	})
	todo;
};

void cp_symindex_init(struct cp_symindex *, struct cp_diags *);
/* Says so if it is not there. */
void cp_symindex_add(struct cp_symindex *, const char *path, bool given);
void cp_symindex_free(struct cp_symindex *);

/* Looks through all places, if that was not done yet. */
void cp_symindex_ready(struct cp_symindex *);
/* The files with that build ID: the first, and the next or NULL. */
const struct cp_indexed *cp_symindex_id(
    struct cp_symindex *, const uint8_t *id, size_t size);
const struct cp_indexed *cp_symindex_id_next(const struct cp_symindex *,
    const struct cp_indexed *, const uint8_t *id, size_t size);

/* The ELF files without a build ID whose path ends in that name. */
const struct cp_indexed *cp_symindex_named(
    struct cp_symindex *, const char *name);
const struct cp_indexed *cp_symindex_named_next(
    const struct cp_symindex *, const struct cp_indexed *, const char *name);

/* The file's bytes, mapped; a packed one is inflated. */
bool cp_symindex_content(
    struct cp_symindex *, const struct cp_indexed *, struct cp_content *);
/* A copy of them of at most max bytes that may be written to. */
bool cp_symindex_read(struct cp_symindex *, const struct cp_indexed *,
    size_t max, struct cp_content *);

/* ---- among the files that build the index ---- */

/* peek.c: what the file with these first bytes is. */
enum cp_indexed_kind cp_peek(
    const uint8_t *head, size_t n, const char *name, bool given);
/* The build ID that the path's last folder is called by; its size or 0. */
uint8_t cp_peek_folder_id(const char *path, uint8_t id[20]);
/* The size of a build ID in hexadecimal digits, or 0. */
uint8_t cp_read_id(const char *hex, uint8_t id[20]);

/* walk.c */
void cp_walk_place(struct cp_symindex *, const struct cp_place *);
void cp_walk_push(struct cp_symindex *, const struct cp_indexed *);
/* bundle.c */
struct cp_fd_span {
	int fd;
	uint64_t offset, size;
};
/* Adds its members; false if not all of them could be read. */
bool cp_bundle_read(
    struct cp_symindex *, struct cp_fd_span, const char *path, bool given);
/* Inflates a compressed file; false if it is none, or an archive. */
bool cp_bundle_inflate(struct cp_fd_span, struct cp_content *);

#endif
