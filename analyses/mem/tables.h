/* SPDX-License-Identifier: MIT */
/* analyses/mem/tables.h: sources, code, data, lines of memory. */
#ifndef CP_ANALYSES_MEM_TABLES_H
#define CP_ANALYSES_MEM_TABLES_H

#include "analyses/mem/count.h"

void cp_mem_tables(struct cp_mem *, struct cp_report *);

#endif
