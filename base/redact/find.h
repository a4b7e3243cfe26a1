/* SPDX-License-Identifier: MIT */
/* base/redact/find.h: finds a word where it is no part of a longer one. */
#ifndef CP_BASE_REDACT_FIND_H
#define CP_BASE_REDACT_FIND_H

#include "base/base.h"

/* Finds the word from `from' on.  Case does not matter. */
const char *cp_find_word(
    const char *text, const char *from, const char *word, size_t n);

#endif
