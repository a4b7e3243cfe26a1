/* SPDX-License-Identifier: MIT */
/*
 * Finds the caller of code without an unwind table.
 *
 * In the innermost frame it looks at the next instructions; else it uses the
 * frame pointer, which may hold anything.  A result must lead up the stack and
 * into code.
 */
#include "symbolize/unwind/walk.h"

#include "symbolize/unwind/memory.h"

/* False for heap and stack; all mappings of files count as code. */
static bool
is_code(struct cp_unwind_walk *w, uint64_t pc)
{
	const struct cp_aspace *a = w->in->space;
	const struct cp_map *m = cp_aspace_find(a, pc - 1);
	const struct cp_dso *d;

	if (m == NULL && a->old != NULL)
		m = cp_aspace_find(a->old, pc - 1);
	if (m == NULL)
		return false;
	d = &cp_dsos_at(w->u->dsos, m->dso)->pub;
	return d->kind != CP_DSO_ANON || d->runs;
}

static bool
accept_caller(struct cp_unwind_walk *w, uint64_t pc, uint64_t sp, uint64_t fp)
{
	if (!is_code(w, pc & w->pac))
		return false;
	w->pc = pc & w->pac;
	w->thumb = pc & 1;
	w->sp = sp;
	w->fp = fp;
	return true;
}

/* The return address is `words` above sp; the frame pointer is unchanged. */
static bool
on_stack(struct cp_unwind_walk *w, unsigned words)
{
	uint64_t at = w->sp + (uint64_t)words * w->arch->word, pc;

	return cp_walk_word(w, at, &pc) &&
	       accept_caller(w, pc, at + w->arch->word, w->fp);
}

/* x86: pc is in the prologue or epilogue. */
static bool
x86_edge(struct cp_unwind_walk *w)
{
	uint64_t fp;
	uint8_t c[4];

	if (!cp_walk_code(w, w->pc, c, sizeof(c)))
		return false;
	if (c[0] == 0xc3 || c[0] == 0xc2 ||                 /* ret */
	    c[0] == 0x55 ||                                 /* push %rbp */
	    (c[0] == 0xf3 && c[1] == 0x0f && c[2] == 0x1e)) /* endbr */
		return on_stack(w, 0);
	if ((c[0] == 0x48 && c[1] == 0x89 && c[2] == 0xe5) ||
	    (c[0] == 0x89 && c[1] == 0xe5)) /* mov %rsp,%rbp */
		return on_stack(w, 1);
	if (c[0] == 0x5d && c[1] == 0xc3 && /* pop %rbp; ret */
	    cp_walk_word(w, w->sp, &fp) && on_stack(w, 1)) {
		w->fp = fp;
		return true;
	}
	return false;
}

/*
 * Reads the pair (caller's frame pointer, return address) at fp.  The first
 * word may be anything: only this function is known to use a frame pointer.  On
 * arm64 the function's variables may be above the pair.
 */
static bool
by_frame_pointer(struct cp_unwind_walk *w)
{
	unsigned word = w->arch->word;
	uint64_t fp, pc;

	if (w->fp < w->sp || w->fp % word != 0 ||
	    !cp_walk_word(w, w->fp, &fp) || !cp_walk_word(w, w->fp + word, &pc))
		return false;
	if (!accept_caller(w, pc, w->fp + 2 * word, fp))
		return false;
	w->loose = w->arch->machine == EM_AARCH64;
	return true;
}

/*
 * 32-bit ARM: gcc points the frame pointer to the saved return address, with
 * the caller's frame pointer below it; clang points it to the caller's frame
 * pointer, with the return address above it.  The word at fp tells which.
 */
static bool
arm_code(struct cp_unwind_walk *w)
{
	uint64_t at, above, below;

	if (w->fp < w->sp || w->fp % 4 != 0 || !cp_walk_word(w, w->fp, &at))
		return false;
	if (w->fp >= w->sp + 4 && cp_walk_word(w, w->fp - 4, &below) &&
	    accept_caller(w, at, w->fp + 4, below))
		return true;
	return cp_walk_word(w, w->fp + 4, &above) &&
	       accept_caller(w, above, w->fp + 8, at);
}

/*
 * Thumb code has its frame pointer in R7, which points to the caller's, with
 * the return address above it.  The return address must be Thumb code, because
 * elsewhere R7 is an ordinary register.
 */
static bool
thumb_code(struct cp_unwind_walk *w)
{
	uint64_t at = w->r7, fp, pc;

	if (at < w->sp || at % 4 != 0 || !cp_walk_word(w, at, &fp) ||
	    !cp_walk_word(w, at + 4, &pc) || !(pc & 1) ||
	    !accept_caller(w, pc, at + 8, w->fp))
		return false;
	w->r7 = fp;
	return true;
}

/* The nearer of the two is this function's; the other is a caller's. */
static bool
arm_frame_pointer(struct cp_unwind_walk *w)
{
	if (w->fp >= w->sp && w->fp < w->r7)
		return arm_code(w) || thumb_code(w);
	return thumb_code(w) || arm_code(w);
}

/* arm64: true if the pair at fp holds the link register: a frame is set up. */
static bool
has_frame(const struct cp_unwind_walk *w)
{
	uint64_t ra;

	return w->arch->machine == EM_AARCH64 && w->fp >= w->sp &&
	       cp_walk_word(w, w->fp + 8, &ra) &&
	       (ra & w->pac) == (w->lr & w->pac);
}

/* In a leaf function the link register still holds the return address. */
static bool
by_link(struct cp_unwind_walk *w)
{
	return w->lr != 0 && (w->lr & w->pac) != w->pc && !has_frame(w) &&
	       cp_walk_called(w, w->lr) &&
	       accept_caller(w, w->lr, w->sp, w->fp);
}

/* By the next instructions of the innermost frame. */
static bool
by_edge(struct cp_unwind_walk *w)
{
	bool x86 = w->arch->machine == EM_X86_64 || w->arch->machine == EM_386;

	return w->exact && (x86 ? x86_edge(w) : by_link(w));
}

bool
cp_walk_guess(struct cp_unwind_walk *w)
{
	w->guessed = CP_BY_EDGE;
	if (by_edge(w))
		return true;
	w->guessed = CP_BY_POINTER;
	switch (w->arch->machine) {
	case EM_X86_64:
	case EM_386:
	case EM_AARCH64: return by_frame_pointer(w);
	case EM_ARM: return arm_frame_pointer(w);
	default: return false;
	}
}
