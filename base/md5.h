/* SPDX-License-Identifier: MIT */
/*
 * base/md5.h: the sum that DWARF 5 has of source files.  It tells versions of
 * a file apart; it is no proof against whoever wants to deceive.
 */
#ifndef CP_BASE_MD5_H
#define CP_BASE_MD5_H

#include "base/base.h"

void cp_md5(const void *p, size_t n, uint8_t out[16]);

#endif
