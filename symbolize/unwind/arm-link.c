/* SPDX-License-Identifier: MIT */
/*
 * Whether the link register still says who called this function: it does not
 * where the function has called others since, and then the call before that
 * address has led elsewhere.
 */
#include "symbolize/unwind/arm-link.h"

#include "symbolize/unwind/memory.h"
#include "symbolize/unwind/objects.h"

/* Bytes of a function: of one of the longest, of most. */
enum { LONGEST = 1 << 14, NEAR = 1 << 11 };

static int64_t
extend(uint32_t v, unsigned bits)
{
	return (int64_t)((uint64_t)v << (64 - bits)) >> (64 - bits);
}

/* The bytes before ra: a call that names where it leads? */
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

/* In two halves, the first one lower; blx changes to ARM code. */
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

/* The call before ra, if it says where it leads. */
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
 * arm64: is it about to go from a stub to a function elsewhere?  A stub calls
 * nobody, and who has jumped to it, as its last act, is not behind the call.
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
 * arm64: does a function between an address and pc set up a frame?  Then that
 * of pc has one, and has called somebody since; or it is another than the one
 * that begins there.
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
 * Other machines and other objects, which are called through stubs, are
 * believed; a call through a register, unless it is so near that it is more
 * likely one of this function.
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
