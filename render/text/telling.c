/* SPDX-License-Identifier: MIT */
/*
 * telling: the word that tells a name from others of the same short form.
 *
 * Names are those of an input: words are sorted, so that the time grows with
 * the length of the names and no faster.
 */
#include "render/text/telling.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/match/short-name.h"
#include "base/vec.h"
#include "render/common/escape.h"
#include "render/common/fit-name.h"

#define ELLIPSIS "…"
#define LAMBDA "{lambda"

enum { MOST_WORDS = 64 }; /* of a name that are compared */

struct word {
	const char *text;
	size_t n;
	size_t of; /* which name */
};

typedef CP_VEC(struct word) words;

/* ------------------------------------------------------------------ words */

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' ||
	       (unsigned char)c >= 0x80;
}

/* Adds words inside brackets, from those on that begin to differ. */
static void
add_words(words *all, const char *full, size_t of, size_t common)
{
	size_t depth = 0, taken = 0;

	for (const char *s = full; *s != '\0';) {
		size_t n = 0;

		while (is_word(s[n]))
			n++;
		if (n != 0 && depth != 0 && (size_t)(s - full) + n >= common) {
			*cp_vec_push(all) = (struct word){ s, n, of };
			if (++taken == MOST_WORDS)
				return;
		}
		if (n == 0) {
			depth += strchr("<([", *s) != NULL;
			depth -= depth != 0 && strchr(">)]", *s) != NULL &&
				 (s == full || s[-1] != '-');
		}
		s += n != 0 ? n : 1;
	}
}

static int
compare_words(const void *va, const void *vb)
{
	const struct word *a = va, *b = vb;
	int c = memcmp(a->text, b->text, CP_MIN(a->n, b->n));

	if (c == 0)
		c = (a->n > b->n) - (a->n < b->n);
	if (c == 0)
		c = (a->of > b->of) - (a->of < b->of);
	return c != 0 ? c : (a->text > b->text) - (a->text < b->text);
}

static bool
is_same(const struct word *a, const struct word *b)
{
	return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

/* A namespace says less than what is in it. */
static bool
is_outer(const char *after)
{
	return strchr(":./", *after) != NULL && *after != '\0';
}

/* Keeps the first word, and one that is no namespace rather than one. */
static void
offer(struct cp_telling *t, const struct word *w)
{
	size_t at = (size_t)(w->text - t->full);
	bool outer = is_outer(w->text + w->n);
	bool had = t->n != 0 && is_outer(t->full + t->at + t->n);

	if (t->n == 0 || (had && !outer) || (had == outer && at < t->at)) {
		t->at = at;
		t->n = w->n;
	}
}

/* Looks for the place after which no other name is as this one. */
static void
find_places(struct cp_telling *t, size_t len)
{
	for (size_t i = 0; i < len; i++)
		t[i].differs = 0;
	for (size_t i = 1; i < len; i++) {
		const char *a = t[i - 1].full, *b = t[i].full;
		size_t n = 0;

		while (a[n] != '\0' && a[n] == b[n])
			n++;
		if (a[n] == b[n]) {
			t[i].differs = t[i - 1].differs;
			continue;
		}
		t[i].differs = n;
		for (size_t k = i; k-- > 0 && strcmp(t[k].full, a) == 0;)
			t[k].differs = CP_MAX(t[k].differs, n);
	}
}

void
cp_telling_find(struct cp_telling *t, size_t len)
{
	const char *first = t[0].full, *last = t[len - 1].full;
	size_t common = 0;
	words all = { 0 };

	find_places(t, len);
	/* All of them share what the first and the last do. */
	while (first[common] != '\0' && first[common] == last[common])
		common++;
	for (size_t i = 0; i < len; i++) {
		t[i].at = common;
		t[i].n = 0;
		add_words(&all, t[i].full, i, common);
	}
	if (all.len != 0)
		qsort(all.data, all.len, sizeof(*all.data), compare_words);
	for (size_t i = 0, end; i < all.len; i = end) {
		bool alone = true;

		for (end = i + 1;
		     end < all.len && is_same(&all.data[i], &all.data[end]);
		     end++)
			alone &= strcmp(t[all.data[i].of].full,
				     t[all.data[end].of].full) == 0;
		for (size_t k = i; alone && k < end; k++)
			offer(&t[all.data[k].of], &all.data[k]);
	}
	cp_vec_free(&all);
}

/* ---------------------------------------------------------------- compact */

/* Returns the bracket that is open after n bytes of the name, or 0. */
static char
open_bracket(const char *name, size_t n)
{
	size_t closed = 0;

	while (n-- > 0) {
		if (strchr(">)]", name[n]) != NULL)
			closed += n == 0 || name[n - 1] != '-';
		else if (strchr("<([", name[n]) != NULL && closed-- == 0)
			return name[n];
	}
	return 0;
}

static char
closing(char bracket)
{
	return bracket == '<' ? '>' : bracket == '[' ? ']' : ')';
}

/* Is that bracket one of the class, so that the function follows it? */
static bool
is_of_class(const char *inside)
{
	size_t depth = 0;

	for (; *inside != '\0'; inside++)
		if (strchr("<([", *inside) != NULL)
			depth++;
		else if (strchr(">)]", *inside) != NULL && depth-- == 0)
			return strncmp(inside + 1, "::", 2) == 0;
	return false;
}

/*
 * Writes the function's own name with the word at the place where names begin
 * to differ: sum_orders<…RoundUp>, …<Left…run.
 */
static void
put_compact(struct cp_buf *b, const char *full, size_t common, size_t room)
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
		cp_telling_put_base(b, full, base > 4 ? base - 3 : 1);
	if (bracket != 0)
		cp_buf_char(b, bracket);
	if (bracket == 0 || full[from - 1] != bracket)
		cp_buf_str(b, ELLIPSIS);
	if (bracket != 0 && fit != 0)
		cp_buf_add(b, word.data, fit);
	if (bracket != 0)
		cp_buf_char(b, closing(bracket));
	else
		cp_telling_put_base(b, full, base > 2 ? base - 1 : 1);
	cp_buf_free(&word);
}

/* ------------------------------------------------------------------ short */

/* Skips the sign of an operator, whose brackets are none. */
static size_t
operator_length(const char *s)
{
	if (strncmp(s, "operator", 8) != 0)
		return 0;
	if (strncmp(s + 8, "()", 2) == 0 || strncmp(s + 8, "[]", 2) == 0)
		return 10;
	return 8 + strspn(s + 8, "<>=-");
}

/*
 * Finds the outermost bracket around a place, but for those of Rust's <T as
 * Trait> and of Go's receivers, p.(*T[U]).  Returns where it opens, and where
 * it is closed; false: there is none.
 */
static bool
find_group(const char *full, size_t at, size_t *from, size_t *end)
{
	size_t depth = 0, i = *full == '<' ? 1 : 0, n;

	for (*from = 0; full[i] != '\0'; i += n != 0 ? n : 1) {
		n = operator_length(full + i);
		n += n == 0 && depth == 0 && strncmp(full + i, ".(*", 3) == 0
			 ? 3
			 : 0;
		if (n != 0)
			continue;
		if (strchr("<([", full[i]) != NULL && depth++ == 0)
			*from = i;
		if (strchr(">)]", full[i]) == NULL || depth == 0 ||
		    full[i - 1] == '-' || --depth != 0)
			continue;
		*end = i;
		if (*from < at && at < i)
			return true;
		if (at < i)
			break;
	}
	return false;
}

static size_t
count(const char *s, const char *mark)
{
	size_t n = 0;

	for (; (s = strstr(s, mark)) != NULL; s += strlen(mark))
		n++;
	return n;
}

/* Returns the last mark but `later`; NULL: there are fewer. */
static const char *
find_mark(const char *s, const char *mark, size_t later)
{
	size_t n = count(s, mark);

	if (n <= later)
		return NULL;
	s = strstr(s, mark);
	while (--n > later)
		s = strstr(s + strlen(mark), mark);
	return s;
}

/* Nothing but qualifiers: the bracket before is the parameters. */
static bool
ends_name(const char *tail)
{
	static const char *const ends[] = { "", " const", CP_INLINED,
		(" const" CP_INLINED) };

	for (size_t i = 0; i < CP_ARRAY_LEN(ends); i++)
		if (strcmp(tail, ends[i]) == 0)
			return true;
	return false;
}

/* Writes the word, and an ellipsis for what else is in its bracket. */
static void
put_word(struct cp_buf *b, const struct cp_telling *t, size_t from, size_t end)
{
	size_t usual =
	    t->n == 12 && strncmp(t->full + t->at, "basic_string", 12) == 0
		? strlen("basic_")
		: 0;

	if (t->at != from + 1)
		cp_buf_str(b, ELLIPSIS);
	cp_buf_add(b, t->full + t->at + usual, t->n - usual);
	if (t->at == from + 1 && t->at + t->n != end)
		cp_buf_str(b, ELLIPSIS);
}

/*
 * Finds the place of the word's bracket in the short form, where that has no
 * parameters.  Returns the text before which it is; *skip: the bytes that stand
 * there for what was in the bracket.
 */
static const char *
find_place(const struct cp_telling *t, const char *brief, const char *tail,
    size_t from, size_t *skip)
{
	const char *at;

	*skip = 0;
	if (t->full[from] != '(') {
		at = find_mark(brief, ELLIPSIS, count(tail, ELLIPSIS));
		*skip = strlen(ELLIPSIS);
		return at != NULL && at > brief && at[-1] == t->full[from]
			   ? at
			   : NULL;
	}
	if (from >= strlen(LAMBDA) && memcmp(t->full + from - strlen(LAMBDA),
					  LAMBDA, strlen(LAMBDA)) == 0) {
		at = find_mark(brief, LAMBDA, count(tail, LAMBDA));
		return at != NULL ? at + strlen(LAMBDA) : NULL;
	}
	if (!ends_name(tail))
		return NULL;
	at = strstr(brief, CP_INLINED);
	return at != NULL ? at : brief + strlen(brief);
}

/*
 * Writes the short form with the word in its bracket, and returns where the
 * word ends; 0: the short form has no such bracket.
 */
static size_t
put_marked(struct cp_buf *b, const struct cp_telling *t)
{
	struct cp_buf brief, tail;
	size_t from, end, marked = 0, skip;
	const char *s;

	if (!find_group(t->full, t->at, &from, &end))
		return 0;
	cp_buf_init(&brief, SIZE_MAX / 2);
	cp_buf_init(&tail, SIZE_MAX / 2);
	cp_short_name(&brief, t->full);
	if (t->full[from] == '(') /* whole, to see whether it is the end */
		cp_buf_str(&tail, t->full + end + 1);
	else
		cp_short_name(&tail, t->full + end + 1);
	s = find_place(t, cp_buf_text(&brief), cp_buf_text(&tail), from, &skip);
	if (s != NULL) {
		cp_buf_add(b, brief.data, (size_t)(s - brief.data));
		if (skip == 0)
			cp_buf_char(b, '(');
		put_word(b, t, from, end);
		marked = b->len;
		if (skip == 0)
			cp_buf_char(b, ')');
		cp_buf_str(b, s + skip);
	}
	cp_buf_free(&brief);
	cp_buf_free(&tail);
	return marked;
}

/* Writes it without its outer parts; false: that does not fit. */
static bool
put_fitting(struct cp_buf *b, const struct cp_telling *t, size_t room)
{
	struct cp_buf whole;
	const char *s;
	size_t mark;
	bool path, fits;

	cp_buf_init(&whole, SIZE_MAX / 2);
	mark = put_marked(&whole, t);
	s = cp_buf_text(&whole);
	path = cp_name_has_path(s);
	while (s != NULL && cp_text_columns(s) + (s != whole.data) > room)
		s = cp_name_part(s, path);
	fits = s != NULL && mark != 0 && s < whole.data + mark;
	if (fits) {
		cp_buf_str(b, s != whole.data ? ELLIPSIS : "");
		cp_buf_str(b, s);
	}
	cp_buf_free(&whole);
	return fits;
}

void
cp_telling_put(struct cp_buf *b, const struct cp_telling *t, size_t room)
{
	struct cp_buf form;

	cp_buf_init(&form, SIZE_MAX / 2);
	if (t->n == 0 || !put_fitting(&form, t, room))
		put_compact(
		    &form, t->full, t->n != 0 ? t->at + 1 : t->at, room);
	if (cp_telling_finds(cp_buf_text(&form), t->full))
		cp_buf_str(b, form.data);
	else
		cp_telling_put_place(b, t, room);
	cp_buf_free(&form);
}
