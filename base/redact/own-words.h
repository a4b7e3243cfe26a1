/* SPDX-License-Identifier: MIT */
/*
 * base/redact/own-words.h: the words of this program, which occur in its
 * outputs independent of the capture.
 */
#ifndef CP_BASE_REDACT_OWN_WORDS_H
#define CP_BASE_REDACT_OWN_WORDS_H

#include "base/base.h"

/*
 * Calls give() with the loaded parts of the program's file that contain its
 * texts: those that are not code.  Without /proc there are none.
 */
void cp_own_words(
    void (*give)(void *ctx, const uint8_t *, size_t n), void *ctx);

#endif
