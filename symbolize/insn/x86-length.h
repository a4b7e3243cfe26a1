/* SPDX-License-Identifier: MIT */
/*
 * symbolize/insn/x86-length.h: the length of an x86-64 instruction.
 */
#ifndef CP_SYMBOLIZE_INSN_X86_LENGTH_H
#define CP_SYMBOLIZE_INSN_X86_LENGTH_H

#include "base/base.h"

/* Returns 0 if the n bytes hold no complete valid instruction. */
unsigned cp_x86_length(const uint8_t *code, size_t n);

#endif
