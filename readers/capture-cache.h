/* SPDX-License-Identifier: MIT */
/*
 * readers/capture-cache.h: a disk cache for the capture of a large bundle.  An
 * entry is valid as long as path, size and time of the bundle are unchanged.  A
 * second run then need not inflate the capture, or the members before it.
 */
#ifndef CP_READERS_CAPTURE_CACHE_H
#define CP_READERS_CAPTURE_CACHE_H

#include "readers/input.h"

/*
 * Returns a descriptor of the capture, and its size in *size; -1: not cached.
 */
int cp_kept_open(const struct cp_input *bundle, uint64_t *size);
void cp_kept_put(const struct cp_input *bundle, int capture, uint64_t size);

#endif
