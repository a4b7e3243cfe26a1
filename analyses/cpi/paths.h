/* SPDX-License-Identifier: MIT */
/* analyses/cpi/paths.h: ratios by call path. */
#ifndef CP_ANALYSES_CPI_PATHS_H
#define CP_ANALYSES_CPI_PATHS_H

#include "analyses/cpi/count.h"

void cp_cpi_paths_show(struct cpi *, struct cp_report *);

#endif
