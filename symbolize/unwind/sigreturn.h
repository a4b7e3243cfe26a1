/* SPDX-License-Identifier: MIT */
/* symbolize/unwind/sigreturn.h: trampolines of signals without a table. */
#ifndef CP_SYMBOLIZE_UNWIND_SIGRETURN_H
#define CP_SYMBOLIZE_UNWIND_SIGRETURN_H

#include "symbolize/unwind/walk.h"

/*
 * False: it is not at a trampoline.  Else the registers of what the signal has
 * interrupted, or w->missing is where they should be.
 */
bool cp_walk_sigreturn(struct cp_unwind_walk *, struct cp_regs *out);

#endif
