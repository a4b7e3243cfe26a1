/* SPDX-License-Identifier: MIT */
/* analyses/timeline/changes.h: when the rate of samples changes. */
#ifndef CP_ANALYSES_TIMELINE_CHANGES_H
#define CP_ANALYSES_TIMELINE_CHANGES_H

#include "analyses/timeline/series.h"

void cp_timeline_changes(struct timeline *, struct cp_report *);

#endif
