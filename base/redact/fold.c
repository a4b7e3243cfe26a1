/* SPDX-License-Identifier: MIT */
/*
 * fold: a table has the ranges of upper-case letters.  A letter whose other
 * case has another size in UTF-8 is not in it, so that equal texts have equal
 * sizes.
 */
#include "base/redact/words.h"

/* The lower case follows the range at a distance, or each letter: pairs. */
enum { PAIRS = 0 };

static const struct range {
	uint16_t first, last;
	int16_t lower; /* distance, or PAIRS */
} ranges[] = {
	{ 'A', 'Z', 32 },
	/* Latin-1, Latin Extended-A */
	{ 0x00c0, 0x00d6, 32 },
	{ 0x00d8, 0x00de, 32 },
	{ 0x0100, 0x012e, PAIRS },
	{ 0x0132, 0x0136, PAIRS },
	{ 0x0139, 0x0147, PAIRS },
	{ 0x014a, 0x0176, PAIRS },
	{ 0x0178, 0x0178, -121 },
	{ 0x0179, 0x017d, PAIRS },
	/* Latin Extended-B: Azerbaijani, Vietnamese, Pinyin, Romanian */
	{ 0x018f, 0x018f, 202 },
	{ 0x01a0, 0x01a4, PAIRS },
	{ 0x01af, 0x01af, PAIRS },
	{ 0x01cd, 0x01db, PAIRS },
	{ 0x01de, 0x01ee, PAIRS },
	{ 0x01f8, 0x021e, PAIRS },
	{ 0x0222, 0x0232, PAIRS },
	/* Greek */
	{ 0x0386, 0x0386, 38 },
	{ 0x0388, 0x038a, 37 },
	{ 0x038c, 0x038c, 64 },
	{ 0x038e, 0x038f, 63 },
	{ 0x0391, 0x03a1, 32 },
	{ 0x03a3, 0x03ab, 32 },
	{ 0x03c2, 0x03c2, 1 }, /* sigma at a word's end */
	/* Cyrillic */
	{ 0x0400, 0x040f, 80 },
	{ 0x0410, 0x042f, 32 },
	{ 0x0460, 0x0480, PAIRS },
	{ 0x048a, 0x04be, PAIRS },
	{ 0x04c0, 0x04c0, 15 }, /* palochka */
	{ 0x04c1, 0x04cd, PAIRS },
	{ 0x04d0, 0x052e, PAIRS },
	/* Armenian */
	{ 0x0531, 0x0556, 48 },
	/* Latin Extended Additional: Vietnamese and others */
	{ 0x1e00, 0x1e94, PAIRS },
	{ 0x1ea0, 0x1efe, PAIRS },
};

static uint32_t
lower(uint32_t c)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(ranges) && c >= ranges[i].first;
	     i++) {
		const struct range *r = &ranges[i];

		if (c > r->last)
			continue;
		if (r->lower != PAIRS)
			return (uint32_t)((int32_t)c + r->lower);
		return (c - r->first) % 2 == 0 ? c + 1 : c;
	}
	return c;
}

/*
 * Reads one character of up to 3 bytes; any other byte is a character of its
 * own.  Returns its size.
 */
static size_t
character(const uint8_t *p, size_t n, uint32_t *c)
{
	*c = p[0];
	if (n >= 2 && (p[0] & 0xe0) == 0xc0 && (p[1] & 0xc0) == 0x80) {
		*c = (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
		return 2;
	}
	if (n >= 3 && (p[0] & 0xf0) == 0xe0 && (p[1] & 0xc0) == 0x80 &&
	    (p[2] & 0xc0) == 0x80) {
		*c = (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
		return 3;
	}
	return 1;
}

bool
cp_same_letters(const char *a, const char *b, size_t n)
{
	const uint8_t *p = (const uint8_t *)a, *q = (const uint8_t *)b;

	for (size_t i = 0, k; i < n; i += k) {
		uint32_t one, other;

		if (p[i] == q[i] && p[i] < 0x80) {
			k = 1;
			continue;
		}
		k = character(p + i, n - i, &one);
		if (character(q + i, n - i, &other) != k ||
		    lower(one) != lower(other))
			return false;
	}
	return true;
}
