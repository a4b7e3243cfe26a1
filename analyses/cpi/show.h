/* SPDX-License-Identifier: MIT */
/* analyses/cpi/show.h: shows the ratios of the whole, then the tables. */
#ifndef CP_ANALYSES_CPI_SHOW_H
#define CP_ANALYSES_CPI_SHOW_H

#include "analyses/cpi/count.h"

void cp_cpi_show(struct cpi *, struct cp_report *);

#endif
