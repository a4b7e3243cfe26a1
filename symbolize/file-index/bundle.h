/* SPDX-License-Identifier: MIT */
/*
 * symbolize/file-index/bundle.h: the members of a bundle that help to name
 * addresses.
 */
#ifndef CP_SYMBOLIZE_FILE_INDEX_BUNDLE_H
#define CP_SYMBOLIZE_FILE_INDEX_BUNDLE_H

#include "symbolize/file-index/content.h"

/* Adds the members.  False if some could not be read. */
bool cp_bundle_read(
    struct cp_symindex *, struct cp_fd_span, const char *path, bool given);

#endif
