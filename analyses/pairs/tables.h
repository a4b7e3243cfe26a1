/* SPDX-License-Identifier: MIT */
/* analyses/pairs/tables.h: the tables and trees of `pair`. */
#ifndef CP_ANALYSES_PAIRS_TABLES_H
#define CP_ANALYSES_PAIRS_TABLES_H

#include "analyses/pairs/match.h"

void cp_pairs_tables(struct cp_pairs *, struct cp_report *);

#endif
