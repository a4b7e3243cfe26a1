/* SPDX-License-Identifier: MIT */
/*
 * readers/header/copies.c: the second copy of the event descriptions.
 *
 * perf writes each attr with its ids before the data, and once more, with the
 * name that the user typed, in the feature EVENT_DESC.
 */
#include "readers/header/copies.h"

#include "readers/header/attr-decode.h"
#include "readers/rules.h"

void
cp_copy_make(
    const struct cp_info *info, struct cp_evsels *out, struct cp_diags *diags)
{
	for (size_t i = 0; i < info->events.len; i++) {
		const struct cp_event_desc *d = &info->events.data[i];
		struct cp_bytes b = cp_bytes_of(d->attr, d->attr_size, d->swap);
		struct cp_evsel_info *ev;
		struct cp_attr attr;

		if (cp_attr_read(&b, &attr, diags) != CP_OK ||
		    !cp_attr_clear_noise(&attr, diags))
			continue;
		ev = cp_evsels_add(out, &attr, diags);
		for (uint32_t k = 0; k < d->n_ids; k++)
			cp_evsels_id(out, ev, d->ids[k]);
	}
}

/* Are they the same event, and have their records the same fields? */
static bool
same_event(const struct cp_attr *a, const struct cp_attr *b)
{
	return a->type == b->type && a->config == b->config &&
	       a->sample_type == b->sample_type &&
	       a->read_format == b->read_format &&
	       a->branch_sample_type == b->branch_sample_type &&
	       a->regs_user == b->regs_user && a->regs_intr == b->regs_intr &&
	       cp_attr_flag(a, CP_ATTR_SAMPLE_ID_ALL) ==
		   cp_attr_flag(b, CP_ATTR_SAMPLE_ID_ALL);
}

bool
cp_copy_alike(const struct cp_evsels *a, const struct cp_evsels *b)
{
	if (a->all.len != b->all.len)
		return false;
	for (size_t i = 0; i < a->all.len; i++)
		if (!same_event(&a->all.data[i]->attr, &b->all.data[i]->attr))
			return false;
	return true;
}

bool
cp_copy_same_ids(const struct cp_evsels *e, const struct cp_evsels *copy)
{
	const struct cp_map64 *a = &e->by_id, *b = &copy->by_id;

	if (a->len != b->len)
		return false;
	for (uint64_t i = 0; a->len != 0 && i <= a->mask; i++)
		if (a->slots[i].value != 0 &&
		    cp_map64_get(b, a->slots[i].key) != a->slots[i].value)
			return false;
	return true;
}

static bool
describes(const struct cp_event_desc *d, const struct cp_evsel_info *ev)
{
	return cp_load32(d->attr, d->swap) == ev->attr.type &&
	       cp_load64(d->attr + 8, d->swap) == ev->attr.config;
}

/*
 * Is d for that event?  If one of either copy was left out, d is for another;
 * then it must describe the event.
 */
static bool
belongs(const struct cp_recording *rec, const struct cp_evsels *copy,
    const struct cp_event_desc *d, const struct cp_evsel_info *ev)
{
	size_t n = rec->info.events.len;

	return (rec->evsels.all.len == n && copy->all.len == n) ||
	       describes(d, ev);
}

/*
 * Does the event lack an id that the copy gives to it?  Another event keeps the
 * id, unless the ids are doubtful.
 */
static bool
lacks_id(const struct cp_evsels *e, const struct cp_evsel_info *ev,
    const struct cp_evsels *copy, uint64_t id)
{
	const struct cp_evsel_info *has = cp_evsels_find(e, id), *right;

	if (id == 0 || has == ev || (has != NULL && !e->doubtful))
		return false;
	right = cp_evsels_find(copy, id);
	return has == NULL || (copy->all.len == e->all.len && right != NULL &&
				  right->pub.index == ev->pub.index);
}

/* Adds the ids that the event lacks; returns how many. */
static uint32_t
add_lacking(struct cp_evsels *e, struct cp_evsel_info *ev,
    const struct cp_evsels *copy, const struct cp_event_desc *d)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->n_ids; i++)
		if (lacks_id(e, ev, copy, d->ids[i])) {
			cp_evsels_id(e, ev, d->ids[i]);
			n++;
		}
	return n;
}

uint32_t
cp_copy_ids(struct cp_recording *rec, const struct cp_evsels *copy,
    struct cp_diags *diags, uint64_t offset)
{
	struct cp_evsels *e = &rec->evsels;
	uint32_t sum = 0;

	for (size_t i = 0; i < e->all.len && i < rec->info.events.len; i++) {
		const struct cp_event_desc *d = &rec->info.events.data[i];
		uint32_t n = 0;

		if (belongs(rec, copy, d, e->all.data[i]))
			n = add_lacking(e, e->all.data[i], copy, d);
		if (n != 0)
			cp_found(diags, CP_R_ATTR_COPIES, offset,
			    "event %zu has %" PRIu32
			    " more id%s in its second description",
			    i, n, cp_s(n));
		sum += n;
	}
	return sum;
}

void
cp_copy_unname(struct cp_recording *rec)
{
	struct cp_evsels *e = &rec->evsels;

	for (size_t i = 0; i < e->all.len && i < rec->info.events.len; i++) {
		struct cp_event_desc *d = &rec->info.events.data[i];
		struct cp_evsel_info *ev = e->all.data[i];
		char name[160];

		if (describes(d, ev))
			continue;
		d->name = NULL;
		cp_attr_name(&ev->attr, name, sizeof(name));
		cp_evsels_rename(e, ev, name);
		ev->tp = NULL; /* it is looked up again, and names the event */
	}
	memset(&rec->linked, 0, sizeof(rec->linked));
}
