/* SPDX-License-Identifier: MIT */
/* feature-read: reads counts, texts and lists in the payload of a feature. */
#include "readers/header/feature-read.h"

#include <inttypes.h>

void
cp_fx_bad(struct cp_fx *x, const char *reason)
{
	if (x->bad == NULL)
		x->bad = reason;
}

const char *
cp_fx_text(struct cp_fx *x)
{
	uint32_t len = cp_bytes_u32(&x->b);
	const uint8_t *p = cp_bytes_take(&x->b, len);

	return p != NULL ? cp_info_text(x->info, (const char *)p, len) : "";
}

uint32_t
cp_fx_fit(struct cp_fx *x, uint64_t n, size_t min, uint32_t max)
{
	size_t room = cp_bytes_left(&x->b) / min;

	if (n > room) {
		cp_fx_bad(x, "a count is larger than the payload");
		n = room;
	}
	if (n > max) {
		cp_diag(x->diags, CP_D_LIMIT,
		    "%s: %" PRIu64 " entries, at "
		    "most %" PRIu32 " are read",
		    x->name, n, max);
		n = max;
	}
	return (uint32_t)n;
}

uint32_t
cp_fx_count(struct cp_fx *x, size_t min, uint32_t max)
{
	return cp_fx_fit(x, cp_bytes_u32(&x->b), min, max);
}

struct cp_strlist
cp_fx_list(struct cp_fx *x, uint32_t max)
{
	struct cp_strlist l = { 0 };
	uint32_t n = cp_fx_count(x, 4, max);

	l.item = cp_arena_alloc(&x->info->arena, n * sizeof(*l.item));
	for (uint32_t i = 0; i < n; i++) {
		const char *s = cp_fx_text(x);

		if (x->b.failed)
			break;
		l.item[l.n++] = s;
	}
	return l;
}
