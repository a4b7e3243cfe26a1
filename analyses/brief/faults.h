/* SPDX-License-Identifier: MIT */
/* analyses/brief/faults.h: what `faults` tells the overview. */
#ifndef CP_ANALYSES_BRIEF_FAULTS_H
#define CP_ANALYSES_BRIEF_FAULTS_H

#include "analyses/summary/brief-part.h"

extern const struct cp_brief_part cp_faults_brief;

#endif
