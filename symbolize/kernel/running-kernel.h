/* SPDX-License-Identifier: MIT */
/*
 * symbolize/kernel/running-kernel.h: the kernel of this machine.
 */
#ifndef CP_SYMBOLIZE_KERNEL_RUNNING_KERNEL_H
#define CP_SYMBOLIZE_KERNEL_RUNNING_KERNEL_H

#include "base/base.h"

#define CP_RUNNING_KALLSYMS "/proc/kallsyms"

/* Reads its build ID.  Returns the size; 0: unknown. */
uint8_t cp_running_id(uint8_t id[20]);
/*
 * Opens exactly /proc/kallsyms or its like; other files of /proc are refused
 * elsewhere.  -1: another path, or failed.
 */
int cp_running_open(const char *path);

#endif
