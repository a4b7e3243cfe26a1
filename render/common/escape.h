/* SPDX-License-Identifier: MIT */
/*
 * render/common/escape.h: escapes text of a capture for each target.
 *
 * The input is raw bytes.  Bytes without a visible form of their own (control
 * characters, invalid UTF-8, characters that reverse the direction of writing
 * or draw nothing) become visible as \xNN or \uNNNN, so that different names
 * stay different and nothing can hide.  For programs, in CSV and folded stacks,
 * the \ of a name that has such a text itself becomes \x5c.
 *
 * A spreadsheet takes a cell that begins with = + - or @ for a formula, and a
 * capture from elsewhere may have such a name.  So CSV puts a ' before it, but
 * not before a number; CSV_RAW only quotes, as in RFC 4180.
 */
#ifndef CP_RENDER_COMMON_ESCAPE_H
#define CP_RENDER_COMMON_ESCAPE_H

#include "base/buf.h"

struct cp_out;

enum cp_escape {
	CP_ESCAPE_TERMINAL,
	CP_ESCAPE_XML,  /* SVG; text and quoted attributes */
	CP_ESCAPE_HTML, /* the same for HTML */
	CP_ESCAPE_JSON, /* inside the quotes; also safe inside a <script> */
	CP_ESCAPE_CSV,  /* adds quotes if the text needs them */
	CP_ESCAPE_CSV_RAW,
	CP_ESCAPE_FOLDED, /* ; becomes : */
};

void cp_escape(struct cp_buf *, enum cp_escape, const char *);
/* Writes an escaped text; NULL: none. */
void cp_out_escaped(struct cp_out *, enum cp_escape, const char *);
void cp_escape_terminal(struct cp_buf *, const char *);

/* Returns the number of columns of escaped text on a terminal. */
size_t cp_text_columns(const char *);
/* Returns how many bytes of s fit into that many columns. */
size_t cp_text_fit(const char *s, size_t columns);

#endif
