/* SPDX-License-Identifier: MIT */
/*
 * symbolize/debuginfod/misses.h: build IDs that debuginfod servers did not
 * have, remembered for an hour, so that asking again costs nothing.
 *
 * A text file in the user's cache: the servers' addresses, then a line per
 * miss.  The file is ignored if the servers are others now.
 */
#ifndef CP_SYMBOLIZE_DEBUGINFOD_MISSES_H
#define CP_SYMBOLIZE_DEBUGINFOD_MISSES_H

#include "base/hash.h"
#include "base/vec.h"
#include "symbolize/debuginfod/cache.h"

struct cp_miss {
	struct cp_dbg_id id;
	enum cp_dbg_kind kind;
	int64_t when; /* seconds since 1970 */
};

struct cp_misses {
	char *path; /* NULL: no cache folder */
	char *servers;
	CP_VEC(struct cp_miss) all;
	bool changed;
};

void cp_misses_load(struct cp_misses *, const char *servers, int64_t now);
const struct cp_miss *cp_misses_find(
    const struct cp_misses *, const struct cp_dbg_id *, enum cp_dbg_kind);
void cp_misses_add(struct cp_misses *, const struct cp_dbg_id *,
    enum cp_dbg_kind, int64_t now);
/* Writes the file if anything changed; frees. */
void cp_misses_save(struct cp_misses *);

#endif
