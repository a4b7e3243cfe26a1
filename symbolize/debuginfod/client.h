/* SPDX-License-Identifier: MIT */
/*
 * symbolize/debuginfod/client.h: fetches files by build ID from debuginfod
 * servers.
 *
 * The library is loaded only for the first request, so other runs have no
 * socket and no thread.  A fetched file stays in a temporary folder until its
 * build ID was checked; only then other programs can see it.  No request waits
 * longer than the budget.
 *
 * This room asks servers and remembers misses; the callers know whose files
 * they are.  It may use elf/.  Begin in client.c; cache.c has the paths of the
 * cache that all clients share, stage.c the temporary folder, answers.c tells
 * why a file did not come.
 */
#ifndef CP_SYMBOLIZE_DEBUGINFOD_CLIENT_H
#define CP_SYMBOLIZE_DEBUGINFOD_CLIENT_H

#include <stdatomic.h>

#include "symbolize/debuginfod/cache.h"

enum cp_fetched {
	CP_FETCHED,
	CP_FETCH_UNKNOWN, /* every server says that it does not have it */
	CP_FETCH_WRONG,   /* the file has another build ID, or is no ELF file */
	CP_FETCH_DAMAGED, /* the transfer or the file ended early */
	CP_FETCH_ERROR,   /* a server answered, but with an error */
	CP_FETCH_TOO_LARGE, /* exceeds the rest of the budget */
	CP_FETCH_TOO_SLOW,  /* no bytes, or too few, for too long */
	CP_FETCH_STOPPED,   /* out of time, or cp_fetcher_stop() */
	CP_FETCH_FAILED,    /* a server cannot be reached */
	CP_FETCH_NOT_KEPT,  /* writing to disk failed */
};

extern const char *const cp_fetched_words[];

struct cp_fetcher;

struct cp_fetch_budget {
	uint64_t bytes;   /* for all files */
	unsigned seconds; /* for all files */
	/* seconds without a byte before giving up; $DEBUGINFOD_TIMEOUT */
	unsigned silence;
};

/* Returns NULL, and why: no library, no servers, or no folder for files. */
struct cp_fetcher *cp_fetcher_new(
    const struct cp_fetch_budget *, const char **why);
void cp_fetcher_free(struct cp_fetcher *);

/* The folder of the cache; the environment has the temporary one meanwhile. */
const char *cp_fetcher_root(const struct cp_fetcher *);
/* Stops all transfers; safe in a signal handler. */
void cp_fetcher_stop(struct cp_fetcher *);
bool cp_fetcher_stopped(const struct cp_fetcher *);
/* Bytes received, of whole and partial files. */
uint64_t cp_fetcher_bytes(const struct cp_fetcher *);

/* One client per thread. */
struct cp_fetch_client;
struct cp_fetch_client *cp_fetch_client_new(struct cp_fetcher *);
void cp_fetch_client_free(struct cp_fetch_client *);
/* Fetches a file into the cache.  *size: its size. */
enum cp_fetched cp_fetch(struct cp_fetch_client *, const struct cp_dbg_id *,
    enum cp_dbg_kind, uint64_t *size);
/* Fetches a source file.  It has no build ID, so it cannot be verified. */
enum cp_fetched cp_fetch_source(
    struct cp_fetch_client *, const struct cp_dbg_id *, const char *file);

#endif
