/* SPDX-License-Identifier: MIT */
/*
 * render/export/firefox-code.h: the tables that all threads of a Firefox
 * profile refer to.
 */
#ifndef CP_RENDER_EXPORT_FIREFOX_CODE_H
#define CP_RENDER_EXPORT_FIREFOX_CODE_H

#include "base/strings.h"
#include "render/export/common/functions.h"
#include "render/export/common/json-text.h"

struct cp_firefox {
	const struct cp_profile *p;
	struct cp_out *out;
	struct cp_strings strings;
	struct cp_functions functions;
	uint32_t *first_stack; /* by stack: the row of its outermost line */
	uint32_t *function;    /* by row of frames */
	uint32_t frames, stacks;
};

/* Lays out the rows; then writes "shared", or "libs". */
void cp_firefox_code_init(struct cp_firefox *);
void cp_firefox_put_shared(struct cp_firefox *);
void cp_firefox_put_libs(struct cp_firefox *);
/* The row of the stack's innermost line. */
uint32_t cp_firefox_stack(const struct cp_firefox *, uint32_t stack);
void cp_firefox_code_free(struct cp_firefox *);

/* Categories of frames. */
enum { CP_FIREFOX_OTHER, CP_FIREFOX_USER, CP_FIREFOX_KERNEL };

#endif
