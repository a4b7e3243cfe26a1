/* SPDX-License-Identifier: MIT */
/* analyses/blockio/tables.h: devices, operations, commands, slowest requests.
 */
#ifndef CP_ANALYSES_BLOCKIO_TABLES_H
#define CP_ANALYSES_BLOCKIO_TABLES_H

#include "analyses/blockio/count.h"

void cp_blockio_tables(struct cp_blockio *, struct cp_report *);

#endif
