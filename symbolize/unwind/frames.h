/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/frames.h: the frames of a walk: the registers of the first,
 * the step to the caller, and why a walk ends.
 *
 * The functions are inline, because every frame of every stack uses them.
 */
#ifndef CP_SYMBOLIZE_UNWIND_FRAMES_H
#define CP_SYMBOLIZE_UNWIND_FRAMES_H

#include "base/limits.h"
#include "symbolize/unwind/walk.h"

/* A register of the sample; 0: not recorded. */
static inline uint64_t
cp_walk_recorded(const struct cp_unwind_walk *w, uint8_t reg)
{
	uint8_t place = reg != CP_NO_REG ? w->u->place[reg] : CP_NO_REG;
	uint64_t v;

	if (place == CP_NO_REG)
		return 0;
	v = cp_load64(w->in->sample->user_regs + 8 * place, w->swap);
	return w->arch->word == 4 ? (uint32_t)v : v;
}

/* Appends a frame.  False: the stack is full. */
static inline bool
cp_walk_emit(struct cp_unwind_walk *w, uint64_t pc)
{
	if (CP_UNLIKELY(w->guessed != w->marked || w->n == 0)) {
		w->marked = w->guessed;
		w->words[w->n++] = CP_CONTEXT_USER_UNWOUND - w->guessed;
	}
	if (CP_UNLIKELY(w->n + 2 >= w->max))
		return false;
	w->words[w->n++] = pc;
	return true;
}

/* CUT if the address is just above the dump, and the dump may be incomplete. */
static inline enum cp_unwind_end
cp_walk_unreadable(const struct cp_unwind_walk *w, uint64_t at)
{
	uint64_t end = w->base + w->last + w->arch->word;

	if (at + w->arch->word > end && at - end < CP_MAX_STACK_GAP &&
	    w->in->cut)
		return CP_UNWIND_CUT;
	return CP_UNWIND_UNREADABLE;
}

/*
 * Goes to the caller at ra.  Looks up ra - 1, and shows that: a call may be the
 * last instruction of its function.
 */
static inline enum cp_unwind_end
cp_walk_caller(struct cp_unwind_walk *w, uint64_t ra)
{
	if (ra == 0)
		return CP_UNWIND_COMPLETE;
	w->pc = ra - 1;
	w->exact = false;
	return cp_walk_emit(w, w->pc) ? CP_UNWIND_NONE : CP_UNWIND_LIMIT;
}

#endif
