/* SPDX-License-Identifier: MIT */
/* symbolize/kernel/running-kernel.h: the kernel that runs here, as it shows
 * itself. */
#ifndef CP_SYMBOLIZE_KERNEL_RUNNING_KERNEL_H
#define CP_SYMBOLIZE_KERNEL_RUNNING_KERNEL_H

#include "base/base.h"

#define CP_RUNNING_KALLSYMS "/proc/kallsyms"

/* Its build ID; the size, 0 if it does not say. */
uint8_t cp_running_id(uint8_t id[20]);
/* The file behind that very path, which no other is opened below; or -1. */
int cp_running_open(const char *path);

#endif
