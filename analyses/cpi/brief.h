/* SPDX-License-Identifier: MIT */
/* analyses/cpi/brief.h: the short form of `cpi`, a part of the overview. */
#ifndef CP_ANALYSES_CPI_BRIEF_H
#define CP_ANALYSES_CPI_BRIEF_H

#include <coldperf/plugin.h>

struct cpi;
struct cpi *cp_cpi_brief_new(struct cp_run *, uint64_t top);
void cp_cpi_brief_sample(struct cpi *, const struct cp_sample *);
/* Adds nothing if the capture has no ratio. */
/* dispersion: of the shares of cycles. */
void cp_cpi_brief_show(struct cpi *, double dispersion, struct cp_report *);

#endif
