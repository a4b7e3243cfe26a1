/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/guess.h: finds callers without an unwind table.
 */
#ifndef CP_SYMBOLIZE_UNWIND_GUESS_H
#define CP_SYMBOLIZE_UNWIND_GUESS_H

#include "symbolize/unwind/walk.h"

/* Finds a caller and records the method.  False: no caller found. */
bool cp_walk_guess(struct cp_unwind_walk *);

#endif
