/* SPDX-License-Identifier: MIT */
/* workload: the program on perf's command line. */
#ifndef CP_READERS_HEADER_WORKLOAD_H
#define CP_READERS_HEADER_WORKLOAD_H

#include <stdint.h>

#include "model/info.h"

/*
 * Returns the index of its first word; the number of words: there is none.
 * Sets scope to what the options choose (enum cp_scope).
 */
uint32_t cp_workload_of(const struct cp_strlist *line, uint8_t *scope);

#endif
