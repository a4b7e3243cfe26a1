/* SPDX-License-Identifier: MIT */
/*
 * text-copy: a program that copies its code to other pages in place.
 *
 * BOLT's --hugify, iodlr, node --use-largepages and others map anonymous memory
 * over their own text to have huge pages, and copy the text back.  What runs
 * there is the code of the file that was mapped before.
 *
 * Run-time code can come to lie where a library was before dlclose(), since
 * captures have no munmap.  So of a library only huge pages, or all of its code
 * at once, count; the program itself is never unmapped.
 */
#include "model/session-state.h"

enum { HUGE = 2 << 20 };

static bool
is_huge(uint64_t start, uint64_t end)
{
	return ((start | end) & (HUGE - 1)) == 0;
}

/* True if the mapping has code of a file. */
static bool
is_text(const struct cp_session *s, const struct cp_map *m)
{
	return m->code && cp_dsos_at(&s->dsos, m->dso)->pub.kind == CP_DSO_FILE;
}

/* The mapping of a file's code that has all of [start, end); or NULL. */
static const struct cp_map *
covered(const struct cp_session *s, const struct cp_aspace *a, uint64_t start,
    uint64_t end)
{
	const struct cp_map *first = cp_aspace_find(a, start), *m = first;

	if (first == NULL)
		return NULL;
	for (; m < a->maps.data + a->maps.len && m->start < end; m++) {
		if (m->dso != first->dso || m->delta != first->delta ||
		    !is_text(s, m) || (m > first && m->start != m[-1].end))
			return NULL;
		if (m->end >= end)
			return first;
	}
	return NULL;
}

/* May the file's code in [start, end) have been copied? */
static bool
believed(const struct cp_aspace *a, const struct cp_map *text, uint64_t start,
    uint64_t end)
{
	return text->dso == a->program || is_huge(start, end) ||
	       (text->start == start && text->end == end);
}

/*
 * The mapping of the list of a running process, in which a copy follows what
 * is left of the code: nothing else does, since data come after the code.
 */
static const struct cp_map *
left_of(const struct cp_session *s, const struct cp_aspace *a, uint64_t start,
    bool listed)
{
	const struct cp_map *m =
	    listed && start != 0 ? cp_aspace_find(a, start - 1) : NULL;

	return m != NULL && m->dso == a->program && m->end == start &&
		       is_text(s, m)
		   ? m
		   : NULL;
}

bool
cp_text_copied(
    struct cp_session *s, struct cp_aspace *a, struct cp_map *m, bool listed)
{
	const struct cp_map *text = covered(s, a, m->start, m->end);

	if (text != NULL && !believed(a, text, m->start, m->end))
		return false;
	if (text == NULL) {
		text = left_of(s, a, m->start, listed);
		if (text != NULL)
			cp_dsos_at(&s->dsos, text->dso)->map_parts = true;
	}
	if (text == NULL)
		return false;
	m->delta = text->delta;
	m->dso = text->dso;
	m->code = true;
	return true;
}

bool
cp_text_goes_on(const struct cp_session *s, const struct cp_aspace *a,
    const struct cp_map *m, bool listed, struct cp_map *copy)
{
	const struct cp_map *gap =
	    m->start != 0 ? cp_aspace_find(a, m->start - 1) : NULL;
	const struct cp_map *before;

	if (gap == NULL || !gap->code || !m->code || gap->end != m->start ||
	    gap->dso == m->dso)
		return false;
	if (cp_dsos_at(&s->dsos, gap->dso)->pub.kind != CP_DSO_ANON ||
	    m->start + m->delta < gap->end - gap->start)
		return false;
	before = gap > a->maps.data ? gap - 1 : NULL;
	*copy = (struct cp_map){ .start = gap->start,
		.end = gap->end,
		.delta = m->delta,
		.dso = m->dso,
		.code = true };
	if (before != NULL && before->end == gap->start &&
	    before->dso == m->dso && before->delta == m->delta)
		return true;
	return listed && is_huge(gap->start, gap->end);
}
