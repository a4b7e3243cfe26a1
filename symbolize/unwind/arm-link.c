/* SPDX-License-Identifier: MIT */
/*
 * Checks if the link register can be the caller of this function.
 *
 * After the function has called another one, the register holds an address in
 * itself: then the call before that address leads elsewhere.
 */
#include "symbolize/unwind/walk.h"

#include "symbolize/unwind/memory.h"
#include "symbolize/unwind/objects.h"

/* Bytes of code: of the longest functions, and of most. */
enum { LONGEST = 1 << 14, NEAR = 1 << 11 };

static int64_t
extend(uint32_t v, unsigned bits)
{
	return (int64_t)((uint64_t)v << (64 - bits)) >> (64 - bits);
}

/* Finds the target of the direct call (bl) before ra.  False: no such call. */
static bool
arm64_target(uint32_t v, uint64_t ra, uint64_t *to)
{
	*to = ra - 4 + (uint64_t)extend(v, 26) * 4;
	return v >> 26 == 0x25;
}

static bool
arm_target(uint32_t v, uint64_t ra, uint64_t *to)
{
	*to = ra + 4 + (uint64_t)extend(v, 24) * 4;
	return (v >> 24 & 0xf) == 0xb;
}

/* A bl or blx of two halves; blx changes to ARM code. */
static bool
thumb_target(uint32_t v, uint64_t ra, uint64_t *to)
{
	uint32_t a = v & 0xffff, b = v >> 16, sign = a >> 10 & 1;
	uint32_t i1 = (b >> 13 & 1) ^ sign ^ 1, i2 = (b >> 11 & 1) ^ sign ^ 1;
	uint32_t offset = sign << 24 | i1 << 23 | i2 << 22 | (a & 0x3ff) << 12 |
			  (b & 0x7ff) << 1;

	*to = ra + (uint64_t)extend(offset, 25);
	if (!(b >> 12 & 1))
		*to &= ~(uint64_t)3;
	return a >> 11 == 0x1e && b >> 14 == 3;
}

static bool
target(const struct cp_unwind_walk *w, uint32_t v, uint64_t ra, uint64_t *to)
{
	if (w->arch->machine == EM_AARCH64)
		return arm64_target(v, ra, to);
	return ra & 1 ? thumb_target(v, ra - 1, to) : arm_target(v, ra, to);
}

static uint64_t
distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Reads the direct call before ra and its target. */
static bool
direct_call(struct cp_unwind_walk *w, uint64_t ra, uint32_t *code, uint64_t *to)
{
	uint64_t at = (ra & ~(uint64_t)1) - 4;
	uint8_t c[4];

	if (!cp_walk_code(w, at, c, sizeof(c)))
		return false;
	*code = (uint32_t)c[3] << 24 | (uint32_t)c[2] << 16 |
		(uint32_t)c[1] << 8 | c[0];
	return target(w, *code, at + 4 + (ra & 1), to);
}

bool
cp_walk_call_mode(struct cp_unwind_walk *w, uint64_t ra, bool *thumb)
{
	uint32_t code;
	uint64_t to;

	if (!direct_call(w, ra, &code, &to))
		return false;
	*thumb = (ra & 1) && (code >> 28 & 1);
	return w->pc - to < LONGEST;
}

bool
cp_walk_calls_code(struct cp_unwind_walk *w, uint64_t ra)
{
	uint32_t code;
	uint64_t to;

	return !direct_call(w, ra, &code, &to) || cp_walk_map(w, to) != NULL;
}

/*
 * arm64: true in a PLT stub, on the way to another function.  A stub makes no
 * calls.  It may have been reached by a tail call, so the call before the link
 * register need not lead to it.
 */
static bool
in_stub(struct cp_unwind_walk *w)
{
	enum { INSTRUCTIONS = 5 };
	static const struct {
		uint32_t mask, value;
	} parts[] = {
		{ 0x9f00001f, 0x90000010 }, /* adrp x16 */
		{ 0xffc003ff, 0xf9400211 }, /* ldr x17, [x16] */
		{ 0xffc003ff, 0x91000210 }, /* add x16, x16 */
		{ 0xfffff01f, 0xd503201f }, /* nop, bti, autia1716 */
	};
	uint64_t pc = w->pc;
	uint8_t c[4];
	size_t part;

	for (int i = 0; i < INSTRUCTIONS && cp_walk_code(w, pc, c, 4); i++) {
		uint32_t v = (uint32_t)c[3] << 24 | (uint32_t)c[2] << 16 |
			     (uint32_t)c[1] << 8 | c[0];

		for (part = 0; part < CP_ARRAY_LEN(parts); part++)
			if ((v & parts[part].mask) == parts[part].value)
				break;
		if (part == CP_ARRAY_LEN(parts))
			return (v & ~UINT32_C(0x20)) == 0xd61f0200; /* br */
		pc += 4;
	}
	return false;
}

/*
 * arm64: true if a frame is set up between `from` and pc.  Then this function
 * has a frame and has made calls since, or it is another function than the one
 * at `from`.
 */
static bool
sets_up_frame(struct cp_unwind_walk *w, uint64_t from)
{
	enum { CHUNK = 16 };
	uint8_t c[4 * CHUNK];

	for (uint64_t pc = from; pc < w->pc; pc += 4 * CHUNK) {
		size_t n =
		    (size_t)CP_MIN((w->pc - pc + 3) / 4, (uint64_t)CHUNK);

		if (!cp_walk_code(w, pc, c, 4 * n))
			return false;
		for (size_t i = 0; i < n; i++) /* add x29, sp */
			if (c[4 * i] == 0xfd && c[4 * i + 3] == 0x91 &&
			    (c[4 * i + 1] & 3) == 3 &&
			    (c[4 * i + 2] & 0xc0) == 0)
				return true;
	}
	return false;
}

/*
 * True unless the call before ra leads elsewhere.  Unchecked, so true: other
 * machines, and calls from other objects, which go through stubs.  A call
 * through a register is true unless it is so near that it is likely of this
 * function.
 */
bool
cp_walk_called(struct cp_unwind_walk *w, uint64_t ra)
{
	uint64_t at = (ra & w->pac & ~(uint64_t)1) - 4, to;
	const struct cp_map *m = cp_walk_map(w, w->pc);
	uint8_t c[4];

	if (w->arch->machine == EM_AARCH64 && w->exact && in_stub(w))
		return true;
	if ((w->arch->machine != EM_ARM && w->arch->machine != EM_AARCH64) ||
	    m == NULL || m != cp_walk_map(w, at) ||
	    !cp_walk_code(w, at, c, sizeof(c)))
		return true;
	if (target(w,
		(uint32_t)c[3] << 24 | (uint32_t)c[2] << 16 |
		    (uint32_t)c[1] << 8 | c[0],
		at + 4 + (ra & 1), &to))
		return w->pc - to < LONGEST &&
		       (w->arch->machine != EM_AARCH64 || !w->exact ||
			   !sets_up_frame(w, to));
	return distance(w->pc, at) >= NEAR;
}
