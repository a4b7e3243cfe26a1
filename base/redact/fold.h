/* SPDX-License-Identifier: MIT */
/*
 * base/redact/fold.h: upper and lower case of UTF-8, whatever the locale.
 *
 * It knows Latin with its marks, Greek, Cyrillic and Armenian.  A letter that
 * is composed of two characters is not the letter that is one.
 */
#ifndef CP_BASE_REDACT_FOLD_H
#define CP_BASE_REDACT_FOLD_H

#include "base/base.h"

/*
 * Do n bytes of both differ in nothing but case?  Either may end earlier with a
 * NUL, if the other has none there.
 */
bool cp_same_letters(const char *, const char *, size_t n);

#endif
