/* SPDX-License-Identifier: MIT */
/* base/temp-file.h: a file that only its descriptor leads to. */
#ifndef CP_BASE_TEMP_FILE_H
#define CP_BASE_TEMP_FILE_H

/* A new unlinked file, open for reading and writing; -1: none. */
int cp_temp_file(void);

#endif
