/* SPDX-License-Identifier: MIT */
/* analyses/summary/thresholds.h: what the overview finds worth a sentence. */
#ifndef CP_ANALYSES_SUMMARY_THRESHOLDS_H
#define CP_ANALYSES_SUMMARY_THRESHOLDS_H

enum cp_threshold {
#define THRESHOLD(name, value, reason) CP_T_##name,
#include "analyses/summary/thresholds.def"
#undef THRESHOLD
	CP_THRESHOLDS
};

double cp_threshold(enum cp_threshold);

#endif
