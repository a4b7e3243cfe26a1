/* SPDX-License-Identifier: MIT */
/*
 * symbolize/file-index/folder.h: scans one place: a folder, a file, a bundle.
 */
#ifndef CP_SYMBOLIZE_FILE_INDEX_FOLDER_H
#define CP_SYMBOLIZE_FILE_INDEX_FOLDER_H

#include "symbolize/file-index/index.h"

void cp_folder_look(struct cp_symindex *, const struct cp_place *);

#endif
