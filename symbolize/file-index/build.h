/* SPDX-License-Identifier: MIT */
/*
 * symbolize/file-index/build.h: fills the index from its places.
 */
#ifndef CP_SYMBOLIZE_FILE_INDEX_BUILD_H
#define CP_SYMBOLIZE_FILE_INDEX_BUILD_H

#include "symbolize/file-index/index.h"

/* Scans all places, once. */
void cp_symindex_ready(struct cp_symindex *);

#endif
