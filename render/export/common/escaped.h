/* SPDX-License-Identifier: MIT */
/*
 * render/export/common/escaped.h: a cache of escaped texts.
 *
 * A text is identified by its address, because texts of a report are interned.
 */
#ifndef CP_RENDER_EXPORT_COMMON_ESCAPED_H
#define CP_RENDER_EXPORT_COMMON_ESCAPED_H

#include "base/hash.h"
#include "base/vec.h"
#include "render/common/escape.h"
#include "render/common/out.h"

struct cp_escaped_text {
	size_t at, n;
};

struct cp_escaped {
	enum cp_escape how; /* CP_ESCAPE_JSON: within quotes */
	struct cp_map64 known;
	CP_VEC(struct cp_escaped_text) texts;
	struct cp_buf bytes;
};

void cp_escaped_init(struct cp_escaped *, enum cp_escape how);
/* NULL is written as null in JSON, else as nothing. */
void cp_escaped_out(struct cp_escaped *, struct cp_out *, const char *);
void cp_escaped_free(struct cp_escaped *);

#endif
