/* SPDX-License-Identifier: MIT */
/*
 * analyses/code/roles.h: what well-known code is for: libc, an allocator, the
 * runtime of OpenMP, an interpreter.
 *
 * This room knows what code is by its place or its name, however it was
 * sampled: roles, and ranges of addresses that stand for functions without
 * names.  It may use coldperf/plugin.h and analyses/common.
 */
#ifndef CP_ANALYSES_CODE_ROLES_H
#define CP_ANALYSES_CODE_ROLES_H

#include "analyses/common/code-groups.h"

enum cp_code_role {
	CP_ROLE_PROGRAM, /* not known: the program's own */
	CP_ROLE_OF_KERNEL,
	CP_ROLE_OF_BEGINNING, /* a thread's first functions, above main */
	CP_ROLE_OF_NOTHING,   /* an address in no object */
	CP_ROLE_OF_VDSO,
	CP_ROLE_OF_LIBC,
	CP_ROLE_OF_RUNTIME,
	CP_ROLE_OF_LOADER,
	CP_ROLE_OF_CXX,
	CP_ROLE_OF_MATH,
	CP_ROLE_OF_OPENMP,
	CP_ROLE_OF_MPI,
	CP_ROLE_OF_ALLOCATOR,
	CP_ROLE_OF_MEMORY,
	CP_ROLE_OF_STRINGS,
	CP_ROLE_OF_FORMATTING,
	CP_ROLE_OF_LOCKS,
	CP_ROLE_OF_COLLECTOR,
	CP_ROLE_OF_CRYPTO,
	CP_ROLE_OF_COMPRESSION,
	CP_ROLE_OF_ALGEBRA,
	CP_ROLE_OF_INTERPRETER,
	CP_ROLE_OF_JVM,
	CP_CODE_ROLES
};

/*
 * The role of the code: that of the function where its name is known, else that
 * of its object.
 */
enum cp_code_role cp_code_role(const struct cp_run *, const struct cp_entity *);
enum cp_code_role cp_object_role(const struct cp_run *, uint32_t dso);
/* "the C library"; "" for the program's own code. */
const char *cp_code_role_name(enum cp_code_role);
/*
 * True if it is the program's own code, or interprets it: time in other code is
 * spent for the nearest such caller.
 */
bool cp_code_role_own(enum cp_code_role);

#endif
