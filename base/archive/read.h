/* SPDX-License-Identifier: MIT */
/*
 * base/archive/read.h: the members of a tar file of any compression, one after
 * the other, read in place.
 *
 * Nothing is unpacked and no name of a member becomes a path: the caller gets
 * names as text and contents as bytes.  What the archive makes of its input is
 * bounded (CP_MAX_MEMBERS, CP_MAX_MEMBER_NAME, CP_ARCHIVE_RATIO), skipped
 * members included.  A compressed file that is no tar counts as an archive of
 * one member "data".
 *
 * libarchive is loaded when the first archive is met, because it brings
 * libraries along that take longer to load than most captures to analyse.
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
	const char *name;   /* as stored, never NULL; until the next one */
	const char *target; /* of a link */
	uint64_t size;      /* as the archive says */
	enum cp_member_kind kind;
	bool hard;   /* a hard link */
	bool packed; /* the one member of a compressed file */
};

/* Bytes at offset, like pread(); a stream ignores the offset. */
typedef ssize_t (*cp_archive_pull)(
    void *ctx, void *buf, size_t n, uint64_t offset);

/* Could these first bytes be those of a tar file or a compressed one? */
bool cp_archive_bid(const uint8_t *head, size_t n);
/* The head that cp_archive_bid() wants to see. */
enum { CP_ARCHIVE_HEAD = 512 };

/* NULL only without libarchive. */
struct cp_archive *cp_archive_open(cp_archive_pull, void *ctx, bool seekable);
/* 1: *out is the next member; 0: the end; -1: see cp_archive_why(). */
int cp_archive_next(struct cp_archive *, struct cp_member *out);
/* Up to n bytes of the member; short only at its end; -1 on damage. */
ssize_t cp_archive_read(struct cp_archive *, void *buf, size_t n);
/* Why it failed, and the limit that it hit, or NULL. */
const char *cp_archive_why(const struct cp_archive *);
const char *cp_archive_limit(const struct cp_archive *);
void cp_archive_close(struct cp_archive *);

/* One unlinked temporary file that members are kept in. */
struct cp_spool {
	int fd; /* -1: not made yet */
	uint64_t used;
};
struct cp_spooled {
	uint64_t offset, size; /* offset is a multiple of 64 KiB */
};
/*
 * Keeps head and what is left of the member.  False if that failed or hit
 * CP_MAX_SPOOL; *out is what was kept, and the next member takes its place.
 */
bool cp_spool_member(struct cp_spool *, struct cp_archive *, const void *head,
    size_t n, struct cp_spooled *out);
void cp_spool_close(struct cp_spool *);

#endif
