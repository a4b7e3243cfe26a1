/* SPDX-License-Identifier: MIT */
/*
 * symbolize/file-index/file-kind.h: the kind of a file, by its first bytes and
 * its name.
 */
#ifndef CP_SYMBOLIZE_FILE_INDEX_FILE_KIND_H
#define CP_SYMBOLIZE_FILE_INDEX_FILE_KIND_H

#include "symbolize/file-index/index.h"

/* Finds the kind of a file with these first bytes. */
enum cp_indexed_kind cp_kind_of(
    const uint8_t *head, size_t n, const char *name, bool given);
/* Is that the name of a compressed kernel module?  There are thousands. */
bool cp_kind_is_module(const char *name);
/*
 * If the name can be that of another compressed ELF file, returns its length
 * without ".xz" or the like, else 0.
 */
size_t cp_kind_packed_elf(const char *path);
/*
 * Reads the build ID that names the path's last folder.  Returns its size or 0.
 */
uint8_t cp_kind_folder_id(const char *path, uint8_t id[20]);

#endif
