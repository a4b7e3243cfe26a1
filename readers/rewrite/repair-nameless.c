/* SPDX-License-Identifier: MIT */
#include "readers/rewrite/repaired.h"

#include "readers/record-head.h"

bool
cp_repair_nameless(const struct cp_attr *a)
{
	return (a->sample_type & CP_SAMPLE_READ) != 0 &&
	       (a->read_format & (CP_FORMAT_ID | CP_FORMAT_GROUP)) == 0;
}

bool
cp_repair_put_nameless(struct cp_rewriter *w, const struct cp_event *ev)
{
	const struct cp_evsels *e = &w->src->rec->evsels;
	const struct cp_ev_sample *s = &ev->u.sample;
	uint32_t size = ev->size - ev->slack, at, end;

	if (ev->type != CP_RECORD_SAMPLE || s->read == NULL ||
	    !cp_repair_nameless(&e->all.data[ev->evsel]->attr))
		return false;
	at = (uint32_t)(s->read - ev->bytes);
	end = at + (uint32_t)s->read_size;
	cp_rewrite_head(w, ev, size - (end - at));
	cp_rewrite_put(w, ev->bytes + CP_HEAD_SIZE, at - CP_HEAD_SIZE);
	cp_rewrite_put(w, ev->bytes + end, size - end);
	return true;
}
