/* SPDX-License-Identifier: MIT */
/* readers/formats/compiler.h: what compile.c and operands.c share. */
#ifndef CP_READERS_FORMATS_COMPILER_H
#define CP_READERS_FORMATS_COMPILER_H

#include "readers/formats/expr.h"

enum cp_pending_kind {
	CP_PENDING_BRACKET,
	CP_PENDING_CALL,  /* of a helper */
	CP_PENDING_BRACE, /* one of its names */
	CP_PENDING_INDEX,
	CP_PENDING_BINARY,
	CP_PENDING_UNARY,
	CP_PENDING_QUESTION,
	CP_PENDING_COLON,
};

struct cp_pending {
	uint8_t kind;
	uint8_t precedence; /* higher binds more */
	struct cp_instr instr;
	uint32_t at; /* instruction to patch, or where the code begins */
	/* of CP_PENDING_CALL */
	uint32_t args;
	uint32_t first; /* number of names when it began */
	const char *delim;
};

struct cp_compiler {
	struct cp_expr_source *src;
	cp_instrs *code;
	struct cp_pending pending[CP_EXPR_DEPTH];
	size_t depth;
	CP_VEC(struct cp_name) names; /* of the calls that are open */
	bool failed;
	bool unknown; /* a word without a value, which perf takes for 0 */
};

enum { CP_PENDING_UNARY_BINDS = 12, CP_PENDING_TERNARY_BINDS = 1 };

/* operands.c */
void cp_compiler_emit(struct cp_compiler *, struct cp_instr);
struct cp_pending *cp_compiler_push(struct cp_compiler *, struct cp_pending);
struct cp_token cp_compiler_next(struct cp_compiler *);
struct cp_token cp_compiler_peek(const struct cp_compiler *);
void cp_compiler_expect(struct cp_compiler *, const char *sign);
bool cp_token_is_sign(const struct cp_token *, const char *sign);
/* Returns whether the operand is complete. */
bool cp_compiler_operand(struct cp_compiler *);

#endif
