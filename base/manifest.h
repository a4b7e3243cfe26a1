/* SPDX-License-Identifier: MIT */
/*
 * base/manifest.h: the list of the files that a bundle holds, and of those that
 * it lacks.
 *
 * A text of lines whose fields are separated by tabs; the first line identifies
 * the format.  In a field a tab, a newline and a backslash are written \t, \n
 * and \\.
 *
 *	coldperf-bundle	1	TOOL
 *	label	KEY	VALUE
 *	file	SHA-256	SIZE	ROLE	BUILD-ID or -	MEMBER
 *	link	TARGET	MEMBER
 *	missing	ROLE	BUILD-ID or -	OBJECT
 *	unwound	REASON	STACKS	OBJECT that ended them, or -
 *
 * A file that was cut by --slim has its role followed by "-slim", a capture
 * whose copies of stacks became chains by "-unwound".
 */
#ifndef CP_BASE_MANIFEST_H
#define CP_BASE_MANIFEST_H

#include "base/buf.h"
#include "base/vec.h"

#define CP_MANIFEST_NAME "coldperf/MANIFEST"
#define CP_MANIFEST_MAGIC "coldperf-bundle\t1\t"

/* A line; its fields are unescaped and live in the arena. */
struct cp_manifest_line {
	const char *field[6];
	unsigned n;
};

struct cp_manifest {
	struct cp_arena arena;
	CP_VEC(struct cp_manifest_line) lines;
};

/* Appends a line of n fields. */
void cp_manifest_put(struct cp_buf *, const char *const *field, unsigned n);
/* Splits a text into lines.  False if the text does not begin with magic. */
bool cp_manifest_parse(
    struct cp_manifest *, const char *magic, const char *text, size_t size);
/*
 * Is there a line of a file with that SHA-256 (64 digits; NULL: any) and that
 * name?
 */
bool cp_manifest_lists(
    const struct cp_manifest *, const char *sha, const char *name);
void cp_manifest_free(struct cp_manifest *);

#endif
