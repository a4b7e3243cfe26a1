/* SPDX-License-Identifier: MIT */
/*
 * base/temp-file.h: temporary files without a name.
 */
#ifndef CP_BASE_TEMP_FILE_H
#define CP_BASE_TEMP_FILE_H

/* Returns a new unlinked file, open for reading and writing; -1: failed. */
int cp_temp_file(void);

#endif
