/* SPDX-License-Identifier: MIT */
/* symbolize/unwind/run-x86.h: a caller by what x86-64 code would do next. */
#ifndef CP_SYMBOLIZE_UNWIND_RUN_X86_H
#define CP_SYMBOLIZE_UNWIND_RUN_X86_H

#include "symbolize/unwind/walk.h"

/* The registers of the caller; false: that cannot be told. */
bool cp_walk_run_x86(
    struct cp_unwind_walk *, const struct cp_regs *, struct cp_regs *out);

#endif
