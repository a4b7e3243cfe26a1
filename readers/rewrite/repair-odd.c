/* SPDX-License-Identifier: MIT */
#include "readers/rewrite/repaired.h"

#include "readers/record-head.h"

bool
cp_repair_odd(const struct cp_event *ev)
{
	return ev->type == CP_RECORD_SAMPLE && ev->size % 4 != 0 &&
	       ev->slack == 0 && ev->u.sample.raw != NULL &&
	       ev->u.sample.read == NULL; /* values may be left out */
}

/* The kernel's raw data have zeros at their end, too. */
void
cp_repair_put_odd(struct cp_rewriter *w, const struct cp_event *ev)
{
	static const uint8_t zeros[8];
	const struct cp_ev_sample *s = &ev->u.sample;
	size_t at = (size_t)(s->raw - ev->bytes), end = at + s->raw_size;
	uint32_t pad = -ev->size & 7;

	cp_rewrite_head(w, ev, ev->size + pad);
	cp_rewrite_put(w, ev->bytes + CP_HEAD_SIZE, at - 4 - CP_HEAD_SIZE);
	cp_rewrite_put32(w, s->raw_size + pad);
	cp_rewrite_put(w, s->raw, s->raw_size);
	cp_rewrite_put(w, zeros, pad);
	cp_rewrite_put(w, ev->bytes + end, ev->size - end);
}
