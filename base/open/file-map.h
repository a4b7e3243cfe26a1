/* SPDX-License-Identifier: MIT */
/* base/open/file-map.h: maps files that may shrink while they are mapped. */
#ifndef CP_BASE_OPEN_FILE_MAP_H
#define CP_BASE_OPEN_FILE_MAP_H

#include "base/base.h"

/* Maps size bytes of a file for reading; NULL: mapping failed. */
const void *cp_file_map(int fd, uint64_t offset, size_t size);
void cp_file_unmap(const void *, size_t size);
/* Was a page read that was no longer in the file? */
bool cp_file_shrank(const void *);

#endif
