/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/arm-link.h: compares a call's target in ARM code with pc.
 */
#ifndef CP_SYMBOLIZE_UNWIND_ARM_LINK_H
#define CP_SYMBOLIZE_UNWIND_ARM_LINK_H

#include "symbolize/unwind/walk.h"

/* True if the call before this return address may have led to pc. */
bool cp_walk_called(struct cp_unwind_walk *, uint64_t ra);
/* 32-bit ARM: if the call is direct, true if its target is code. */
bool cp_walk_calls_code(struct cp_unwind_walk *, uint64_t ra);
/* True if the call is direct and leads here.  *thumb: to Thumb code. */
bool cp_walk_call_mode(struct cp_unwind_walk *, uint64_t ra, bool *thumb);

#endif
