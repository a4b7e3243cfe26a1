/* SPDX-License-Identifier: MIT */
/*
 * render/page/strings.h: the texts of a page, each once, by number.
 *
 * Number 0 is "" and stands for no text, too.  Texts of a capture and of its
 * snapshot are at other addresses, and have the same numbers.
 */
#ifndef CP_RENDER_PAGE_STRINGS_H
#define CP_RENDER_PAGE_STRINGS_H

#include "base/hash.h"
#include "base/strings.h"
#include "render/page/column.h"

struct cp_page_strings {
	struct cp_strings all;
	struct cp_map64 number; /* by pointer: most texts are seen before */
};

uint32_t cp_page_string(struct cp_page_strings *, const char *);
/* Returns the number of bytes written as hexadecimal digits. */
uint32_t cp_page_hex(struct cp_page_strings *, const uint8_t *, size_t n);
void cp_page_strings_put(
    const struct cp_page_strings *, struct cp_page_columns *);
void cp_page_strings_free(struct cp_page_strings *);

#endif
