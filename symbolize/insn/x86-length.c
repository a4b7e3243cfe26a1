/* SPDX-License-Identifier: MIT */
/*
 * x86length: the length of an x86-64 instruction.
 *
 * Tables give each opcode's operand kinds: prefixes, opcode maps, ModRM with
 * SIB and displacement, immediates, as in the manuals of Intel and AMD.
 * Meanings are not decoded.  64-bit mode only; invalid instructions have length
 * 0.
 */
#include "symbolize/insn/x86-length.h"

/*
 * What follows an opcode: . nothing, m ModRM, b a byte, w two, z four (two
 * with 0x66), l always four, v four or eight by REX.W (two with 0x66), a an
 * address, e three, r ModRM that means registers whatever it says, B ModRM and
 * a byte, Z ModRM and z, T the test group (an immediate if reg is 0 or 1), x
 * invalid, p handled before.
 */
static const char one_byte[] = "mmmmbzxxmmmmbzxp"
			       "mmmmbzxxmmmmbzxx" /* 00 */
			       "mmmmbzpxmmmmbzpx"
			       "mmmmbzpxmmmmbzpx" /* 20 */
			       "pppppppppppppppp"
			       "................" /* 40 */
			       "xxxmppppzZbB...."
			       "bbbbbbbbbbbbbbbb" /* 60 */
			       "BZxBmmmmmmmmmmmm"
			       "..........x....." /* 80 */
			       "aaaa....bz......"
			       "bbbbbbbbvvvvvvvv" /* a0 */
			       "BBw.ppBZe.w..bx."
			       "mmmmxxx.mmmmmmmm" /* c0 */
			       "bbbbbbbbllxb...."
			       "p.pp..TT......mm"; /* e0 */

static const char two_bytes[] = "mmmmx.....x.xm.B"
				"mmmmmmmmmmmmmmmm" /* 00 */
				"rrrrxxxxmmmmmmmm"
				"......x.pxpxxxxx" /* 20 */
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm" /* 40 */
				"mmmmmmmmmmmmmmmm"
				"BBBBmmm.mmxxmmmm" /* 60 */
				"llllllllllllllll"
				"mmmmmmmmmmmmmmmm" /* 80 */
				"...mBmxx...mBmmm"
				"mmmmmmmmmmBmmmmm" /* a0 */
				"mmBmBBBm........"
				"mmmmmmmmmmmmmmmm" /* c0 */
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"; /* e0 */

enum { LONGEST = 15 };

struct decoder {
	const uint8_t *p;
	size_t n, at;
	bool short_operand; /* 0x66 */
	bool short_address; /* 0x67 */
	bool wide;          /* REX.W */
	bool repne;         /* 0xf2 */
	bool failed;
};

static uint8_t
next(struct decoder *d)
{
	if (d->at >= d->n || d->at >= LONGEST) {
		d->failed = true;
		return 0;
	}
	return d->p[d->at++];
}

static void
skip(struct decoder *d, size_t n)
{
	d->at += n;
	if (d->at > d->n || d->at > LONGEST)
		d->failed = true;
}

/* Reads ModRM, SIB and displacement.  Returns the reg field. */
static unsigned
modrm(struct decoder *d)
{
	uint8_t m = next(d), mod = m >> 6, base = m & 7;

	if (mod == 3)
		return m >> 3 & 7;
	if (base == 4)
		base = next(d) & 7;
	else if (base == 5 && mod == 0) {
		skip(d, 4); /* RIP-relative */
		return m >> 3 & 7;
	}
	if (mod == 1)
		skip(d, 1);
	else if (mod == 2 || base == 5)
		skip(d, 4);
	return m >> 3 & 7;
}

/* Skips the operands.  False: invalid. */
static bool
operands(struct decoder *d, char kind, uint8_t opcode)
{
	unsigned z = d->short_operand && !d->wide ? 2 : 4;

	switch (kind) {
	case '.': break;
	case 'm': modrm(d); break;
	case 'b':
	case 'r': skip(d, 1); break;
	case 'w': skip(d, 2); break;
	case 'e': skip(d, 3); break;
	case 'l': skip(d, 4); break;
	case 'z': skip(d, z); break;
	case 'v': skip(d, d->wide ? 8 : z); break;
	case 'a': skip(d, d->short_address ? 4 : 8); break;
	case 'B':
		modrm(d);
		skip(d, 1);
		break;
	case 'Z':
		modrm(d);
		skip(d, z);
		break;
	case 'T':
		if (modrm(d) < 2)
			skip(d, opcode & 1 ? z : 1);
		break;
	default: return false;
	}
	return !d->failed;
}

static bool
legacy_map(struct decoder *d)
{
	uint8_t opcode = next(d);

	if (opcode == 0x38) {
		next(d);
		return operands(d, 'm', 0);
	}
	if (opcode == 0x3a) {
		next(d);
		return operands(d, 'B', 0);
	}
	/* SSE4a: extrq and insertq. */
	if (opcode == 0x78 && (d->short_operand || d->repne))
		skip(d, 2);
	return operands(d, two_bytes[opcode], opcode);
}

/* Opcodes after VEX and EVEX prefixes, by map. */
static bool
vector_map(struct decoder *d, unsigned map)
{
	uint8_t opcode = next(d);

	d->short_operand = false;
	switch (map) {
	case 1:
		if (opcode == 0x77)
			return !d->failed;
		return operands(
		    d, two_bytes[opcode] == 'B' ? 'B' : 'm', opcode);
	case 2:
	case 5: /* half-precision map */
	case 6: return operands(d, 'm', opcode);
	case 3: return operands(d, 'B', opcode);
	default: return false;
	}
}

/* AMD's XOP is 0x8f where pop has a reg field of 0. */
static bool
xop(struct decoder *d)
{
	unsigned map;

	if (d->at >= d->n)
		return false;
	map = d->p[d->at] & 0x1f;
	if (map < 8)
		return operands(d, 'm', 0x8f);
	skip(d, 3); /* two prefix bytes and the opcode */
	if (map == 8)
		return operands(d, 'B', 0);
	if (map == 9)
		return operands(d, 'm', 0);
	if (map != 10 || !operands(d, 'm', 0))
		return false;
	skip(d, 4);
	return !d->failed;
}

/* Reads the prefixes.  Returns the first other byte. */
static uint8_t
prefixes(struct decoder *d)
{
	uint8_t c;

	for (;;) {
		c = next(d);
		if (c == 0x66)
			d->short_operand = true;
		else if (c == 0x67)
			d->short_address = true;
		else if (c == 0xf2)
			d->repne = true;
		else if (c != 0x26 && c != 0x2e && c != 0x36 && c != 0x3e &&
			 c != 0x64 && c != 0x65 && c != 0xf0 && c != 0xf3)
			break;
	}
	if ((c & 0xf0) == 0x40) { /* REX must be the last prefix */
		d->wide = (c & 8) != 0;
		c = next(d);
	}
	return c;
}

static bool
decode(struct decoder *d)
{
	uint8_t opcode = prefixes(d), c;

	switch (opcode) {
	case 0x0f: return legacy_map(d);
	case 0xc5: next(d); return vector_map(d, 1);
	case 0xc4:
		c = next(d);
		next(d);
		return vector_map(d, c & 0x1f);
	case 0x62:
		c = next(d);
		skip(d, 2);
		return vector_map(d, c & 7);
	case 0x8f: return xop(d);
	default: return operands(d, one_byte[opcode], opcode);
	}
}

unsigned
cp_x86_length(const uint8_t *code, size_t n)
{
	struct decoder d = { .p = code, .n = n };

	return decode(&d) && !d.failed ? (unsigned)d.at : 0;
}
