/* SPDX-License-Identifier: MIT */
/* symbolize/unwind/guess.h: a caller by the frame pointer. */
#ifndef CP_SYMBOLIZE_UNWIND_GUESS_H
#define CP_SYMBOLIZE_UNWIND_GUESS_H

#include "symbolize/unwind/walk.h"

/* A caller without a table, and what it is found by; false: no idea. */
bool cp_walk_guess(struct cp_unwind_walk *);

#endif
