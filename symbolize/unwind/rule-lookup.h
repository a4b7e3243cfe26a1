/* SPDX-License-Identifier: MIT */
/* symbolize/unwind/rule-lookup.h: which rule an address has. */
#ifndef CP_SYMBOLIZE_UNWIND_RULE_LOOKUP_H
#define CP_SYMBOLIZE_UNWIND_RULE_LOOKUP_H

#include "symbolize/unwind/walk.h"

/* The rule of an address, packed if it fits. */
uint32_t cp_walk_rule(struct cp_unwind_walk *, uint64_t pc);
/* The same, never packed. */
uint32_t cp_walk_full_rule(struct cp_unwind_walk *, uint64_t pc);
/*
 * Is that the first instruction of a function, which none before it has
 * called?  Somebody has put it on a stack for the outermost frame to return
 * to, as makecontext() does.
 */
bool cp_walk_returns_to_start(struct cp_unwind_walk *, uint64_t ra);

#endif
