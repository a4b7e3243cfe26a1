/* SPDX-License-Identifier: MIT */
/* analyses/waits/longest.h: the longest blocked waits, each by itself. */
#ifndef CP_ANALYSES_WAITS_LONGEST_H
#define CP_ANALYSES_WAITS_LONGEST_H

#include "analyses/waits/wait-class.h"
#include "analyses/waits/waits.h"

/*
 * Shows each wait's begin, duration, waker and stack.  Stacks must have been
 * named.
 */
void cp_waits_show_longest(
    struct cp_waits *, struct cp_waitclasses *, struct cp_report *);

#endif
