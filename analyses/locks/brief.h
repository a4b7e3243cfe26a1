/* SPDX-License-Identifier: MIT */
/* analyses/locks/brief.h: what `locks` tells the overview. */
#ifndef CP_ANALYSES_LOCKS_BRIEF_H
#define CP_ANALYSES_LOCKS_BRIEF_H

#include "analyses/summary/brief-part.h"

extern const struct cp_brief_part cp_locks_brief;

#endif
