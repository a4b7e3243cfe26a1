/* SPDX-License-Identifier: MIT */
/*
 * base/redact/borders.h: where words begin and end.
 *
 * In a mangled name an identifier follows its length, and anything follows the
 * identifier at once: _ZN7zebrasy3inlEl.
 */
#ifndef CP_BASE_REDACT_BORDERS_H
#define CP_BASE_REDACT_BORDERS_H

#include "base/base.h"

/* May the k bytes at `at', of n of the text, begin a word, or end one? */
bool cp_word_begins(const char *text, size_t n, size_t at, size_t k);
bool cp_word_ends(const char *text, size_t n, size_t at, size_t k);
/* Does the text's size stand before it, in 4 bytes, as in Parquet's pages? */
bool cp_word_ends_sized(const char *text, size_t at, size_t k);

#endif
