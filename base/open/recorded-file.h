/* SPDX-License-Identifier: MIT */
/* base/open/recorded-file.h: walks a path without leaving this machine. */
#ifndef CP_BASE_OPEN_RECORDED_FILE_H
#define CP_BASE_OPEN_RECORDED_FILE_H

#include "base/base.h"

/*
 * Returns a descriptor to look at of the file, or -1 and
 * errno; *dir is its folder, in which it has that name.  *linked: the last name
 * of the path is a link.
 */
int cp_recorded_walk(const char *path, int *dir, char name[256], bool *linked);

/*
 * Returns fd.  If it is negative because too many files are open, that is
 * remembered: what could not be opened must not pass for missing.
 */
int cp_open_noted(int fd);
bool cp_open_ran_out(void);

#endif
