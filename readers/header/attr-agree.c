/* SPDX-License-Identifier: MIT */
/*
 * attr-agree: an event whose ids are at another place than those of all others
 * has a damaged attr.
 *
 * An id is read before its event is known, so perf writes all events with ids
 * at one place, and refuses other files.  If most of three or more events
 * agree, the damaged one gets the layout of the most similar one.  With two
 * events, an attr that is noise gets the layout of the sound one.
 */
#include "readers/header/attr-agree.h"

#include "readers/rules.h"

enum { COMPARED = 64 }; /* most events that are compared: the first ones */

/* Returns the place of ids as bits; two events agree if these are equal. */
static uint32_t
id_place(const struct cp_attr *a)
{
	const uint64_t before = CP_SAMPLE_IP | CP_SAMPLE_TID | CP_SAMPLE_TIME |
				CP_SAMPLE_ADDR,
		       after = CP_SAMPLE_CPU | CP_SAMPLE_STREAM_ID;

	if (a->sample_type & CP_SAMPLE_IDENTIFIER)
		return 1;
	if ((a->sample_type & CP_SAMPLE_ID) == 0)
		return 0;
	return 16 +
	       8 * (uint32_t)__builtin_popcountll(a->sample_type & before) +
	       (uint32_t)__builtin_popcountll(a->sample_type & after);
}

/* Finds the place that more than half of the events have. */
static bool
most_common(const cp_attrs *v, uint32_t *place)
{
	size_t votes = 0, n = 0;

	for (size_t i = 0; i < v->len; i++) {
		uint32_t p = id_place(&v->data[i].attr);

		if (votes == 0)
			*place = p;
		if (p == *place)
			votes++;
		else
			votes--;
	}
	for (size_t i = 0; i < v->len; i++)
		n += id_place(&v->data[i].attr) == *place;
	return n > v->len / 2;
}

/*
 * Returns the attr with that place whose sample_type differs in the fewest
 * bits.
 */
static const struct cp_attr *
most_similar(const cp_attrs *v, uint32_t place, const struct cp_attr *to)
{
	const struct cp_attr *best = NULL;
	int fewest = 65, seen = 0;

	for (size_t i = 0; i < v->len && seen < COMPARED; i++) {
		const struct cp_attr *a = &v->data[i].attr;
		int n = __builtin_popcountll(a->sample_type ^ to->sample_type);

		if (id_place(a) != place)
			continue;
		seen++;
		if (n < fewest)
			best = a;
		fewest = CP_MIN(n, fewest);
	}
	return best;
}

static void
take_layout(
    struct cp_placed_attr *p, const struct cp_attr *from, struct cp_diags *d)
{
	struct cp_attr *a = &p->attr;

	cp_found(d, CP_R_ATTR_LAYOUT, p->offset,
	    "sample_type %#" PRIx64 " is taken to be %#" PRIx64, a->sample_type,
	    from->sample_type);
	a->sample_type = from->sample_type;
	a->read_format = from->read_format;
	a->branch_sample_type = from->branch_sample_type;
	a->regs_user = from->regs_user;
	a->stack_user = from->stack_user;
	a->regs_intr = from->regs_intr;
}

static int
unknown_bits(const struct cp_attr *a)
{
	return __builtin_popcountll(
	    a->sample_type & ~(uint64_t)CP_SAMPLE_KNOWN);
}

/*
 * One unknown bit is a newer kernel's, or it flipped; more are noise, and so is
 * one in a description that also has another size than a sound one, or ids at
 * another place.
 */
static bool
is_noise(const struct cp_attr *a, const struct cp_attr *sound)
{
	int unknown = unknown_bits(a);

	return unknown > 1 || (unknown == 1 && a->size != sound->size) ||
	       (unknown == 1 && unknown_bits(sound) == 0 &&
		   id_place(a) != id_place(sound));
}

static const struct cp_attr *
first_sound(const cp_attrs *v)
{
	const struct cp_attr *best = NULL;

	for (size_t i = 0; i < v->len; i++) {
		const struct cp_attr *a = &v->data[i].attr;

		if (unknown_bits(a) <= 1 &&
		    (best == NULL || unknown_bits(a) < unknown_bits(best)))
			best = a;
	}
	return best;
}

static void
replace_noise(cp_attrs *v, struct cp_diags *diags)
{
	const struct cp_attr *sound = first_sound(v);

	for (size_t i = 0; sound != NULL && i < v->len; i++)
		if (is_noise(&v->data[i].attr, sound))
			take_layout(&v->data[i], sound, diags);
}

void
cp_attrs_agree(cp_attrs *v, struct cp_diags *diags)
{
	uint32_t place = 0;

	replace_noise(v, diags);
	if (v->len < 3 || !most_common(v, &place))
		return;
	for (size_t i = 0; i < v->len; i++) {
		const struct cp_attr *a = &v->data[i].attr;

		if (id_place(a) != place)
			take_layout(
			    &v->data[i], most_similar(v, place, a), diags);
	}
}
