/* SPDX-License-Identifier: MIT */
/*
 * tests/tap.h: the Test Anything Protocol for tests written in C.
 *
 * ok(), is_u64() and is_str() print one point each and return whether it
 * held; what was got and wanted follows as a comment when it did not.  main()
 * ends with `return done_testing();`, which prints the plan: a test that
 * stops half-way has none and therefore fails.  Needs libc only and knows
 * nothing of what is tested.
 */
#ifndef CP_TESTS_TAP_H
#define CP_TESTS_TAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define TAP_PRINTF(f, a) __attribute__((format(printf, f, a), unused))
#define TAP_UNUSED __attribute__((unused))
#else
#define TAP_PRINTF(f, a)
#define TAP_UNUSED
#endif

static unsigned tap_points, tap_failures;

static bool TAP_PRINTF(2, 0) tap_point(bool held, const char *fmt, va_list ap)
{
	const char *only = getenv("CASE"); /* points whose text has it */
	char text[2048];

	vsnprintf(text, sizeof(text), fmt, ap);
	if (only != NULL && strstr(text, only) == NULL)
		return held;
	printf("%sok %u - %s\n", held ? "" : "not ", ++tap_points, text);
	fflush(stdout);
	if (!held)
		tap_failures++;
	return held;
}

static bool TAP_PRINTF(2, 3) ok(bool held, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tap_point(held, fmt, ap);
	va_end(ap);
	return held;
}

static bool TAP_PRINTF(3, 4)
    is_u64(uint64_t got, uint64_t want, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tap_point(got == want, fmt, ap);
	va_end(ap);
	if (got != want)
		printf("# got %" PRIu64 " (0x%" PRIx64 "), want %" PRIu64
		       " (0x%" PRIx64 ")\n",
		    got, got, want, want);
	return got == want;
}

static void TAP_UNUSED
tap_quote(const char *label, const char *s)
{
	printf("# %s ", label);
	if (s == NULL) {
		puts("NULL");
		return;
	}
	putchar('"');
	for (; *s != '\0'; s++)
		if (*s == '\n')
			fputs("\\n", stdout);
		else
			putchar(*s);
	puts("\"");
}

/* NULL equals NULL only. */
static bool TAP_PRINTF(3, 4)
    is_str(const char *got, const char *want, const char *fmt, ...)
{
	bool same =
	    got != NULL && want != NULL ? strcmp(got, want) == 0 : got == want;
	va_list ap;

	va_start(ap, fmt);
	tap_point(same, fmt, ap);
	va_end(ap);
	if (!same) {
		tap_quote("got ", got);
		tap_quote("want", want);
	}
	return same;
}

/* One point that could not be tried here, and why. */
static void TAP_PRINTF(1, 2) skip(const char *fmt, ...)
{
	va_list ap;

	printf("ok %u # SKIP ", ++tap_points);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

static void TAP_PRINTF(1, 2) diag(const char *fmt, ...)
{
	va_list ap;

	fputs("# ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

static int TAP_UNUSED
done_testing(void)
{
	printf("1..%u\n", tap_points);
	return tap_failures == 0 && tap_points != 0 ? 0 : 1;
}

#endif
