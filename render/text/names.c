/* SPDX-License-Identifier: MIT */
#include "render/text/names.h"

#include <stdlib.h>

#include "render/common/escape.h"
#include "base/match/short-name.h"
#include "render/common/fit-name.h"
#include "render/text/telling.h"

#define BRIEF 80 /* columns within which names must differ */

/* How names that look equal are made to differ. */
enum how { BY_WORD, BY_PLACE, BY_NUMBER };

struct order {
	const struct cp_names *names;
	size_t row;
};

static const char *
full_of(const struct cp_names *n, size_t row)
{
	return n->text.data + n->rows.data[row].full;
}

static const char *
shown_of(const struct cp_names *n, size_t row)
{
	return n->text.data + n->rows.data[row].shown;
}

static size_t
keep(struct cp_names *n, const struct cp_buf *text)
{
	size_t at = n->text.len;

	cp_buf_add(&n->text, cp_buf_text(text), text->len);
	cp_buf_char(&n->text, '\0');
	return at;
}

static void
load(struct cp_names *n, const struct cp_table *t, size_t column, bool indented)
{
	struct cp_buf b;

	cp_buf_init(&n->text, SIZE_MAX / 2);
	cp_buf_init(&b, SIZE_MAX / 2);
	for (size_t r = 0; r < t->rows.len; r++) {
		const struct cp_row *row = &t->rows.data[r];
		const char *text = row->values[column].text;
		struct cp_name_row *to = cp_vec_push(&n->rows);

		cp_buf_reset(&b);
		cp_escape_terminal(&b, text != NULL ? text : "");
		to->full = to->shown = to->key = keep(n, &b);
		to->indent = indented ? 2 * CP_MIN(row->depth, 40u) : 0;
	}
	cp_buf_free(&b);
}

static size_t
room_of(const struct cp_names *n, size_t row, size_t columns)
{
	size_t indent = n->rows.data[row].indent;

	if (columns == 0)
		return SIZE_MAX;
	return columns > indent ? columns - indent : 1;
}

static const char *
key_of(const struct cp_names *n, size_t row)
{
	return n->text.data + n->rows.data[row].key;
}

/* Sorts equal texts together, each by full name. */
static int
compare_keys(const void *va, const void *vb)
{
	const struct order *a = va, *b = vb;
	int c = strcmp(key_of(a->names, a->row), key_of(b->names, b->row));

	if (c == 0)
		c = strcmp(
		    full_of(a->names, a->row), full_of(b->names, b->row));
	return c != 0 ? c : (a->row > b->row) - (a->row < b->row);
}

/* If no word differs, writes the number of the first row with that name. */
static void
put_number(struct cp_buf *b, const char *full, size_t row, size_t room)
{
	char number[32];
	size_t n = (size_t)snprintf(number, sizeof(number), "~%zu", row + 1);

	cp_fit_name(b, full, room > n ? room - n : 1);
	cp_buf_str(b, number);
}

/* Callers and callees, "< a < b", belong to the row above. */
static bool
is_call(const char *name)
{
	return (*name == '<' || *name == '>') && name[1] == ' ';
}

/*
 * Writes callers from the one on in which they differ from others that look the
 * same: < … < main.
 */
static void
put_differing(struct cp_buf *b, const char *full, size_t common, size_t room)
{
	struct cp_buf brief;

	while (common > 0 && strncmp(full + common, " < ", 3) != 0)
		common--;
	cp_buf_init(&brief, SIZE_MAX / 2);
	cp_brief_calls(&brief, full + (common != 0 ? common + 1 : 0));
	if (common != 0)
		cp_buf_str(b, "< … ");
	cp_fit_name(b, cp_buf_text(&brief),
	    common == 0 ? room
	    : room > 5  ? room - 4
			: 1);
	cp_buf_free(&brief);
}

/* Writes a name so that it differs from the others. */
static void
put_apart(struct cp_buf *b, struct cp_telling *t, enum how how, bool callers,
    size_t room)
{
	void (*put)(struct cp_buf *, const struct cp_telling *, size_t) =
	    how == BY_PLACE ? cp_telling_put_place : cp_telling_put;

	if (callers) {
		put_differing(b, t->full, t->at, room);
	} else if (is_call(t->full)) {
		cp_buf_add(b, t->full, 2);
		t->full += 2;
		t->at -= CP_MIN(t->at, (size_t)2);
		t->differs -= CP_MIN(t->differs, (size_t)2);
		put(b, t, room > 2 ? room - 2 : 1);
	} else {
		put(b, t, room);
	}
}

static size_t
in_common(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] != '\0' && a[n] == b[n])
		n++;
	return n;
}

/* Makes rows differ that look equal and are not; they are sorted by name. */
static void
tell_apart(struct cp_names *n, const struct order *o, size_t len,
    size_t columns, enum how how)
{
	struct cp_telling *t = cp_xcalloc(len, sizeof(*t));
	bool callers =
	    full_of(n, o[0].row)[0] == '<' && is_call(full_of(n, o[0].row));
	size_t first = 0;
	struct cp_buf b;

	for (size_t i = 0; i < len; i++)
		t[i].full = full_of(n, o[i].row);
	if (how != BY_NUMBER)
		cp_telling_find(t, len);
	for (size_t i = 0; callers && i < len; i++)
		t[i].at = in_common(t[0].full, t[len - 1].full);
	cp_buf_init(&b, SIZE_MAX / 2);
	for (size_t i = 0; i < len; i++) {
		struct cp_name_row *row = &n->rows.data[o[i].row];
		size_t room =
		    CP_MIN(room_of(n, o[i].row, columns), (size_t)BRIEF);

		if (strcmp(full_of(n, o[i].row), full_of(n, o[first].row)) != 0)
			first = i;
		if (row->shown == row->full)
			continue;
		t[i].full = full_of(n, o[i].row); /* what was kept moved it */
		cp_buf_reset(&b);
		if (how == BY_NUMBER)
			put_number(
			    &b, full_of(n, o[i].row), o[first].row, room);
		else
			put_apart(&b, &t[i], how, callers, room);
		row->shown = row->key = keep(n, &b);
	}
	cp_buf_free(&b);
	free(t);
}

/* Are there a cut name and another one among rows of one key? */
static bool
is_unclear(
    const struct cp_names *n, const struct order *o, size_t len, enum how how)
{
	bool cut = false;

	for (size_t i = 0; i < len; i++)
		cut |=
		    n->rows.data[o[i].row].shown != n->rows.data[o[i].row].full;
	return cut && (how == BY_WORD || !is_call(full_of(n, o[0].row))) &&
	       strcmp(full_of(n, o[0].row), full_of(n, o[len - 1].row)) != 0;
}

/* Returns whether there were any. */
static bool
look_for_equals(struct cp_names *n, size_t columns, enum how how)
{
	struct order *o = cp_xcalloc(n->rows.len + 1, sizeof(*o));
	bool found = false;

	for (size_t i = 0; i < n->rows.len; i++)
		o[i] = (struct order){ n, i };
	qsort(o, n->rows.len, sizeof(*o), compare_keys);
	for (size_t i = 0, end; i < n->rows.len; i = end) {
		for (end = i + 1;
		     end < n->rows.len &&
		     strcmp(key_of(n, o[i].row), key_of(n, o[end].row)) == 0;)
			end++;
		if (!is_unclear(n, &o[i], end - i, how))
			continue;
		tell_apart(n, &o[i], end - i, columns, how);
		found = true;
	}
	free(o);
	return found;
}

/* Returns whether the name is shown whole. */
static bool
fit_one(struct cp_names *n, size_t row, size_t columns)
{
	struct cp_name_row *r = &n->rows.data[row];
	size_t room = room_of(n, row, columns);
	struct cp_buf b, brief;
	bool whole;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_buf_init(&brief, SIZE_MAX / 2);
	if (n->brief)
		cp_brief_calls(&brief, full_of(n, row));
	else
		cp_buf_str(&brief, full_of(n, row));
	cp_fit_name(&b, cp_buf_text(&brief), room);
	whole = strcmp(cp_buf_text(&b), full_of(n, row)) == 0;
	r->key = r->shown = whole ? r->full : keep(n, &b);
	if (whole && n->brief && strpbrk(full_of(n, row), "<([") != NULL) {
		cp_buf_reset(&b);
		cp_short_name(&b, full_of(n, row));
		r->key = keep(n, &b);
	}
	cp_buf_free(&b);
	cp_buf_free(&brief);
	return whole;
}

void
cp_names_fit(struct cp_names *n, size_t columns)
{
	bool whole = true;

	for (size_t i = 0; i < n->rows.len; i++)
		whole &= fit_one(n, i, columns);
	/* Whole names cannot be made any more different. */
	if (!whole && look_for_equals(n, columns, BY_WORD) &&
	    look_for_equals(n, columns, BY_PLACE))
		look_for_equals(n, columns, BY_NUMBER);
}

void
cp_names_put(const struct cp_names *n, size_t row, struct cp_buf *b)
{
	for (size_t i = n->rows.data[row].indent; i != 0; i--)
		cp_buf_char(b, ' ');
	cp_buf_str(b, shown_of(n, row));
}

const char *
cp_names_full(const struct cp_names *n, size_t row)
{
	return full_of(n, row);
}

/* Texts of other columns may look like names, and are none. */
static bool
has_functions(const struct cp_column *c)
{
	static const char *const names[] = { "Symbol", "Function", "Caller",
		"A function", "A last function", "Elsewhere" };

	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++)
		if (strcmp(c->name, names[i]) == 0)
			return true;
	return false;
}

/* Chains of calls, a < b; places in functions. */
static bool
has_calls(const struct cp_column *c)
{
	static const char *const names[] = { "Where", "Path", "Stack",
		"First function", "From", "To" };

	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++)
		if (strcmp(c->name, names[i]) == 0)
			return true;
	return false;
}

bool
cp_names_column(const struct cp_table *t)
{
	for (size_t c = 0; c < t->columns.len; c++)
		if (has_functions(&t->columns.data[c]))
			return true;
	return false;
}

struct cp_names *
cp_names_of(const struct cp_table *t, bool brief)
{
	struct cp_names *all = cp_xcalloc(t->columns.len + 1, sizeof(*all));
	bool first = true;

	if (t->listing || t->rows.len != cp_table_len(t))
		return all;
	for (size_t c = 0; c < t->columns.len; c++) {
		if (t->columns.data[c].type != CP_COL_TEXT)
			continue;
		all[c].brief = brief && (has_functions(&t->columns.data[c]) ||
					    has_calls(&t->columns.data[c]));
		if (!t->columns.data[c].prose)
			load(&all[c], t, c, first);
		cp_names_fit(&all[c], 0);
		first = false;
	}
	return all;
}

void
cp_names_free_of(const struct cp_table *t, struct cp_names *all)
{
	for (size_t c = 0; c < t->columns.len; c++) {
		cp_buf_free(&all[c].text);
		cp_vec_free(&all[c].rows);
	}
	free(all);
}
