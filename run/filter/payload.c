/* SPDX-License-Identifier: MIT */
/*
 * payload: --filter 'EVENT: EXPRESSION'.
 *
 * An expression is compiled once to a list in postfix order: tests, and the
 * operators that join their answers.  run/payload-filter.c answers.
 */
#include "run/filter/payload.h"

#include <errno.h>
#include <stdlib.h>

#include "base/base.h"

enum { DEPTH = 64 };

struct reading {
	struct cp_payload_filter *f;
	const char *at;
	struct cp_test pending[DEPTH];
	size_t depth;
	const char *wrong; /* the word that is wrong */
	const char *wanted;
};

static bool
word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c != '\0' && strchr("_.$@", c));
}

static void
skip_blanks(struct reading *r)
{
	r->at += strspn(r->at, " \t\n");
}

static void
fail(struct reading *r, const char *wanted)
{
	if (r->wrong == NULL) {
		r->wrong = r->at;
		r->wanted = wanted;
	}
}

static void
add(struct reading *r, struct cp_test n)
{
	if (r->f->nodes.len >= CP_FILTER_TESTS)
		fail(r, "a shorter expression");
	else
		*cp_vec_push(&r->f->nodes) = n;
}

static void
put_off(struct reading *r, enum cp_test_kind kind)
{
	if (r->depth == DEPTH)
		fail(r, "fewer parentheses");
	else
		r->pending[r->depth++] =
		    (struct cp_test){ .kind = (uint8_t)kind };
}

/* Adds the operators that bind at least as much, up to a parenthesis. */
static void
settle(struct reading *r, enum cp_test_kind least)
{
	while (r->depth != 0 && r->pending[r->depth - 1].kind != CP_TEST_OPEN &&
	       (least == CP_TEST_OR ||
		   r->pending[r->depth - 1].kind == CP_TEST_NOT ||
		   r->pending[r->depth - 1].kind == CP_TEST_AND))
		add(r, r->pending[--r->depth]);
}

static bool
read_compare(struct reading *r, uint8_t *out)
{
	static const struct {
		char sign[3];
		uint8_t compare;
	} signs[] = { { "==", CP_TEST_EQ }, { "!=", CP_TEST_NE },
		{ "<=", CP_TEST_LE }, { ">=", CP_TEST_GE },
		{ "!~", CP_TEST_NO_GLOB }, { "<", CP_TEST_LT },
		{ ">", CP_TEST_GT }, { "&", CP_TEST_BITS },
		{ "~", CP_TEST_GLOB }, { "=", CP_TEST_EQ } };

	skip_blanks(r);
	for (size_t i = 0; i < CP_ARRAY_LEN(signs); i++) {
		size_t n = strlen(signs[i].sign);

		if (strncmp(r->at, signs[i].sign, n) != 0 ||
		    (signs[i].compare == CP_TEST_BITS && r->at[1] == '&'))
			continue;
		r->at += n;
		*out = signs[i].compare;
		return true;
	}
	fail(r, "== != < <= > >= & ~");
	return false;
}

/* Reads "39964.995337" as ns. */
static bool
read_seconds(const char *s, uint64_t *ns)
{
	uint64_t v = 0, unit = 1000000000;
	char *end;

	errno = 0;
	v = strtoull(s, &end, 10);
	if (end == s || errno != 0 || v > UINT64_MAX / unit - 1)
		return false;
	v *= unit;
	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9'; end++) {
			unit /= 10;
			v += unit * (uint64_t)(*end - '0');
		}
	*ns = v;
	return *end == '\0';
}

static void
set_number(struct cp_test *n)
{
	const char *s = n->value;
	char *end;

	errno = 0;
	n->number =
	    *s == '-' ? (uint64_t)strtoll(s, &end, 0) : strtoull(s, &end, 0);
	n->numeric = !n->quoted && end != s && *end == '\0' && errno == 0;
	n->time =
	    n->quoted || !read_seconds(s, &n->time) ? CP_NO_TIME : n->time;
}

static void
read_value(struct reading *r, struct cp_test *n)
{
	const char *start;
	char quote;

	skip_blanks(r);
	quote = *r->at;
	n->quoted = quote == '"' || quote == '\'';
	start = r->at += n->quoted;
	if (n->quoted) {
		r->at = strchr(start, quote);
		if (r->at == NULL) {
			r->at = start;
			fail(r, "the quote that ends the text");
			return;
		}
	} else {
		while (word_char(*r->at) ||
		       (*r->at != '\0' && strchr("-*?[]/:+", *r->at)))
			r->at++;
		if (r->at == start) {
			fail(r, "a value");
			return;
		}
	}
	n->value =
	    cp_arena_strndup(&r->f->arena, start, (size_t)(r->at - start));
	r->at += n->quoted;
	set_number(n);
	if ((n->compare == CP_TEST_GLOB || n->compare == CP_TEST_NO_GLOB) &&
	    cp_pattern_init(&n->pattern, n->value) != CP_OK)
		fail(r, "a glob");
}

/* Reads "NAME SIGN VALUE". */
static void
read_test(struct reading *r)
{
	struct cp_test n = { .kind = CP_TEST_TEST };
	const char *start = r->at;

	while (word_char(*r->at))
		r->at++;
	if (r->at == start) {
		fail(r, "the name of a field");
		return;
	}
	n.name = cp_arena_strndup(&r->f->arena, start, (size_t)(r->at - start));
	if (!read_compare(r, &n.compare))
		return;
	read_value(r, &n);
	add(r, n);
}

/* Reads what may stand after a test; returns whether another test follows. */
static bool
read_join(struct reading *r)
{
	if (*r->at == ')') {
		settle(r, CP_TEST_OR);
		if (r->depth == 0) {
			fail(r, "a ( before it");
			return false;
		}
		r->depth--;
		if (r->depth != 0 &&
		    r->pending[r->depth - 1].kind == CP_TEST_NOT)
			add(r, r->pending[--r->depth]);
		r->at++;
		return false;
	}
	if (strncmp(r->at, "&&", 2) == 0) {
		settle(r, CP_TEST_AND);
		put_off(r, CP_TEST_AND);
	} else if (strncmp(r->at, "||", 2) == 0) {
		settle(r, CP_TEST_OR);
		put_off(r, CP_TEST_OR);
	} else {
		fail(r, "&& or ||");
		return false;
	}
	r->at += 2;
	return true;
}

static void
read_expression(struct reading *r)
{
	bool test = true;

	while (r->wrong == NULL) {
		skip_blanks(r);
		if (test && (*r->at == '(' || *r->at == '!')) {
			put_off(r, *r->at == '(' ? CP_TEST_OPEN : CP_TEST_NOT);
			r->at++;
		} else if (test) {
			read_test(r);
			if (r->depth != 0 &&
			    r->pending[r->depth - 1].kind == CP_TEST_NOT)
				add(r, r->pending[--r->depth]);
			test = false;
		} else if (*r->at == '\0') {
			break;
		} else {
			test = read_join(r);
		}
	}
	settle(r, CP_TEST_OR);
	if (r->depth != 0)
		fail(r, "a ) at the end");
}

/* Splits "EVENT: EXPRESSION"; a tracepoint's name has a colon of its own. */
static const char *
read_event(struct cp_payload_filter *f, const char *text)
{
	const char *end = text;

	while (word_char(*end) || (*end != '\0' && strchr(":-*?/", *end)))
		end++;
	if (end == text || end[-1] != ':')
		return text;
	f->event = cp_arena_strndup(&f->arena, text, (size_t)(end - 1 - text));
	return end;
}

int
cp_payload_filters_init(
    cp_payload_filters *all, const cp_words *texts, struct cp_diags *diags)
{
	for (size_t i = 0; i < texts->len; i++) {
		struct cp_payload_filter *f = cp_xcalloc(1, sizeof(*f));
		struct reading *r = cp_xcalloc(1, sizeof(*r));
		const char *text = texts->data[i] + strspn(texts->data[i], " ");
		bool ok;

		*cp_vec_push(all) = f;
		f->text = texts->data[i];
		r->f = f;
		r->at = read_event(f, text);
		if (f->event != NULL &&
		    cp_pattern_init(&f->events, f->event) != CP_OK)
			fail(r, "the name of an event");
		read_expression(r);
		ok = r->wrong == NULL;
		if (!ok)
			cp_diag(diags, CP_D_USAGE,
			    "--filter %.200s: at `%.40s' there must be %s",
			    f->text, *r->wrong != '\0' ? r->wrong : "the end",
			    r->wanted);
		free(r);
		if (!ok)
			return CP_FAIL;
	}
	return CP_OK;
}

void
cp_payload_filters_free(cp_payload_filters *all)
{
	for (size_t i = 0; i < all->len; i++) {
		struct cp_payload_filter *f = all->data[i];

		for (size_t k = 0; k < f->nodes.len; k++)
			if (f->nodes.data[k].pattern.text != NULL)
				cp_pattern_free(&f->nodes.data[k].pattern);
		if (f->events.text != NULL)
			cp_pattern_free(&f->events);
		cp_vec_free(&f->nodes);
		cp_vec_free(&f->by_evsel);
		cp_arena_free(&f->arena);
		free(f);
	}
	cp_vec_free(all);
}
