/* SPDX-License-Identifier: MIT */
/* Instead of sandbox.c: this system has no walls that are built here. */
#include "base/sandbox/sandbox.h"

unsigned
cp_sandbox_enter(const struct cp_sandbox *s)
{
	return 0;
}
