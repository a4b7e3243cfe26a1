/* SPDX-License-Identifier: MIT */
/*
 * Finds a caller if neither table nor frame pointer leads on: the first word up
 * the stack that is an address after a call.
 *
 * Earlier calls leave such words too.  So this is done only with --stack-scan,
 * and the frames are marked.
 */
#include "symbolize/unwind/walk.h"

#include "symbolize/unwind/memory.h"
#include "symbolize/unwind/objects.h"

enum { BEFORE = 7 }; /* bytes of the longest call that is recognized */

/* call rel32; call *register or *memory, with 2 to 7 bytes. */
static bool
x86_call(const uint8_t c[BEFORE])
{
	if (c[BEFORE - 5] == 0xe8)
		return true;
	for (unsigned i = 0; i + 2 <= BEFORE; i++) {
		unsigned n = BEFORE - i, mod = c[i + 1] >> 6, rm = c[i + 1] & 7;
		unsigned want = 2 + (mod != 3 && rm == 4);

		if (c[i] != 0xff || (c[i + 1] >> 3 & 7) != 2)
			continue;
		if (mod == 1)
			want += 1;
		else if (mod == 2 || (mod == 0 && rm == 5))
			want += 4;
		if (want == n)
			return true;
	}
	return false;
}

/* bl; blr with or without pointer authentication. */
static bool
arm64_call(const uint8_t c[4])
{
	uint32_t v = (uint32_t)c[3] << 24 | (uint32_t)c[2] << 16 |
		     (uint32_t)c[1] << 8 | c[0];

	return (v & 0xfc000000) == 0x94000000 || (v & 0xfefff000) == 0xd63f0000;
}

/* True if pc is in an executable mapping. */
static bool
may_run(const struct cp_unwind_walk *w, const struct cp_map *m, uint64_t pc)
{
	const struct cp_dso_info *d = cp_dsos_at(w->u->dsos, m->dso);

	if (d->pub.kind == CP_DSO_ANON)
		return d->pub.runs;
	return pc + m->delta - d->map_offset < d->map_size;
}

bool
cp_walk_returns_to(struct cp_unwind_walk *w, uint64_t pc)
{
	const struct cp_map *m = pc > BEFORE ? cp_walk_map(w, pc - 1) : NULL;
	const struct cp_unwind_object *o;
	uint8_t c[BEFORE];

	if (m == NULL || !may_run(w, m, pc - 1))
		return false;
	o = cp_walk_object(w, m->dso);
	if (o->runtime == NULL || o->blind)
		return true;
	switch (w->arch->machine) {
	case EM_X86_64:
	case EM_386:
		return cp_walk_code(w, pc - BEFORE, c, BEFORE) && x86_call(c);
	case EM_AARCH64:
		return pc % 4 == 0 && cp_walk_code(w, pc - 4, c, 4) &&
		       arm64_call(c);
	default: return true;
	}
}

bool
cp_walk_scan(struct cp_unwind_walk *w)
{
	unsigned word = w->arch->word;
	uint64_t at = (w->sp + word - 1) / word * word, pc;

	for (; w->steps != 0 && cp_walk_word(w, at, &pc); at += word) {
		w->steps--;
		pc &= w->pac;
		if (!cp_walk_returns_to(w, pc))
			continue;
		w->pc = pc;
		w->sp = at + word;
		return true;
	}
	return false;
}
