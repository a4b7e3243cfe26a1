/* SPDX-License-Identifier: MIT */
#include "symbolize/kallsline.h"

const char *
cp_kline_address(const char *s, uint64_t *addr)
{
	/* Digit + 1. */
	static const uint8_t digit[256] = { ['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9,
		10, ['A'] = 11, 12, 13, 14, 15, 16, ['a'] = 11, 12, 13, 14, 15,
		16 };
	unsigned d;

	for (*addr = 0; (d = digit[(uint8_t)*s]) != 0; s++)
		*addr = *addr << 4 | (d - 1);
	return s;
}

#ifdef __x86_64__

enum { BLOCK = 64 };

static inline uint64_t
newlines_in_16(const char *s)
{
	__m128i x = _mm_loadu_si128((const __m128i *)s);

	return (uint64_t)_mm_movemask_epi8(
	    _mm_cmpeq_epi8(x, _mm_set1_epi8('\n')));
}

static inline uint64_t
newlines_in_block(const char *s)
{
	return newlines_in_16(s) | newlines_in_16(s + 16) << 16 |
	    newlines_in_16(s + 32) << 32 | newlines_in_16(s + 48) << 48;
}

static inline uint16_t
lowest(uint64_t m, size_t i)
{
	const uint64_t any = UINT64_C(1) << (BLOCK - 1);

	return (uint16_t)(i + (unsigned)__builtin_ctzll(m | any));
}

/*
 * There are two as a rule, or one, or none: they are written in any case, so
 * that no branch has to be guessed.
 */
static size_t
ends_in_blocks(const char *s, size_t n, uint16_t *at, size_t *done)
{
	size_t found = 0, i = 0;

	for (; n - i >= BLOCK; i += BLOCK) {
		uint64_t m = newlines_in_block(s + i);

		at[found] = lowest(m, i);
		found += m != 0;
		m &= m - 1;
		at[found] = lowest(m, i);
		found += m != 0;
		for (m &= m - 1; CP_UNLIKELY(m != 0); m &= m - 1)
			at[found++] = lowest(m, i);
	}
	*done = i;
	return found;
}

#else

static size_t
ends_in_blocks(const char *s, size_t n, uint16_t *at, size_t *done)
{
	(void)s, (void)n, (void)at;
	*done = 0;
	return 0;
}

#endif

size_t
cp_kline_ends(const char *s, size_t n, uint16_t at[CP_KLINE_CHUNK])
{
	size_t done, found = ends_in_blocks(s, n, at, &done);
	const char *p = s + done, *end = s + n;

	for (; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
		at[found++] = (uint16_t)(p - s);
	return found;
}
