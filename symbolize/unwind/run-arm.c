/* SPDX-License-Identifier: MIT */
/*
 * Finds the caller of 32-bit ARM code by following the code from pc to its
 * return, along all branches in turn.
 *
 * This works at any instruction, also in prologue and epilogue, which
 * .ARM.exidx does not describe, and needs neither table nor frame pointer.
 * Functions that do not return have no such path.  If no path returns, the
 * search goes on after the first jump to an unknown target with the state from
 * before it: the code there is of the same function.
 */
#include "symbolize/unwind/walk.h"

#include "symbolize/insn/arm.h"
#include "symbolize/unwind/memory.h"
#include "symbolize/unwind/visited.h"

/* Limits: instructions, open paths, and visited branches. */
enum { LENGTH = 4096, WAYS = 24, SEEN = 512 };

struct search {
	struct cp_unwind_walk *w;
	struct cp_arm way[WAYS];
	unsigned ways;
	struct cp_visited visited;
	bool found; /* `best` is a path, though no call is known to lead here */
	bool aside; /* a jump to an unknown target was met */
	struct cp_arm best, after_aside; /* best path; state after that jump */
};

/* -------------------------------------------------------------- the mode */

/*
 * ARM code mostly has the condition "always" or is NEON code.  This test was
 * right for 97 % of ARM code and 99.5 % of Thumb code in glibc.  In doubt the
 * call that led here decides.
 */
static bool
looks_thumb(struct cp_unwind_walk *w)
{
	enum { WORDS = 16, ENOUGH = 7, MANY = 10 };
	uint64_t at = (w->pc & ~(uint64_t)3) - 4 * (uint64_t)WORDS / 2;
	unsigned found = 0;
	uint8_t c[4];
	bool thumb;

	if (w->pc & 2)
		return true;
	for (unsigned n = 0; n < WORDS; n++, at += 4)
		found += cp_walk_code(w, at, c, sizeof(c)) &&
			 (c[3] >> 4 == 14 || (c[3] >= 0xf2 && c[3] <= 0xf5));
	if (found < MANY && cp_walk_call_mode(w, w->lr, &thumb))
		return thumb;
	return found < ENOUGH;
}

/* ----------------------------------------------------------- what returns */

static bool
read_half(struct cp_unwind_walk *w, uint32_t at, uint32_t *v)
{
	uint8_t c[2];

	if (!cp_walk_code(w, at, c, sizeof(c)))
		return false;
	*v = (uint32_t)c[1] << 8 | c[0];
	return true;
}

static bool
after_thumb_call(struct cp_unwind_walk *w, uint32_t at)
{
	uint32_t a, b;

	return read_half(w, at - 2, &b) &&
	       ((b & 0xff87) == 0x4780 || (read_half(w, at - 4, &a) &&
					      a >> 11 == 0x1e && b >> 14 == 3));
}

/* bl, blx, and the instruction after mov lr, pc. */
static bool
after_arm_call(struct cp_unwind_walk *w, uint32_t at)
{
	uint32_t a, b, v;

	if (!read_half(w, at - 4, &a) || !read_half(w, at - 2, &b))
		return false;
	v = b << 16 | a;
	return (v >> 24 & 15) == 11 || (v & 0x0ffffff0) == 0x012fff30 ||
	       (v & 0xfe000000) == 0xfa000000 ||
	       (read_half(w, at - 8, &a) && read_half(w, at - 6, &b) &&
		   (b << 16 | a) == 0xe1a0e00f);
}

/* A signal handler returns to the trampoline, which no code has called. */
static bool
ends_handler(struct cp_unwind_walk *w, uint32_t at, bool thumb)
{
	enum { SIGRETURN = 119, RT_SIGRETURN = 173 };
	uint32_t a, b, v; /* mov r7, #number */

	if (!read_half(w, at, &a) || !read_half(w, at + 2, &b))
		return false;
	v = (b << 16 | a) - 0xe3a07000;
	if (thumb)
		v = a >> 8 == 0x27 ? a & 0xff : (a << 16 | b) - 0xf04f0700;
	return v == SIGRETURN || v == RT_SIGRETURN;
}

static bool
plausible(struct cp_unwind_walk *w, const struct cp_arm *m)
{
	uint32_t at = m->to & ~UINT32_C(1);
	bool thumb = m->to & 1;

	if (!cp_arm_known(m, CP_ARM_SP) || m->v[CP_ARM_SP] < w->sp ||
	    (!w->exact && m->v[CP_ARM_SP] == w->sp))
		return false;
	return ends_handler(w, at, thumb) ||
	       ((thumb ? after_thumb_call(w, at) : after_arm_call(w, at)) &&
		   cp_walk_calls_code(w, m->to));
}

/* ------------------------------------------------------------- the search */

/* Decodes and follows the current instruction. */
static enum cp_arm_flow
step(struct search *s, struct cp_arm *m, uint32_t *size)
{
	uint32_t a, b;

	*size = 2;
	m->condition = CP_ARM_ALWAYS;
	if (m->pc % (m->thumb ? 2 : 4) != 0 || !read_half(s->w, m->pc, &a))
		return CP_ARM_DEAD;
	if (m->thumb) {
		if (m->it > 0)
			m->condition = CP_ARM_SOME;
		m->it -= m->it > 0;
		if (a >> 11 < 0x1d)
			return cp_thumb_step(m, (uint16_t)a);
	}
	*size = 4;
	if (!read_half(s->w, m->pc + 2, &b))
		return CP_ARM_DEAD;
	return m->thumb ? cp_thumb_wide_step(m, a << 16 | b)
			: cp_arm_step(m, b << 16 | a);
}

/* An instruction may or may not have run: keeps what both states agree on. */
static void
merge(struct cp_arm *m, const struct cp_arm *before)
{
	struct cp_arm after = *m;

	*m = *before;
	m->it = after.it;
	m->held = after.held;
	for (unsigned r = 0; r < CP_ARM_PC; r++)
		if (cp_arm_known(m, r) &&
		    (!cp_arm_known(&after, r) || after.v[r] != m->v[r]))
			cp_arm_forget(m, r);
}

/* Splits into two paths: *current becomes m and goes on first. */
static void
split(struct search *s, struct cp_arm *current, const struct cp_arm *m,
    uint8_t condition)
{
	struct cp_arm *next = &s->way[s->ways];

	if (s->ways == WAYS)
		return;
	*next = *current;
	*current = *m;
	if (condition < CP_ARM_ALWAYS) {
		current->held = condition + 1;
		next->held = (condition ^ 1) + 1;
	}
	s->ways++;
}

/* Goes on to the next instruction, or ends a path. */
static void
next_instruction(struct search *s, struct cp_arm *m, struct cp_arm *before,
    enum cp_arm_flow flow, uint32_t size)
{
	uint8_t condition = m->condition;

	if (flow == CP_ARM_ASIDE && !s->aside) {
		s->aside = true;
		s->after_aside = *before;
		s->after_aside.pc += size;
	}
	if (flow != CP_ARM_NEXT && condition == CP_ARM_ALWAYS) {
		s->ways--;
		return;
	}
	before->pc += size;
	m->pc += size;
	if (condition == CP_ARM_ALWAYS)
		return;
	if (flow == CP_ARM_NEXT && condition != CP_ARM_SOME &&
	    m->v[CP_ARM_SP] != before->v[CP_ARM_SP]) {
		struct cp_arm after = *m;

		*m = *before;
		split(s, m, &after, condition);
	} else {
		merge(m, before);
	}
}

static void
jump(struct search *s, struct cp_arm *m, enum cp_arm_flow flow, uint32_t size)
{
	struct cp_arm there = *m;

	if (cp_visit(&s->visited, m->pc, SEEN)) {
		s->ways--;
		return;
	}
	there.pc = m->to;
	there.thumb = m->to_thumb;
	m->pc += size;
	if (flow == CP_ARM_FORK)
		split(s, m, &there, m->condition);
	else
		*m = there;
}

/* Follows one instruction.  True: this path leads to the caller. */
static bool
follow_instruction(struct search *s, struct cp_arm *m)
{
	struct cp_arm before = *m;
	uint32_t size;
	enum cp_arm_flow flow = step(s, m, &size);

	if (flow == CP_ARM_RETURN && plausible(s->w, m)) {
		if (!s->found)
			s->best = *m;
		s->found = true;
		if (cp_walk_called(s->w, m->to)) {
			s->best = *m;
			return true;
		}
	}
	if (flow == CP_ARM_JUMP || flow == CP_ARM_FORK)
		jump(s, m, flow, size);
	else
		next_instruction(s, m, &before, flow, size);
	return false;
}

static void
start(struct search *s, const struct cp_regs *regs, bool thumb)
{
	struct cp_unwind_walk *w = s->w;
	struct cp_arm *m = &s->way[0];

	memset(m, 0, sizeof(*m));
	m->read = cp_walk_read;
	m->ctx = w;
	for (unsigned r = 0; r < CP_ARM_PC; r++)
		if (cp_reg_known(regs, r))
			cp_arm_set(m, r, (uint32_t)regs->v[r]);
	if (!w->exact)
		(void)cp_arm_call(m);
	m->thumb = thumb;
	m->pc = (uint32_t)(w->exact ? w->pc : w->pc + 1);
	s->ways = 1;
	s->found = s->aside = false;
	memset(&s->visited, 0, sizeof(s->visited));
}

static bool
search(struct cp_unwind_walk *w, const struct cp_regs *regs, bool thumb,
    struct cp_regs *out)
{
	struct search s;

	s.w = w;
	start(&s, regs, thumb);
	for (unsigned n = 0; n < LENGTH && w->steps > 0; n++) {
		if (s.ways == 0 && (s.found || !s.aside))
			break;
		if (s.ways == 0) {
			s.aside = false;
			s.way[s.ways++] = s.after_aside;
		}
		w->steps--;
		if (follow_instruction(&s, &s.way[s.ways - 1]))
			break;
	}
	if (s.found) {
		out->known[0] = out->known[1] = 0;
		for (unsigned r = 0; r < CP_ARM_PC; r++)
			if (cp_arm_known(&s.best, r))
				cp_reg_set(out, r, s.best.v[r]);
		cp_reg_set(out, CP_ARM_PC, s.best.to);
	}
	return s.found;
}

/* In the innermost frame only the look of the code tells ARM from Thumb. */
bool
cp_walk_run(
    struct cp_unwind_walk *w, const struct cp_regs *regs, struct cp_regs *out)
{
	struct cp_regs other;
	bool thumb, found;

	if (w->arch->machine == EM_X86_64)
		return cp_walk_run_x86(w, regs, out);
	if (w->arch->machine != EM_ARM || w->in->swap)
		return false;
	if (!w->exact)
		return search(w, regs, w->thumb, out);
	thumb = looks_thumb(w);
	found = search(w, regs, thumb, out);
	if ((found && cp_walk_called(w, out->v[CP_ARM_PC])) ||
	    !search(w, regs, !thumb, &other) ||
	    (found && !cp_walk_called(w, other.v[CP_ARM_PC])))
		return found;
	*out = other;
	return true;
}
