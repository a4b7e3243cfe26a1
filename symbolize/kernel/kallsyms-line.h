/* SPDX-License-Identifier: MIT */
/*
 * symbolize/kernel/kallsyms-line.h: parses a line of kernel symbols in place.
 *
 * A text has 120,000 lines and more, and all are scanned.  SSE2 pays: with it
 * cp_kallsyms_init() scans 122,133 lines in 0.8 ms; with memchr and words of 8
 * bytes it takes 1.55 ms, and `hotspots` of a capture of 1 MB takes 17 ms in
 * all.
 */
#ifndef CP_SYMBOLIZE_KERNEL_KALLSYMS_LINE_H
#define CP_SYMBOLIZE_KERNEL_KALLSYMS_LINE_H

#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include "base/bytes.h"

struct cp_kline {
	uint64_t start;
	const char *kind; /* the type letter; NULL: no symbol */
	const char *end;  /* the newline at its end */
	bool kept;
};

/* Longest name that the fast path handles. */
enum { CP_KLINE_NAME = 48 };

/* Reads the hex digits at s, which another byte must end.  Returns the end. */
const char *cp_kline_address(const char *s, uint64_t *addr);

/* Types to show: text, weak, data; not "r", "a", "n" ... */
static inline bool
cp_kline_kept(char type)
{
	const uint32_t kept = 1u << ('T' & 31) | 1u << ('W' & 31) |
			      1u << ('D' & 31) | 1u << ('B' & 31);

	return (type & 0xc0) == 0x40 && (kept >> (type & 31) & 1) != 0;
}

#ifdef __x86_64__

/* Reads 16 hex digits at once.  False: capitals or other characters. */
static inline bool
cp_kline_digits(const char *s, uint64_t *v)
{
	__m128i x = _mm_loadu_si128((const __m128i *)s);
	__m128i d = _mm_sub_epi8(x, _mm_set1_epi8('0'));
	__m128i l = _mm_sub_epi8(x, _mm_set1_epi8('a'));
	__m128i digit = _mm_cmpeq_epi8(d, _mm_min_epu8(d, _mm_set1_epi8(9)));
	__m128i letter = _mm_cmpeq_epi8(l, _mm_min_epu8(l, _mm_set1_epi8(5)));

	d = _mm_sub_epi8(d, _mm_and_si128(letter, _mm_set1_epi8('a' - ':')));
	/* Joins pairs: the first digit is the upper half of the byte. */
	d = _mm_or_si128(_mm_slli_epi16(d, 4), _mm_srli_epi16(d, 8));
	d = _mm_and_si128(d, _mm_set1_epi16(0xff));
	d = _mm_packus_epi16(d, d);
	*v = __builtin_bswap64((uint64_t)_mm_cvtsi128_si64(d));
	return _mm_movemask_epi8(_mm_or_si128(digit, letter)) == 0xffff;
}

/* One bit per byte from s on: set if it can be in a name. */
static inline uint64_t
cp_kline_word(const char *s)
{
	const __m128i blank = _mm_set1_epi8(' ');
	uint64_t m = 0;

	/* Signed compare: bytes above 127 count as less than a blank. */
	for (unsigned i = 0; i < CP_KLINE_NAME; i += 16)
		m |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(
			 _mm_loadu_si128((const __m128i *)(s + i)), blank))
		     << i;
	return m;
}

#else

/* Reads 8 hex digits at once.  False: other characters. */
static inline bool
cp_kline_eight(const char *s, uint64_t *v)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	/* the first digit in the highest byte */
	uint64_t w = cp_load64(s, little);
	uint64_t letter = w >> 6 & ones;
	uint64_t x = (w & 0xf * ones) + 9 * letter;

	/* Checks by writing each digit back: 10 to 15 must be letters. */
	if (x + 0x30 * ones + 0x27 * letter != (w | letter << 5) ||
	    (x & 0xf0 * ones) != 0 || ((x + 6 * ones) >> 4 & ones) != letter)
		return false;
	x = (x | x >> 4) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x | x >> 8) & UINT64_C(0x0000ffff0000ffff);
	*v = (x | x >> 16) & UINT32_MAX;
	return true;
}

static inline bool
cp_kline_digits(const char *s, uint64_t *v)
{
	uint64_t high, low;

	if (!cp_kline_eight(s, &high) || !cp_kline_eight(s + 8, &low))
		return false;
	*v = high << 32 | low;
	return true;
}

static inline uint64_t
cp_kline_word(const char *s)
{
	uint64_t m = 0;

	for (unsigned i = 0; i < CP_KLINE_NAME; i++)
		m |= (uint64_t)((signed char)s[i] > ' ') << i;
	return m;
}

#endif

/*
 * Parses the usual form: 16 digits, a letter, a short name.  False: another
 * form, or too near the end of the text.
 */
static inline bool
cp_kline_usual(const char *s, const char *end, struct cp_kline *l)
{
	const char *name = s + 19;

	if (CP_UNLIKELY(end - name <= CP_KLINE_NAME) ||
	    CP_UNLIKELY(!cp_kline_digits(s, &l->start)) ||
	    CP_UNLIKELY(s[16] != ' ' || s[17] < '@' || s[18] != ' '))
		return false;
	l->kind = s + 17;
	l->end = name + (unsigned)__builtin_ctzll(~cp_kline_word(name));
	l->kept = cp_kline_kept(s[17]);
	return *l->end == '\n' && l->end != name;
}

/* Parses the line from s to its newline at end. */
static inline void
cp_kline_look(const char *s, const char *end, struct cp_kline *l)
{
	const char *p = s + 16;

	l->end = end;
	if (CP_UNLIKELY(
		end - s <= 16 || *p != ' ' || !cp_kline_digits(s, &l->start)))
		p = cp_kline_address(s, &l->start);
	l->kind = NULL;
	l->kept = false;
	if (CP_UNLIKELY(p == s || end - p < 3 || p[0] != ' ' || p[2] != ' '))
		return;
	l->kind = p + 1;
	l->kept = cp_kline_kept(p[1]) && p[3] != ' ' && p[3] != '\t' &&
		  p[3] != '\n' && p[3] != '\0';
}

#endif
