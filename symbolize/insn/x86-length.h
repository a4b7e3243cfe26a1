/* SPDX-License-Identifier: MIT */
/* symbolize/insn/x86-length.h: how long an instruction of x86-64 is. */
#ifndef CP_SYMBOLIZE_INSN_X86_LENGTH_H
#define CP_SYMBOLIZE_INSN_X86_LENGTH_H

#include "base/base.h"

/* 0: n bytes hold no whole instruction that is known. */
unsigned cp_x86_length(const uint8_t *code, size_t n);

#endif
