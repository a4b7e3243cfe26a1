/* SPDX-License-Identifier: MIT */
/* symbolize/unwind/memory.h: memory of the sampled process. */
#ifndef CP_SYMBOLIZE_UNWIND_MEMORY_H
#define CP_SYMBOLIZE_UNWIND_MEMORY_H

#include "symbolize/unwind/walk.h"

/* Reads a word from the dump or a mapped file. */
bool cp_walk_read(void *walk, uint64_t at, unsigned n, uint64_t *value);
/* Reads code bytes at pc. */
bool cp_walk_code(struct cp_unwind_walk *, uint64_t pc, uint8_t *out, size_t n);

#endif
