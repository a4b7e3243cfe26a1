/* SPDX-License-Identifier: MIT */
/*
 * base/redact/code.h: where each process had code.
 *
 * A call chain that was followed by frame pointers holds words of the stack
 * where code was built without them.  So an address is kept only if it lies in
 * memory that its process, or one that it was forked from, could execute at any
 * time of the recording.
 */
#ifndef CP_BASE_REDACT_CODE_H
#define CP_BASE_REDACT_CODE_H

#include "base/hash.h"
#include "base/vec.h"

struct cp_redact_range {
	uint64_t start, end; /* [start, end) */
};

struct cp_redact_process {
	CP_VEC(struct cp_redact_range) ranges; /* the first are sorted, apart */
	size_t sorted;
	CP_VEC(uint32_t) parents; /* indexes */
};

/* What was asked before, at the place of its hash. */
struct cp_redact_asked {
	uint64_t ip;
	uint32_t process;
	bool known, code;
};

struct cp_redact_code {
	struct cp_map64 by_number; /* process -> index + 1 */
	CP_VEC(struct cp_redact_process) processes;
	struct cp_map64 forks; /* child << 32 | parent, indexes -> 1 */
	size_t n;              /* ranges of all processes */
	struct cp_redact_asked asked[4096];
};

/* The kernel, as if it were a process. */
#define CP_REDACT_KERNEL (UINT64_C(1) << 32)

/* Add all of it before the first question. */
void cp_redact_code_add(
    struct cp_redact_code *, uint64_t process, uint64_t start, uint64_t end);
void cp_redact_code_fork(
    struct cp_redact_code *, uint64_t child, uint64_t parent);
bool cp_redact_code_has(struct cp_redact_code *, uint64_t process, uint64_t ip);
void cp_redact_code_free(struct cp_redact_code *);

#endif
