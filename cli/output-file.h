/* SPDX-License-Identifier: MIT */
/*
 * cli/output-file.h: regular files as outputs, each whole or absent.
 *
 * A file is written without a name, or under a temporary one, in the folder of
 * its target, and gets its name when it is whole.  The walls of --sandbox
 * cannot allow that for one name alone: who may name a file in $HOME may do so
 * in each folder below.  So files are opened before the walls stand, and a
 * process outside of them, which reads no input, gives the names.
 */
#ifndef CP_CLI_OUTPUT_FILE_H
#define CP_CLI_OUTPUT_FILE_H

#include "base/base.h"

struct cp_output_file {
	struct cp_output_file *next;
	char *path;      /* as it was asked for */
	char *target;    /* the file that links lead to */
	char *temporary; /* what it is called until it is whole */
	int fd;          /* -1: it is done, or was never opened */
	int error;       /* why it was not opened, or 0 */
	bool named;      /* a file has the temporary name */
	bool apart;      /* the process outside has it, too */
};

/* Opens the file before the walls stand. */
void cp_output_file_early(const char *path);
/* A folder that was made early: it goes in the end if it is empty. */
void cp_output_folder_early(const char *path);
/* Starts the process outside the walls.  Returns 0 or an error. */
int cp_output_files_apart(void);
/* Returns the file, opened early or now. */
struct cp_output_file *cp_output_file(const char *path);
/* Gives the file its name and closes it.  Returns 0 or an error. */
int cp_output_file_keep(struct cp_output_file *);
/* Empties and closes the file; cp_output_file() may be asked for it again. */
void cp_output_file_drop(struct cp_output_file *);
/* Drops what is not whole; handlers of signals may call it. */
void cp_output_files_abandon(void);
void cp_output_files_end(void);

#endif
