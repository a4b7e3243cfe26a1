/* SPDX-License-Identifier: MIT */
/*
 * render/page/strings.h: the texts of a page, each once, by number.
 *
 * Number 0 is "" and stands for no text, too.  Texts are told apart by their
 * pointers; the same text may be there twice.
 */
#ifndef CP_RENDER_PAGE_STRINGS_H
#define CP_RENDER_PAGE_STRINGS_H

#include "base/hash.h"
#include "base/vec.h"
#include "render/page/column.h"

struct cp_page_strings {
	CP_VEC(const char *) all; /* from number 1 on */
	struct cp_map64 number;   /* by pointer */
	struct cp_arena arena;    /* of the texts made here */
};

uint32_t cp_page_string(struct cp_page_strings *, const char *);
/* Returns the number of bytes written as hexadecimal digits. */
uint32_t cp_page_hex(struct cp_page_strings *, const uint8_t *, size_t n);
void cp_page_strings_put(
    const struct cp_page_strings *, struct cp_page_columns *);
void cp_page_strings_free(struct cp_page_strings *);

#endif
