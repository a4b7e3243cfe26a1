/* SPDX-License-Identifier: MIT */
/* analyses/blockio/brief.h: what `blockio` tells the overview. */
#ifndef CP_ANALYSES_BLOCKIO_BRIEF_H
#define CP_ANALYSES_BLOCKIO_BRIEF_H

#include "analyses/summary/brief-part.h"

extern const struct cp_brief_part cp_blockio_brief;

#endif
