/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/sigreturn.h: signal trampolines without a table.
 */
#ifndef CP_SYMBOLIZE_UNWIND_SIGRETURN_H
#define CP_SYMBOLIZE_UNWIND_SIGRETURN_H

#include "symbolize/unwind/walk.h"

/*
 * Finds the registers that the signal interrupted.  If they are unreadable,
 * w->missing is their address.  False: pc is not at a trampoline.
 */
bool cp_walk_sigreturn(struct cp_unwind_walk *, struct cp_regs *out);

#endif
