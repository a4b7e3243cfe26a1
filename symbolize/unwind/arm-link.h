/* SPDX-License-Identifier: MIT */
/* symbolize/unwind/arm-link.h: does a call of ARM code lead to where it is? */
#ifndef CP_SYMBOLIZE_UNWIND_ARM_LINK_H
#define CP_SYMBOLIZE_UNWIND_ARM_LINK_H

#include "symbolize/unwind/walk.h"

/* May the call that left this return address have led to pc? */
bool cp_walk_called(struct cp_unwind_walk *, uint64_t ra);
/* 32-bit ARM: if the call says where it leads to, is code there? */
bool cp_walk_calls_code(struct cp_unwind_walk *, uint64_t ra);
/* Does the call lead here by itself?  *thumb: to such code. */
bool cp_walk_call_mode(struct cp_unwind_walk *, uint64_t ra, bool *thumb);

#endif
