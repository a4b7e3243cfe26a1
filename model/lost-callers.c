/* SPDX-License-Identifier: MIT */
/*
 * lost-callers: puts a frame where a chain of frame pointers lacks a caller.
 *
 * A function that has not set up its frame is sampled: the frame pointer is
 * still its caller's, so the kernel finds that one's return address next, and
 * the caller itself is in no chain.  It is the same for the function that
 * entered the kernel.  Whether a function has its frame at an address is asked
 * once per address; which frame stands for the caller, once for each pair.
 */
#include "model/session-state.h"

enum { UNASKED, HAS_FRAME, FRAMELESS };

/* Has the function set up its frame at this address? */
static bool
is_frameless(struct cp_session *s, cp_frame_id id)
{
	const struct cp_frame f = s->stacks.frames.data[id];
	struct cp_frame out;

	while (s->frameless.len <= id)
		*cp_vec_push(&s->frameless) = UNASKED;
	if (s->frameless.data[id] == UNASKED)
		s->frameless.data[id] =
		    f.dso != 0 && s->caller(s->caller_ctx, &f, NULL, &out) ==
				      CP_CALLER_LOST
			? FRAMELESS
			: HAS_FRAME;
	return s->frameless.data[id] == FRAMELESS;
}

/*
 * Returns the frame that stands between two of a chain; 0: none.  above 0: the
 * chain ends at the frame.
 */
cp_frame_id
cp_session_between(struct cp_session *s, cp_frame_id frame, cp_frame_id above)
{
	struct cp_frame f, up,
	    out = { .level = CP_LEVEL_USER, .flags = CP_FRAME_LOST };
	uint32_t *known;

	if (s->caller == NULL || frame == 0 || !is_frameless(s, frame))
		return 0;
	known = cp_map64_put(&s->between, (uint64_t)above << 32 | frame);
	if (*known == 0) {
		f = s->stacks.frames.data[frame];
		up = s->stacks.frames.data[above];
		*known = 1;
		if (above == 0 || up.dso == 0 ||
		    s->caller(s->caller_ctx, &f, &up, &out) !=
			CP_CALLER_RECORDED)
			*known += cp_stacks_frame(&s->stacks, &out);
	}
	return *known - 1;
}

/* The frame that stands for a caller of the stack; 0: none. */
cp_frame_id
cp_stacks_lost(const struct cp_stacks *s, cp_stack_id id)
{
	cp_frame_id above;

	while (id != 0 &&
	       s->frames.data[s->nodes.data[id].frame].level != CP_LEVEL_USER)
		id = s->nodes.data[id].parent;
	above = id != 0 ? s->nodes.data[s->nodes.data[id].parent].frame : 0;
	return (s->frames.data[above].flags & CP_FRAME_LOST) != 0 ? above : 0;
}
