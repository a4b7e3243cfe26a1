/* SPDX-License-Identifier: MIT */
/*
 * symbolize/debuginfod/stage.h: the temporary folder in the cache where files
 * lie until their build ID was checked.
 */
#ifndef CP_SYMBOLIZE_DEBUGINFOD_STAGE_H
#define CP_SYMBOLIZE_DEBUGINFOD_STAGE_H

#include "base/base.h"

/*
 * Makes the cache and the folder, and removes the folders of runs that were
 * killed.  Returns its malloc'ed path, or NULL.
 */
char *cp_stage_new(char *root);
/* Removes the folder with all that it has. */
void cp_stage_free(char *stage);
/*
 * Makes a folder for files.  True if it exists already; a link, which may lead
 * out of the cache, does not count.
 */
bool cp_stage_folder(const char *path);

#endif
