/* SPDX-License-Identifier: MIT */
/* analyses/report/threads.h: the heaviest threads of the event shown. */
#ifndef CP_ANALYSES_REPORT_THREADS_H
#define CP_ANALYSES_REPORT_THREADS_H

#include "analyses/report/symbols.h"

/* Adds their table; threads of a pool are one row. */
void cp_overview_threads(struct cp_overview *, struct cp_report *);

#endif
