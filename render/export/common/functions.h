/* SPDX-License-Identifier: MIT */
/*
 * render/export/common/functions.h: the functions of a frame.
 *
 * A frame is at a line of its own function, and of each function inlined there.
 * Functions are numbered from 0 in the order of their first use.  All frames
 * without a name in an object belong to one function `[object]'.
 */
#ifndef CP_RENDER_EXPORT_COMMON_FUNCTIONS_H
#define CP_RENDER_EXPORT_COMMON_FUNCTIONS_H

#include "base/buf.h"
#include "base/hash.h"
#include "report/profile.h"

/* A function that is active at a frame's address, and the line in it. */
struct cp_export_line {
	uint32_t symbol; /* 0: no name */
	uint32_t object;
	const char *file;      /* NULL: not known */
	uint32_t line, column; /* 0: not known */
	bool inlined;
};

/* Returns the number of functions of a frame, at least 1. */
size_t cp_export_lines(const struct cp_profile *, uint32_t frame);
/*
 * Returns function i of a frame; 0 is the outermost, the frame's own function.
 */
struct cp_export_line cp_export_line(
    const struct cp_profile *, uint32_t frame, size_t i);

struct cp_export_function {
	uint32_t symbol; /* 0: code of an object without a name */
	uint32_t object;
	const char *file; /* the first that was met; NULL: none */
	uint32_t line;    /* the first of its lines that was met; 0: none */
};

struct cp_functions {
	CP_VEC(struct cp_export_function) all;
	struct cp_map64 at;
};

uint32_t cp_functions_of(struct cp_functions *, const struct cp_export_line *);
/* Adds the name without escaping it: the caller must do that. */
void cp_function_name(struct cp_buf *, const struct cp_profile *,
    uint32_t symbol, uint32_t object);
/*
 * Does the same for formats that mark inlined functions themselves: without "
 * (inlined)" at the end.
 */
void cp_function_bare_name(struct cp_buf *, const struct cp_profile *,
    uint32_t symbol, uint32_t object);
/* Returns the function's object; "" if it is in none. */
const char *cp_function_object(
    const struct cp_profile *, const struct cp_export_function *);
void cp_functions_free(struct cp_functions *);

#endif
