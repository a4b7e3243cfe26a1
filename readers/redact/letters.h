/* SPDX-License-Identifier: MIT */
/* readers/redact/letters.h: finds text in fields that should hold numbers. */
#ifndef CP_READERS_REDACT_LETTERS_H
#define CP_READERS_REDACT_LETTERS_H

#include "readers/redact/state.h"

/*
 * Do the n bytes, which should be numbers, contain a text?  They begin where
 * numbers of 64 bits begin.
 */
bool cp_redact_letters(const struct cp_redaction *, const uint8_t *, size_t n);

#endif
