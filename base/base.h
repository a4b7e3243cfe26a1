/* SPDX-License-Identifier: MIT */
/*
 * base/base.h: definitions for every file of coldperf.
 *
 * base/ has memory, strings, tables, limits, diagnostics and files; it knows
 * nothing of perf and uses no other room.  Begin with mem.h and vec.h.
 */
#ifndef CP_BASE_BASE_H
#define CP_BASE_BASE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <coldperf/model.h>

#define CP_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define CP_MIN(a, b) ((a) < (b) ? (a) : (b))
#define CP_MAX(a, b) ((a) > (b) ? (a) : (b))
#define CP_LIKELY(x) __builtin_expect(!!(x), 1)
#define CP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define CP_CLEANUP(f) __attribute__((cleanup(f)))
#define CP_NORETURN __attribute__((noreturn))

/* Returns a + b, or the largest number. */
static inline uint64_t
cp_sum(uint64_t a, uint64_t b)
{
	return a + CP_MIN(b, UINT64_MAX - a);
}

static inline uint64_t
cp_align8(uint64_t n)
{
	return (n + 7) & ~UINT64_C(7);
}

/* "s" where n is not one: "%zu byte%s". */
static inline const char *
cp_s(uint64_t n)
{
	return n == 1 ? "" : "s";
}

#include "base/banned.h"

#endif
