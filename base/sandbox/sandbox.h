/* SPDX-License-Identifier: MIT */
/*
 * base/sandbox/sandbox.h: takes rights away from the whole process.
 *
 * We and libraries parse untrusted bytes; a bug in a parser could run an
 * attacker's code.  After cp_sandbox_enter() the process, and each thread that
 * it starts, writes to the given places only, starts no program and no process,
 * opens no connection and touches no other process.  This cannot be undone.
 */
#ifndef CP_BASE_SANDBOX_SANDBOX_H
#define CP_BASE_SANDBOX_SANDBOX_H

#include "base/base.h"

struct cp_sandbox {
	const char *const *writable; /* folders and files; NULL entries too */
	size_t n;
	bool terminal; /* the terminal's mode is changed */
	bool network;  /* sockets to other hosts are wanted */
	/* Files of running processes are read, which Landlock would forbid. */
	bool processes;
};

enum {
	CP_WALL_FILES = 1, /* Landlock: which files may be written */
	CP_WALL_CALLS = 2, /* seccomp: which system calls fail */
	CP_WALLS = CP_WALL_FILES | CP_WALL_CALLS,
};

/* Returns the walls that are in force.  Call it while there is one thread. */
unsigned cp_sandbox_enter(const struct cp_sandbox *);

#endif
