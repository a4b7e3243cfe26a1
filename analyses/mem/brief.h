/* SPDX-License-Identifier: MIT */
/* analyses/mem/brief.h: what `mem` tells the overview. */
#ifndef CP_ANALYSES_MEM_BRIEF_H
#define CP_ANALYSES_MEM_BRIEF_H

#include "analyses/summary/brief-part.h"

extern const struct cp_brief_part cp_mem_brief;

#endif
