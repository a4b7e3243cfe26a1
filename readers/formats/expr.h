/* SPDX-License-Identifier: MIT */
/*
 * readers/formats/expr.h: C expressions of print formats, compiled to a code
 * for a small stack machine.
 *
 * compile.c reads an expression, eval.c runs its code over a payload.  Jumps go
 * forward only, and every read of the payload is checked against its size.
 */
#ifndef CP_READERS_FORMATS_EXPR_H
#define CP_READERS_FORMATS_EXPR_H

#include "readers/formats/view.h"

enum cp_op {
	CP_OP_NUMBER, /* pushes `number' */
	CP_OP_TEXT,   /* pushes `text', `len' bytes */
	CP_OP_FIELD,  /* pushes the number of `size' bytes at `at' */
	CP_OP_BYTES,  /* pushes the array of `len' bytes at `at' */
	/* pushes the array whose place is at `at' */
	CP_OP_DYNAMIC,
	CP_OP_DYNAMIC_LEN, /* pushes the length of such an array */
	CP_OP_CAST,        /* to `size' bytes */
	CP_OP_POINTER,     /* its elements have `size' bytes */
	CP_OP_LOAD,        /* the element that a pointer points to */
	CP_OP_INDEX,       /* array, number: the element */
	CP_OP_JUMP,        /* by `at', forward */
	CP_OP_JUMP_ZERO,   /* if the number is 0 */
	CP_OP_NEGATIVE,
	CP_OP_NOT,
	CP_OP_INVERT,
	CP_OP_BINARY, /* of `size': enum cp_binary */
	/* helpers; `table' has the names of values */
	CP_OP_FLAGS,
	CP_OP_SYMBOLIC,
	CP_OP_HEX,     /* array, length; `size': the bytes are apart */
	CP_OP_NUMBERS, /* array, count, size of an element */
	CP_OP_BITMASK, /* array */
	CP_OP_SOCKADDR,
	CP_OP_FIRST, /* of two values */
};

enum cp_binary {
	CP_BIN_MUL,
	CP_BIN_DIV,
	CP_BIN_MOD,
	CP_BIN_ADD,
	CP_BIN_SUB,
	CP_BIN_SHL,
	CP_BIN_SHR,
	CP_BIN_LT,
	CP_BIN_GT,
	CP_BIN_LE,
	CP_BIN_GE,
	CP_BIN_EQ,
	CP_BIN_NE,
	CP_BIN_AND,
	CP_BIN_XOR,
	CP_BIN_OR,
	CP_BIN_ANDAND,
	CP_BIN_OROR,
};

struct cp_name {
	uint64_t value;
	const char *text;
	uint32_t len;
};

/* The names of __print_flags() and __print_symbolic(). */
struct cp_names {
	const char *delim;
	uint32_t n;
	const struct cp_name *all;
};

struct cp_instr {
	uint8_t op, size;
	bool is_signed;
	uint32_t at;
	union {
		uint64_t number; /* and the length of an array */
		const char *text;
		const struct cp_names *names;
	};
};

typedef CP_VEC(struct cp_instr) cp_instrs;

enum {
	CP_EXPR_DEPTH = 64,   /* operators and brackets that are open */
	CP_EXPR_STACK = 32,   /* values */
	CP_EXPR_CODE = 4096,  /* instructions of a print format */
	CP_EXPR_NAMES = 4096, /* names of a helper */
};

enum cp_value_kind {
	CP_VALUE_NUMBER,
	CP_VALUE_RAW,   /* bytes of the payload */
	CP_VALUE_MADE,  /* text in cp_payload_view.made */
	CP_VALUE_CONST, /* text of the format */
};

struct cp_value {
	uint64_t number;
	const char *text; /* of CONST */
	uint32_t at, len; /* of the others */
	uint8_t kind;
	bool is_unsigned; /* an unsigned number of 8 bytes */
	uint8_t element;  /* bytes of an element of an array; 0: not known */
};

/*
 * Compiles the expression at *at up to a comma or the end, and steps over it.
 * False: it is damaged, or has something that cannot be evaluated.
 */
struct cp_expr_source {
	const struct cp_tp_event *event;
	uint8_t long_size;
	struct cp_arena *arena; /* for what the code points to */
	const char *at;
};
bool cp_expr_compile(struct cp_expr_source *, cp_instrs *);

/* False: it reads outside of the payload, or a text where a number must be. */
bool cp_expr_eval(const struct cp_instr *, size_t n, struct cp_payload_view *,
    struct cp_value *);
/* The number of a value; arrays of 1, 2, 4 and 8 bytes have one, too. */
uint64_t cp_value_number(
    const struct cp_value *, const struct cp_payload_view *);
/* The bytes of a text or an array. */
const char *cp_value_bytes(
    const struct cp_value *, const struct cp_payload_view *, size_t *len);

/* lexer.c: the words of an expression. */
enum cp_token_kind {
	CP_TOKEN_END,
	CP_TOKEN_NUMBER,
	CP_TOKEN_STRING, /* with its quotes */
	CP_TOKEN_WORD,
	CP_TOKEN_SIGN, /* one or two characters: c, or c | d << 8 */
	CP_TOKEN_BAD,
};
struct cp_token {
	enum cp_token_kind kind;
	const char *text;
	size_t len;
	uint64_t number; /* or the sign */
};
struct cp_token cp_token_next(const char **at);
bool cp_token_is(const struct cp_token *, const char *word);
/*
 * Joins the strings that follow each other, the first one given, without
 * quotes and escapes.
 */
const char *cp_token_string(const struct cp_token *first, const char **at,
    struct cp_arena *, uint32_t *len);
/* Reads a type up to its end: size 0: it is not known. */
struct cp_c_type {
	uint8_t size, longs;
	bool is_signed, pointer;
	bool known; /* its words are those of types */
};
bool cp_c_type_read(const char **at, uint8_t long_size, struct cp_c_type *);

#endif
