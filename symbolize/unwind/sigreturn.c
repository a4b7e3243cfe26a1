/* SPDX-License-Identifier: MIT */
/*
 * Signal trampolines without an unwind table: musl's, Go's.  They are
 * recognized by their code; the kernel stored the interrupted registers at a
 * fixed place on the stack.
 */
#include "symbolize/unwind/walk.h"

#include "symbolize/unwind/memory.h"

enum { CODE = 9 };

struct trampoline {
	uint16_t machine;
	/* bytes of code; where its instructions begin */
	uint8_t size, parts[3];
	uint8_t code[CODE];
	uint16_t at; /* offset of the first register from the stack pointer */
	uint8_t n;
	uint8_t reg[33]; /* DWARF numbers in the order of saving */
};

static const struct trampoline known[] = {
	/* mov $15, %rax; syscall */
	{ EM_X86_64, 9, { 0, 7, 9 },
	    { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 }, 40, 17,
	    { 8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16 } },
	/* mov x8, #139; svc #0 */
	{ EM_AARCH64, 8, { 0, 4, 8 },
	    { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 }, 312, 33,
	    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
		19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 } },
};

static bool
is_at(struct cp_unwind_walk *w, const struct trampoline *t, uint64_t pc)
{
	uint8_t c[CODE];

	return cp_walk_code(w, pc, c, t->size) &&
	       memcmp(c, t->code, t->size) == 0;
}

/* A handler returns to the first instruction, but pc may be at a later one. */
static const struct trampoline *
find(struct cp_unwind_walk *w)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(known); i++) {
		const struct trampoline *t = &known[i];

		if (w->arch->machine != t->machine)
			continue;
		if (!w->exact)
			return is_at(w, t, w->pc + 1) ? t : NULL;
		for (size_t k = 0; k < CP_ARRAY_LEN(t->parts); k++)
			if (is_at(w, t, w->pc - t->parts[k]))
				return t;
	}
	return NULL;
}

bool
cp_walk_sigreturn(struct cp_unwind_walk *w, struct cp_regs *out)
{
	const struct trampoline *t = find(w);

	if (t == NULL)
		return false;
	w->missing = 0;
	out->known[0] = out->known[1] = 0;
	for (size_t i = 0; i < t->n; i++) {
		uint64_t at = w->sp + t->at + 8 * i, v;

		if (!cp_walk_word(w, at, &v)) {
			w->missing = at;
			return true;
		}
		cp_reg_set(out, t->reg[i], v);
	}
	return true;
}
