/* SPDX-License-Identifier: MIT */
/*
 * symbolize/opinion/stack-rules.h: how a stack of ours differs from libdwfl's,
 * and which differences are explained.
 */
#ifndef CP_SYMBOLIZE_OPINION_STACK_RULES_H
#define CP_SYMBOLIZE_OPINION_STACK_RULES_H

#include "symbolize/opinion/rules.h"

/* A stack, unwound twice: addresses, innermost first. */
struct cp_two_stacks {
	const uint64_t *ours, *theirs;
	size_t n, m;
	enum cp_unwind_end end; /* of ours */
	bool out;               /* one of theirs is in no mapping */
	const char *outermost;  /* the name of our last frame, or NULL */
	size_t same;            /* set: frames that are equal, from within */
};
struct cp_compared cp_check_stack(struct cp_two_stacks *);

#endif
