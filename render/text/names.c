/* SPDX-License-Identifier: MIT */
#include "render/text/names.h"

#include <ctype.h>
#include <stdlib.h>

#include "render/common/escape.h"
#include "base/match/short-name.h"
#include "render/common/fit-name.h"

#define ELLIPSIS "…"
#define BRIEF 80 /* columns within which names must differ */

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
		to->full = to->shown = keep(n, &b);
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

/* Sorts equal texts together, each by full name. */
static int
compare_shown(const void *va, const void *vb)
{
	const struct order *a = va, *b = vb;
	int c = strcmp(shown_of(a->names, a->row), shown_of(b->names, b->row));

	if (c == 0)
		c = strcmp(
		    full_of(a->names, a->row), full_of(b->names, b->row));
	return c != 0 ? c : (a->row > b->row) - (a->row < b->row);
}

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' ||
	       (unsigned char)c >= 0x80;
}

/* Returns the bracket that is open after n bytes of the name, or 0. */
static char
open_bracket(const char *name, size_t n)
{
	size_t closed = 0;

	while (n-- > 0) {
		if (name[n] == '>' || name[n] == ')')
			closed += n == 0 || name[n - 1] != '-';
		else if ((name[n] == '<' || name[n] == '(') && closed-- == 0)
			return name[n];
	}
	return 0;
}

/* Is that bracket one of the class, so that the function follows it? */
static bool
is_of_class(const char *inside)
{
	size_t depth = 0;

	for (; *inside != '\0'; inside++)
		if (strchr("<(", *inside) != NULL)
			depth++;
		else if (strchr(">)", *inside) != NULL && depth-- == 0)
			return strncmp(inside + 1, "::", 2) == 0;
	return false;
}

/* Writes the function's own name without the content of brackets. */
static void
put_base(struct cp_buf *b, const char *full, size_t columns)
{
	struct cp_buf brief;
	const char *end, *tail;

	cp_buf_init(&brief, SIZE_MAX / 2);
	cp_short_name(&brief, full);
	tail = cp_name_tail(cp_buf_text(&brief));
	end = strstr(tail, "<" ELLIPSIS ">");
	if (end == NULL || end == tail)
		end = strstr(tail, " (inlined)");
	if (end != NULL && end != tail)
		brief.data[end - brief.data] = '\0';
	cp_cut_middle(b, tail, columns);
	cp_buf_free(&brief);
}

/*
 * Writes a name with the word that tells it from others, which have their first
 * `common` bytes: sum_orders<…RoundUp>, …<Left…run.
 */
static void
put_telling(struct cp_buf *b, const char *full, size_t common, size_t room)
{
	char bracket = open_bracket(full, common);
	size_t from = common, n, fit, base;
	struct cp_buf word;

	while (from > 0 && is_word(full[from - 1]))
		from--;
	for (n = common - from; is_word(full[from + n]); n++)
		;
	if (n > room / 2) { /* the first bytes may be those of other names */
		from = common;
		for (n = 0; is_word(full[from + n]); n++)
			;
	}
	cp_buf_init(&word, SIZE_MAX / 2);
	if (bracket != 0 && is_of_class(full + common)) {
		cp_buf_str(&word, ELLIPSIS);
		cp_buf_char(&word, bracket);
		cp_buf_str(&word, full[from - 1] != bracket ? ELLIPSIS : "");
		bracket = 0;
	}
	cp_buf_add(&word, full + from, n);
	fit = cp_text_fit(cp_buf_text(&word), room / 2);
	base = room - cp_text_columns(cp_buf_text(&word));
	if (fit < word.len)
		base = room - room / 2;
	if (bracket == 0)
		cp_buf_add(b, word.data, fit);
	else
		put_base(b, full, base > 4 ? base - 3 : 1);
	if (bracket != 0)
		cp_buf_char(b, bracket);
	if (bracket == 0 || full[from - 1] != bracket)
		cp_buf_str(b, ELLIPSIS);
	if (bracket != 0 && fit != 0)
		cp_buf_add(b, word.data, fit);
	if (bracket != 0)
		cp_buf_char(b, bracket == '<' ? '>' : ')');
	else
		put_base(b, full, base > 2 ? base - 1 : 1);
	cp_buf_free(&word);
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

/*
 * Returns the number of leading bytes that the first and the last of sorted
 * names share: all names share them.
 */
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
    size_t columns, bool number)
{
	size_t common =
	    in_common(full_of(n, o[0].row), full_of(n, o[len - 1].row));
	size_t first = 0;
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	for (size_t i = 0; i < len; i++) {
		struct cp_name_row *row = &n->rows.data[o[i].row];
		const char *full = full_of(n, o[i].row);
		size_t room =
		    CP_MIN(room_of(n, o[i].row, columns), (size_t)BRIEF);

		if (strcmp(full, full_of(n, o[first].row)) != 0)
			first = i;
		cp_buf_reset(&b);
		if (number)
			put_number(&b, full, o[first].row, room);
		else
			put_telling(&b, full, common, room);
		row->shown = keep(n, &b);
	}
	cp_buf_free(&b);
}

/* Callers and callees, "< a < b", belong to the row above. */
static bool
is_call(const char *name)
{
	return (*name == '<' || *name == '>') && name[1] == ' ';
}

/* Returns whether there were any. */
static bool
look_for_equals(struct cp_names *n, size_t columns, bool number)
{
	struct order *o = cp_xcalloc(n->rows.len + 1, sizeof(*o));
	bool found = false;

	for (size_t i = 0; i < n->rows.len; i++)
		o[i] = (struct order){ n, i };
	qsort(o, n->rows.len, sizeof(*o), compare_shown);
	for (size_t i = 0, end; i < n->rows.len; i = end) {
		for (end = i + 1;
		     end < n->rows.len && strcmp(shown_of(n, o[i].row),
					      shown_of(n, o[end].row)) == 0;)
			end++;
		if (strcmp(full_of(n, o[i].row), full_of(n, o[end - 1].row)) ==
			0 ||
		    is_call(full_of(n, o[i].row)))
			continue;
		tell_apart(n, &o[i], end - i, columns, number);
		found = true;
	}
	free(o);
	return found;
}

/* Returns whether the name is shown whole. */
static bool
fit_one(struct cp_names *n, size_t row, size_t columns)
{
	size_t room = room_of(n, row, columns);
	struct cp_buf b, full;
	bool whole;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_buf_init(&full, SIZE_MAX / 2);
	if (n->brief)
		cp_brief_name(&full, full_of(n, row));
	else
		cp_buf_str(&full, full_of(n, row));
	cp_fit_name(&b, cp_buf_text(&full), room);
	whole = strcmp(cp_buf_text(&b), full_of(n, row)) == 0;
	n->rows.data[row].shown = whole ? n->rows.data[row].full : keep(n, &b);
	cp_buf_free(&b);
	cp_buf_free(&full);
	return whole;
}

void
cp_names_fit(struct cp_names *n, size_t columns)
{
	bool whole = true;

	for (size_t i = 0; i < n->rows.len; i++)
		whole &= fit_one(n, i, columns);
	/* Whole names cannot be made any more different. */
	if (!whole && look_for_equals(n, columns, false))
		look_for_equals(n, columns, true);
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
		all[c].brief = brief && has_functions(&t->columns.data[c]);
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
