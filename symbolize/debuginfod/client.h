/* SPDX-License-Identifier: MIT */
/*
 * symbolize/debuginfod/client.h: files by build ID from debuginfod's servers.
 *
 * The library is loaded only when somebody asks, so that nothing of it, nor a
 * socket, is there otherwise.  What arrives lies in a folder of its own until
 * its build ID was compared; only then other programs see it.  Nobody waits
 * for a server beyond the budget.
 *
 * This room asks servers and remembers what they do not have; whose files
 * these are, its callers know.  It may use elf/.  Begin in client.c; cache.c
 * has the paths of the cache that all clients share.
 */
#ifndef CP_SYMBOLIZE_DEBUGINFOD_CLIENT_H
#define CP_SYMBOLIZE_DEBUGINFOD_CLIENT_H

#include <stdatomic.h>

#include "symbolize/debuginfod/cache.h"

enum cp_fetched {
	CP_FETCHED,
	CP_FETCH_UNKNOWN, /* no server has it */
	CP_FETCH_WRONG, /* what came has another build ID, or is no ELF file */
	CP_FETCH_TOO_LARGE, /* for what is left of the budget */
	CP_FETCH_TOO_SLOW,  /* nothing came for a while */
	CP_FETCH_STOPPED,   /* out of time, or somebody said so */
	CP_FETCH_FAILED,    /* the server cannot be reached */
	CP_FETCH_NOT_KEPT,  /* the disk */
};

extern const char *const cp_fetched_words[];

struct cp_fetcher;

struct cp_fetch_budget {
	uint64_t bytes;   /* together */
	unsigned seconds; /* together */
	unsigned silence; /* seconds without a byte; $DEBUGINFOD_TIMEOUT */
};

/* NULL, and why: no library, no servers, no place for files. */
struct cp_fetcher *cp_fetcher_new(
    const struct cp_fetch_budget *, const char **why);
void cp_fetcher_free(struct cp_fetcher *);

/* Where files are kept; the environment leads elsewhere meanwhile. */
const char *cp_fetcher_root(const struct cp_fetcher *);
/* For a signal handler too. */
void cp_fetcher_stop(struct cp_fetcher *);
bool cp_fetcher_stopped(const struct cp_fetcher *);
/* Bytes that have come, whole files and parts. */
uint64_t cp_fetcher_bytes(const struct cp_fetcher *);

/* One for each thread. */
struct cp_fetch_client;
struct cp_fetch_client *cp_fetch_client_new(struct cp_fetcher *);
void cp_fetch_client_free(struct cp_fetch_client *);
/* Gets a file into the cache; *size: how large it is. */
enum cp_fetched cp_fetch(struct cp_fetch_client *, const struct cp_dbg_id *,
    enum cp_dbg_kind, uint64_t *size);
/*
 * The same for a source file, which bears no build ID: the server's word is
 * taken for it.
 */
enum cp_fetched cp_fetch_source(
    struct cp_fetch_client *, const struct cp_dbg_id *, const char *file);

#endif
