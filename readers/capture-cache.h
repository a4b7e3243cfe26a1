/* SPDX-License-Identifier: MIT */
/*
 * readers/capture-cache.h: the capture of a large bundle, kept on disk.  It is
 * used as long as path, size and time of the bundle are the same.  A second run
 * then need not inflate the capture, or the members before it.
 */
#ifndef CP_READERS_CAPTURE_CACHE_H
#define CP_READERS_CAPTURE_CACHE_H

#include "readers/input.h"

/* A descriptor of the capture and its size, or -1. */
int cp_kept_open(const struct cp_input *bundle, uint64_t *size);
void cp_kept_put(const struct cp_input *bundle, int capture, uint64_t size);

#endif
