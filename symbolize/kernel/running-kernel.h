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
/* Opens /proc/kallsyms, the only file of /proc that may be opened; or -1. */
int cp_running_open(const char *path);

#endif
