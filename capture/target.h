/* SPDX-License-Identifier: MIT */
/* capture/target.h: whether the code of a program keeps frame pointers. */
#ifndef CP_CAPTURE_TARGET_H
#define CP_CAPTURE_TARGET_H

#include "base/base.h"

enum cp_frames {
	CP_FRAMES_UNKNOWN, /* no ELF file, or of a processor not known here */
	CP_FRAMES_KEPT,
	CP_FRAMES_NONE,
};

/*
 * Looks at a program; a script's is its interpreter.  path is replaced by the
 * file that was looked at.
 */
enum cp_frames cp_target_frames(char *path, size_t size);

#endif
