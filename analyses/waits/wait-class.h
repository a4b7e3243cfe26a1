/* SPDX-License-Identifier: MIT */
/*
 * analyses/waits/wait-class.h: what a blocked thread waited for, told by the
 * functions on its stack.
 *
 * A class is a line of patterns.  The class of a stack is the first line with a
 * pattern that matches one of the stack's kernel functions.  Lines of users
 * come before the built-in ones.  A pattern that begins with "u:" matches user
 * functions, and is tried only when no line matched a kernel function: without
 * kernel names, those of libc are still useful.  "*" in a pattern stands for
 * any characters; a suffix that compilers add (.isra.0) is ignored.
 */
#ifndef CP_ANALYSES_WAITS_WAIT_CLASS_H
#define CP_ANALYSES_WAITS_WAIT_CLASS_H

#include <coldperf/plugin.h>

struct cp_waitline {
	cp_string_id class;
	const char *patterns; /* between blanks */
};

struct cp_waitclasses {
	struct cp_run *run;
	struct cp_waitline *line;
	uint32_t n, cap;
	/* By frame: the first line + 1 that it matches, as kernel function. */
	uint32_t *of_frame;
	uint32_t frame_cap;
};

/*
 * The built-in lines, and before them those of a file: "class: pattern ...",
 * "#" begins a comment.  path may be NULL.  CP_FAIL after a diagnostic.
 */
int cp_waitclasses_init(
    struct cp_waitclasses *, struct cp_run *, const char *path) CP_MUST_USE;
/* "unknown" if no line matches.  The stack must have been named. */
cp_string_id cp_waitclass(struct cp_waitclasses *, cp_stack_id);

#endif
