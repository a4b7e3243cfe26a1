/* SPDX-License-Identifier: MIT */
/* What a frame was found by for want of an unwind table, and its name. */
#include "base/base.h"

#include <coldperf/plugin.h>

enum cp_guess
cp_frame_guess(const struct cp_frame *f)
{
	if ((f->flags & CP_FRAME_GUESSED) == 0)
		return CP_GUESS_NONE;
	if ((f->flags & CP_FRAME_SCANNED) != 0)
		return CP_GUESS_SCAN;
	return (f->flags & CP_FRAME_EDGE) != 0 ? CP_GUESS_EDGE
					       : CP_GUESS_POINTER;
}

const char *
cp_guess_name(enum cp_guess how)
{
	static const char *const name[] = {
		[CP_GUESS_NONE] = "",
		[CP_GUESS_EDGE] = "instructions",
		[CP_GUESS_POINTER] = "frame pointer",
		[CP_GUESS_SCAN] = "stack scan",
	};

	return name[how];
}
