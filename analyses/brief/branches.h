/* SPDX-License-Identifier: MIT */
/* analyses/brief/branches.h: what `branches` tells the overview. */
#ifndef CP_ANALYSES_BRIEF_BRANCHES_H
#define CP_ANALYSES_BRIEF_BRANCHES_H

#include "analyses/summary/brief-part.h"

extern const struct cp_brief_part cp_branches_brief;

#endif
