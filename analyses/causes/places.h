/* SPDX-License-Identifier: MIT */
/*
 * analyses/causes/places.h: where a thread stood, in the program's own words:
 * its innermost function that is none of a library of the system, that one's
 * caller, and the system call.
 */
#ifndef CP_ANALYSES_CAUSES_PLACES_H
#define CP_ANALYSES_CAUSES_PLACES_H

#include <coldperf/plugin.h>

struct cp_where {
	cp_string_id own;  /* "update < worker"; 0: only libraries are seen */
	cp_string_id call; /* "fsync", "pthread_mutex_lock"; 0 */
	bool user;         /* it has frames of user code */
};

/* Is the frame one of the program's own functions?  It must have been named. */
bool cp_place_own(const struct cp_run *, cp_frame_id);
/* "fsync" of the kernel's function that begins the call; NULL: another one. */
const char *cp_place_call(const char *function);
/* "inner < caller"; lives as long as the run. */
const char *cp_place_below(
    struct cp_run *, const char *inner, const char *caller);
/* The stack must have been named. */
struct cp_where cp_place_where(struct cp_run *, cp_stack_id);
/* Returns the outermost own function of the stack, which was named; or 0. */
cp_string_id cp_place_root(struct cp_run *, cp_stack_id);
/* Has the stack a kernel function of that name, or one that begins with it? */
bool cp_place_has(const struct cp_run *, cp_stack_id, const char *const *names);

#endif
