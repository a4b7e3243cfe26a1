/* SPDX-License-Identifier: MIT */
/*
 * Finds the caller of x86-64 code without a table by following the code to its
 * return, along all branches in turn, as run-arm.c does.  Only registers, the
 * stack pointer and pushed words are followed.
 */
#include "symbolize/unwind/walk.h"

#include "symbolize/insn/x86-length.h"
#include "symbolize/unwind/memory.h"
#include "symbolize/unwind/visited.h"

enum { RBX = 3, RSP = 4, RBP = 5, REGS = 16, NO_REG = 16 };
/*
 * Limits: instructions, instructions after a first path was found, open paths,
 * visited branches, pushed words.
 */
enum { LENGTH = 3000, MORE = 1000, WAYS = 16, SEEN = 256, PUSHED = 24 };
/* bytes of the longest function; bytes of an instruction */
enum { LONGEST = 1 << 14, CODE = 15 };

enum flow { NEXT, JUMP, FORK, RETURN, ASIDE, DEAD };

struct way {
	uint64_t pc, to;
	uint64_t v[REGS];
	uint64_t at[PUSHED], word[PUSHED];
	uint32_t known, pushed_known;
	uint8_t pushed;
};

struct search {
	struct cp_unwind_walk *w;
	struct way way[WAYS], best, after_aside;
	unsigned ways, left;
	bool found, aside; /* see run-arm.c */
	struct cp_visited visited;
};

/* A decoded instruction. */
struct code {
	const uint8_t *p; /* at its opcode */
	unsigned size;    /* of the whole instruction */
	bool wide;
	uint8_t reg, rm; /* register numbers; rm is NO_REG for memory */
	/* base of a memory operand with only an offset; or NO_REG */
	uint8_t base;
	int32_t offset;
};

/* DWARF numbers by instruction encoding. */
static const uint8_t dwarf[REGS] = { 0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12,
	13, 14, 15 };

/* ------------------------------------------------------------ registers */

static bool
known(const struct way *m, unsigned r)
{
	return r < REGS && (m->known >> r & 1) != 0;
}

static void
set(struct way *m, unsigned r, bool is_known, uint64_t v)
{
	m->known &= ~(UINT32_C(1) << r);
	m->known |= (uint32_t)is_known << r;
	m->v[r] = v;
}

static bool
load_word(
    struct cp_unwind_walk *w, const struct way *m, uint64_t at, uint64_t *v)
{
	for (unsigned i = m->pushed; i > 0; i--)
		if (m->at[i - 1] == at) {
			*v = m->word[i - 1];
			return (m->pushed_known >> (i - 1) & 1) != 0;
		}
	return cp_walk_word(w, at, v);
}

static enum flow
store(struct way *m, uint64_t at, bool is_known, uint64_t v)
{
	if (m->pushed == PUSHED)
		return DEAD;
	m->at[m->pushed] = at;
	m->word[m->pushed] = v;
	m->pushed_known &= ~(UINT32_C(1) << m->pushed);
	m->pushed_known |= (uint32_t)is_known << m->pushed++;
	return NEXT;
}

static enum flow
push(struct way *m, unsigned r)
{
	m->v[RSP] -= 8;
	return known(m, RSP)
		   ? store(m, m->v[RSP], known(m, r), r < REGS ? m->v[r] : 0)
		   : NEXT;
}

static enum flow
pop(struct cp_unwind_walk *w, struct way *m, unsigned r)
{
	uint64_t v = 0;
	bool there = known(m, RSP) && load_word(w, m, m->v[RSP], &v);

	m->v[RSP] += 8;
	if (r < REGS)
		set(m, r, there, v);
	return NEXT;
}

/* ----------------------------------------------------------- instructions */

static int32_t
read_number(const uint8_t *p, unsigned n)
{
	uint32_t v = p[0];

	if (n == 1)
		return (int8_t)v;
	for (unsigned i = 1; i < 4; i++)
		v |= (uint32_t)p[i] << (8 * i);
	return (int32_t)v;
}

/* Reads ModRM and what follows it. */
static const uint8_t *
operands(struct code *c, const uint8_t *p, uint8_t rex)
{
	unsigned mod = *p >> 6, rm = *p & 7, base = rm;

	c->reg = (*p >> 3 & 7) | (rex << 1 & 8);
	c->rm = c->base = NO_REG;
	c->offset = 0;
	if (mod == 3) {
		c->rm = rm | (rex << 3 & 8);
		return p + 1;
	}
	if (rm == 4) {
		p++;
		base = (*p >> 3 & 7) == 4 && !(rex & 2) ? *p & 7 : NO_REG;
		rm = *p & 7;
	}
	p++;
	if (mod == 0 && rm == 5)
		return p + 4;
	if (base != NO_REG)
		c->base = base | (rex << 3 & 8);
	if (mod != 0)
		c->offset = read_number(p, mod == 1 ? 1 : 4);
	return p + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

/* add and sub of a number to the stack pointer. */
static enum flow
arithmetic(struct way *m, const struct code *c, int32_t by)
{
	if (c->rm != RSP || !known(m, RSP))
		return NEXT;
	switch (c->reg & 7) {
	case 0: m->v[RSP] += (uint64_t)(int64_t)by; break;
	case 4: m->v[RSP] &= (uint64_t)(int64_t)by; break;
	case 5: m->v[RSP] -= (uint64_t)(int64_t)by; break;
	case 7: break;
	default: set(m, RSP, false, 0); break;
	}
	return NEXT;
}

static uint64_t
address(const struct way *m, const struct code *c)
{
	return (c->base < REGS ? m->v[c->base] : 0) +
	       (uint64_t)(int64_t)c->offset;
}

static enum flow
move(struct cp_unwind_walk *w, struct way *m, const struct code *c,
    uint8_t opcode)
{
	unsigned to = opcode == 0x89 ? c->rm : c->reg;
	unsigned from = opcode == 0x89 ? c->reg : c->rm;
	bool frame = (c->base == RSP || c->base == RBP) && known(m, c->base);
	uint64_t v = 0;

	if (opcode == 0x8d) {
		set(m, c->reg, known(m, c->base), address(m, c));
	} else if (to < REGS && from < REGS) {
		set(m, to, c->wide && known(m, from), m->v[from]);
	} else if (opcode == 0x89) {
		return frame && c->base == RSP && c->wide
			   ? store(m, address(m, c), known(m, from), m->v[from])
			   : NEXT;
	} else {
		bool there =
		    frame && c->wide && load_word(w, m, address(m, c), &v);

		set(m, to, there, v);
	}
	return NEXT;
}

static enum flow
call(struct way *m)
{
	static const uint8_t lost[] = { 0, 1, 2, 6, 7, 8, 9, 10, 11 };

	for (size_t i = 0; i < sizeof(lost); i++)
		set(m, lost[i], false, 0);
	return NEXT;
}

/* Pops the return address.  A word pushed on the path cannot be it. */
static enum flow
pop_return(struct cp_unwind_walk *w, struct way *m)
{
	if (!known(m, RSP) || !load_word(w, m, m->v[RSP], &m->to))
		return DEAD;
	m->v[RSP] += 8;
	return RETURN;
}

/* An indirect jump through a slot is a tail call; others may be jump tables. */
static enum flow
indirect(struct cp_unwind_walk *w, struct way *m, const struct code *c)
{
	switch (c->reg & 7) {
	case 2:
	case 3: return call(m);
	case 4: return (c->p[1] & 0xc7) == 5 ? pop_return(w, m) : ASIDE;
	case 5: return ASIDE;
	case 6: return push(m, NO_REG);
	default: return NEXT;
	}
}

static enum flow
jump(struct way *m, const struct code *c, unsigned n, enum flow flow)
{
	const uint8_t *end = c->p + (c->p[0] == 0x0f ? 2 : 1);

	m->to = m->pc + c->size + (uint64_t)(int64_t)read_number(end, n);
	return flow;
}

static enum flow
two_bytes(struct way *m, const struct code *c)
{
	if (c->p[1] >> 4 == 8)
		return jump(m, c, 4, FORK);
	if (c->p[1] == 0x05)
		return call(m);
	return c->p[1] == 0x0b ? DEAD : NEXT;
}

static enum flow
execute(struct cp_unwind_walk *w, struct way *m, struct code *c, uint8_t rex)
{
	uint8_t op = c->p[0], low = (op & 7) | (rex << 3 & 8);
	const uint8_t *more;

	if (op >> 3 == 0x50 >> 3)
		return push(m, low);
	if (op >> 3 == 0x58 >> 3)
		return pop(w, m, low);
	if (op >> 4 == 7 || (op >= 0xe0 && op < 0xe4))
		return jump(m, c, 1, FORK);
	switch (op) {
	case 0x0f: return two_bytes(m, c);
	case 0x68:
	case 0x6a: return push(m, NO_REG);
	case 0x81:
	case 0x83:
		more = operands(c, c->p + 1, rex);
		return arithmetic(m, c, read_number(more, op == 0x83 ? 1 : 4));
	case 0x89:
	case 0x8b:
	case 0x8d: operands(c, c->p + 1, rex); return move(w, m, c, op);
	case 0xc2:
	case 0xc3: return pop_return(w, m);
	case 0xc9: set(m, RSP, known(m, RBP), m->v[RBP]); return pop(w, m, RBP);
	case 0xcc:
	case 0xf4: return DEAD;
	case 0xe8: return call(m);
	case 0xe9: return jump(m, c, 4, JUMP);
	case 0xeb: return jump(m, c, 1, JUMP);
	case 0xff: operands(c, c->p + 1, rex); return indirect(w, m, c);
	default: return NEXT;
	}
}

/* Decodes and follows the current instruction. */
static enum flow
step(struct cp_unwind_walk *w, struct way *m, unsigned *size)
{
	/* Zeros after a short read are never used. */
	uint8_t bytes[CODE + 8] = { 0 }, rex = 0;
	struct code c = { .p = bytes };
	size_t n = CODE;

	while (n > 0 && !cp_walk_code(w, m->pc, bytes, n))
		n--;
	c.size = *size = cp_x86_length(bytes, n);
	if (c.size == 0)
		return DEAD;
	while (*c.p == 0x66 || *c.p == 0xf2 || *c.p == 0xf3 || *c.p == 0x2e ||
	       *c.p == 0x3e || *c.p == 0x64 || *c.p == 0x65 || *c.p == 0xf0)
		c.p++;
	if (*c.p >> 4 == 4)
		rex = *c.p++;
	c.wide = rex & 8;
	return execute(w, m, &c, rex);
}

/* ------------------------------------------------------------- the search */

/*
 * True if the instruction before `ra` is a call into the function we are in (at
 * most LONGEST bytes before pc).
 */
static bool
leads_here(struct cp_unwind_walk *w, uint64_t ra)
{
	uint8_t c[5];

	return cp_walk_code(w, ra - 5, c, sizeof(c)) && c[0] == 0xe8 &&
	       w->pc - (ra + (uint64_t)(int64_t)read_number(c + 1, 4)) <
		   LONGEST;
}

/* A signal handler returns to the trampoline, which no code has called. */
static bool
ends_handler(struct cp_unwind_walk *w, uint64_t ra)
{
	/* mov $15, %rax; syscall */
	static const uint8_t code[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f,
		0x05 };
	uint8_t c[sizeof(code)];

	return cp_walk_code(w, ra, c, sizeof(c)) &&
	       memcmp(c, code, sizeof(code)) == 0;
}

/* Handles a return.  True: no better path is possible. */
static bool
accept_return(struct search *s, const struct way *m)
{
	struct cp_unwind_walk *w = s->w;
	bool sure = ends_handler(w, m->to);

	if (m->v[RSP] <= w->sp || (!sure && !cp_walk_returns_to(w, m->to)))
		return false;
	sure |= leads_here(w, m->to);
	if (!s->found || sure)
		s->best = *m;
	if (!s->found && s->left > MORE)
		s->left = MORE;
	s->found = true;
	return sure;
}

/* Follows one instruction.  True: this path leads to the caller. */
static bool
follow_instruction(struct search *s, struct way *m)
{
	unsigned size;
	enum flow flow = step(s->w, m, &size);

	if (flow == RETURN && accept_return(s, m))
		return true;
	if ((flow == JUMP || flow == FORK) &&
	    cp_visit(&s->visited, m->pc, SEEN))
		flow = DEAD;
	m->pc = flow == JUMP ? m->to : m->pc + size;
	if (flow == ASIDE && !s->aside) {
		s->aside = true;
		s->after_aside = *m;
	}
	if (flow == FORK && s->ways < WAYS) {
		s->way[s->ways] = *m;
		m->pc = m->to;
		s->ways++;
	} else if (flow >= RETURN) {
		s->ways--;
	}
	return false;
}

static void
start(struct search *s, struct cp_unwind_walk *w, const struct cp_regs *regs)
{
	struct way *m = &s->way[0];

	s->w = w;
	s->ways = 1;
	s->left = LENGTH;
	s->found = s->aside = false;
	memset(&s->visited, 0, sizeof(s->visited));
	memset(m, 0, sizeof(*m));
	for (unsigned r = 0; r < REGS; r++)
		set(m, r, cp_reg_known(regs, dwarf[r]), regs->v[dwarf[r]]);
	if (!w->exact)
		(void)call(m);
	m->pc = w->exact ? w->pc : w->pc + 1;
}

bool
cp_walk_run_x86(
    struct cp_unwind_walk *w, const struct cp_regs *regs, struct cp_regs *out)
{
	struct search s;

	start(&s, w, regs);
	for (; s.left > 0 && w->steps > 0; s.left--) {
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
	if (!s.found)
		return false;
	out->known[0] = out->known[1] = 0;
	for (unsigned r = 0; r < REGS; r++)
		if (known(&s.best, r))
			cp_reg_set(out, dwarf[r], s.best.v[r]);
	cp_reg_set(out, w->arch->pc, s.best.to);
	return true;
}
