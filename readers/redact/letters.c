/* SPDX-License-Identifier: MIT */
/*
 * letters: a text where numbers should be.
 *
 * In a damaged capture a piece of a payload or of a feature may stand where a
 * record has its numbers, and would be kept with them.  Addresses of pages,
 * process ids and counts have zeros in between; only times can look like six
 * letters.
 */
#include "readers/redact/state.h"

#include "readers/record-head.h"

enum { SHORTEST = 6 };

/* 2^40 ns are 18 minutes. */
static bool
close_to(uint64_t time, uint64_t v)
{
	return time != 0 && (time ^ v) >> 40 == 0;
}

static bool
is_time(const struct cp_redaction *x, const uint8_t *p)
{
	uint64_t v = cp_load64(p, x->src->rec->swap);
	const struct cp_info *info = &x->src->rec->info;

	return close_to(x->time, v) || close_to(info->first_time, v) ||
	       close_to(info->last_time, v);
}

bool
cp_redact_letters(const struct cp_redaction *x, const uint8_t *p, size_t n)
{
	size_t run = 0;

	for (size_t i = 0; i < n; i++) {
		if (i % 8 == 0 && n - i >= 8 && is_time(x, p + i)) {
			i += 7;
			run = 0;
		} else if (p[i] < ' ' || p[i] > '~') {
			run = 0;
		} else if (++run >= SHORTEST) {
			return true;
		}
	}
	return false;
}
