/* SPDX-License-Identifier: MIT */
/*
 * base/redact/own-words.h: the words of this program, which its outputs have
 * whatever was recorded.
 */
#ifndef CP_BASE_REDACT_OWN_WORDS_H
#define CP_BASE_REDACT_OWN_WORDS_H

#include "base/base.h"

/*
 * Gives what the program's file has to be loaded, of which its texts are a
 * part; without /proc nothing.
 */
void cp_own_words(
    void (*give)(void *ctx, const uint8_t *, size_t n), void *ctx);

#endif
