/* SPDX-License-Identifier: MIT */
/* analyses/syscalls/tables.h: calls, threads, errors, stacks. */
#ifndef CP_ANALYSES_SYSCALLS_TABLES_H
#define CP_ANALYSES_SYSCALLS_TABLES_H

#include "analyses/syscalls/count.h"

void cp_syscalls_tables(struct cp_syscalls *, struct cp_report *);

#endif
