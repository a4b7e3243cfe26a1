/* SPDX-License-Identifier: MIT */
/*
 * base/archive/read.h: the members of a tar file of any compression, or of a
 * package (deb, rpm, zip), one after the other, read in place.
 *
 * Nothing is unpacked and no name of a member becomes a path: the caller gets
 * names as text and contents as bytes.  The output of an archive is bounded
 * (CP_MAX_MEMBERS, CP_MAX_MEMBER_NAME, CP_ARCHIVE_RATIO), skipped members
 * included.  A compressed file that is no tar counts as an archive of one
 * member "data".
 *
 * libarchive is loaded for the first archive only, because its own libraries
 * take longer to load than most captures take to analyse.
 */
#ifndef CP_BASE_ARCHIVE_READ_H
#define CP_BASE_ARCHIVE_READ_H

#include <sys/types.h>

#include "base/mem.h"

struct cp_archive;

enum cp_member_kind {
	CP_MEMBER_FILE,
	CP_MEMBER_LINK, /* symbolic or hard */
	CP_MEMBER_OTHER,
};

struct cp_member {
	/* as stored, never NULL; valid until the next member */
	const char *name;
	const char *target; /* of a link, else NULL */
	uint64_t size;      /* in bytes, as the archive claims */
	enum cp_member_kind kind;
	mode_t mode; /* permission bits */
	bool hard;   /* a hard link */
	bool packed; /* the one member of a compressed file */
};

/* Reads n bytes at offset, as pread() does; a stream ignores the offset. */
typedef ssize_t (*cp_archive_pull)(
    void *ctx, void *buf, size_t n, uint64_t offset);

/* Returns true if the first bytes can be a tar's or a compressed file's. */
bool cp_archive_bid(const uint8_t *head, size_t n);
/* Those of a package: a deb or another ar archive, an rpm, a zip. */
bool cp_archive_is_package(const uint8_t *head, size_t n);
/* Bytes of head that cp_archive_bid() needs. */
enum { CP_ARCHIVE_HEAD = 512 };

/* Opens an archive.  Returns NULL only if libarchive is missing. */
struct cp_archive *cp_archive_open(cp_archive_pull, void *ctx, bool seekable);
/* Returns 1 and the next member, 0 at the end, -1 on failure (see _why()). */
int cp_archive_next(struct cp_archive *, struct cp_member *out);
/* Reads up to n bytes; fewer only at the member's end.  -1: damaged. */
ssize_t cp_archive_read(struct cp_archive *, void *buf, size_t n);
/* The next bytes of a member: zeros, then data. */
struct cp_piece {
	uint64_t zeros;
	const uint8_t *data; /* valid until the archive is read again */
	size_t size;
};
/* Steps over the piece.  False: the member's end, or failure (see _why()). */
bool cp_archive_piece(struct cp_archive *, struct cp_piece *out);
/* Ends the reading: the limit that was hit or NULL, and the reason. */
void cp_archive_fail(struct cp_archive *, const char *limit, const char *why);
/* The reason of the failure, and the limit that was hit or NULL. */
const char *cp_archive_why(const struct cp_archive *);
const char *cp_archive_limit(const struct cp_archive *);
void cp_archive_close(struct cp_archive *);

/* Bytes of the input read so far; skipped bytes that are not there do not
 * count. */
uint64_t cp_archive_at(const struct cp_archive *);
/*
 * Where the last member that was found begins in the input; UINT64_MAX: none,
 * or not known because all is compressed.
 */
uint64_t cp_archive_place(const struct cp_archive *);
/* Sets the size of the input, for the watcher and _at(). */
void cp_archive_expect(struct cp_archive *, uint64_t size);
/*
 * A callback that watches the reading of archives, from any thread.  in: bytes
 * of the input read so far; of: size of the input, or 0; over: the archive was
 * closed.  Set it before the first archive is opened; NULL: none.
 */
typedef void (*cp_archive_watcher)(uint64_t in, uint64_t of, bool over);
void cp_archive_watch(cp_archive_watcher);

#endif
