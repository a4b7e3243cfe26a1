/* SPDX-License-Identifier: MIT */
/*
 * base/sandbox/sandbox.h: walls around the whole process.
 *
 * Bytes from elsewhere are parsed by us and by libraries.  A fault in one of
 * them could run code of a stranger.  After this the process, and each thread
 * that it starts, writes in the given places only, starts no program, opens no
 * connection and touches no other process.  There is no way back.
 */
#ifndef CP_BASE_SANDBOX_SANDBOX_H
#define CP_BASE_SANDBOX_SANDBOX_H

#include "base/base.h"

struct cp_sandbox {
	const char *const *writable; /* folders and files; NULL entries too */
	size_t n;
	const char *tidied; /* a folder: empty folders in it may be removed */
	bool network;       /* sockets are wanted */
	/* Files of running processes are wanted, which Landlock keeps away. */
	bool processes;
};

enum {
	CP_WALL_FILES = 1, /* Landlock: which files may be written */
	CP_WALL_CALLS = 2, /* seccomp: which system calls fail */
	CP_WALLS = CP_WALL_FILES | CP_WALL_CALLS,
};

/* Returns which walls stand now.  Call it while there is one thread. */
unsigned cp_sandbox_enter(const struct cp_sandbox *);

#endif
