/* SPDX-License-Identifier: MIT */
/* widths: what a table's columns give up so that its lines fit. */
#include "render/text/widths.h"

#include <stdlib.h>

#include "render/text/names.h"

enum { /* columns that texts keep */
	LEAST_FUNCTION = 32,
	LEAST_OBJECT = 22,
	LEAST_TEXT = 16,
	LEAST_OF_ALL = 8, /* where nothing else helps */
};

size_t
cp_widths_total(const struct cp_table *t, const size_t *width)
{
	size_t total = 0;

	for (size_t i = 0; i < 2 * t->columns.len; i++)
		total += width[i] != 0 ? width[i] + 2 : 0;
	return total;
}

void
cp_widths_fold(const struct cp_table *t, size_t *width, size_t room)
{
	static const char *const names[] = { "Level", "Samples" };

	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++)
		for (size_t c = 0; c < t->columns.len; c++) {
			if (cp_widths_total(t, width) <= room ||
			    !cp_names_column(t) ||
			    t->columns.data[0].type != CP_COL_SHARE)
				return;
			if (strcmp(t->columns.data[c].name, names[i]) == 0)
				width[2 * c] = width[2 * c + 1] = 0;
		}
}

/* Takes up to `over' columns from a text that stays at least so wide. */
static size_t
take(const struct cp_table *t, size_t *width, size_t c, size_t least,
    size_t over)
{
	size_t *w = &width[2 * c];

	if (t->columns.data[c].type != CP_COL_TEXT || *w <= least)
		return 0;
	over = CP_MIN(over, *w - least);
	*w -= over;
	return over;
}

/* Takes columns from the widest text, again and again, until the line fits. */
static void
take_from_widest(const struct cp_table *t, size_t *width, size_t over)
{
	while (over != 0) {
		size_t widest = t->columns.len;

		for (size_t c = 0; c < t->columns.len; c++)
			if (t->columns.data[c].type == CP_COL_TEXT &&
			    width[2 * c] > LEAST_OF_ALL &&
			    (widest == t->columns.len ||
				width[2 * c] > width[2 * widest]))
				widest = c;
		if (widest == t->columns.len)
			return;
		width[2 * widest]--;
		over--;
	}
}

/* Leaves out the columns of that name. */
static void
fold(const struct cp_table *t, size_t *width, const char *name)
{
	for (size_t c = 0; c < t->columns.len; c++)
		if (strcmp(t->columns.data[c].name, name) == 0)
			width[2 * c] = width[2 * c + 1] = 0;
}

/*
 * Takes columns from the texts: from the last, which may be the function, as
 * long as most names stay whole, then from the others.
 */
static void
take_from_texts(
    const struct cp_table *t, size_t *width, size_t last, size_t room)
{
	size_t total = cp_widths_total(t, width);

	if (total > room && cp_names_column(t)) {
		total -= take(t, width, last, LEAST_FUNCTION, total - room);
		for (size_t c = last; c-- > 0 && total > room;)
			total -= take(t, width, c, LEAST_OBJECT, total - room);
	}
	for (size_t c = last + 1; c-- > 0 && total > room;)
		total -= take(t, width, c, LEAST_TEXT, total - room);
}

/* Returns the last text that is shown, or the number of columns. */
static size_t
last_text(const struct cp_table *t, const size_t *width)
{
	for (size_t c = t->columns.len; c-- > 0;)
		if (t->columns.data[c].type == CP_COL_TEXT && width[2 * c] != 0)
			return c;
	return t->columns.len;
}

void
cp_widths_shrink(const struct cp_table *t, size_t *width, size_t room)
{
	size_t last = last_text(t, width);

	if (last != t->columns.len)
		take_from_texts(t, width, last, room);
}

void
cp_widths_squeeze(const struct cp_table *t, size_t *width, size_t room)
{
	static const char *const names[] = { "Build ID", "Level", "Samples",
		"Symbols" };
	size_t bytes = 2 * t->columns.len * sizeof(*width);
	size_t *whole = cp_xmalloc(bytes + 1);

	memcpy(whole, width, bytes);
	cp_widths_shrink(t, width, room);
	for (size_t i = 0;
	     i < CP_ARRAY_LEN(names) && cp_widths_total(t, width) > room; i++) {
		fold(t, whole, names[i]);
		memcpy(width, whole, bytes);
		cp_widths_shrink(t, width, room);
	}
	free(whole);
	if (cp_widths_total(t, width) > room)
		take_from_widest(t, width, cp_widths_total(t, width) - room);
}
