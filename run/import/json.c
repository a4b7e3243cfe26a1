/* SPDX-License-Identifier: MIT */
#include "run/import/json.h"

#include <math.h>

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' ||
	       c == ':';
}

/* Returns the offset after the text that begins at i; 0: it has no end. */
static size_t
text_end(struct cp_text t, size_t i)
{
	for (i++; i < t.n; i++) {
		if (t.s[i] == '\\')
			i++;
		else if (t.s[i] == '"')
			return i + 1;
	}
	return 0;
}

static size_t
word_end(struct cp_text t, size_t i)
{
	size_t from = i;

	while (i < t.n &&
	       (strchr("+-.", t.s[i]) != NULL ||
		   (t.s[i] >= '0' && t.s[i] <= '9') ||
		   (t.s[i] >= 'a' && t.s[i] <= 'z') || t.s[i] == 'E') &&
	       t.s[i] != '\0')
		i++;
	return i != from && i < t.n ? i : 0;
}

/* Does the bracket at i close that value? */
static bool
closes(const struct cp_json *j, uint32_t v, size_t i)
{
	return j->text.s[j->all.data[v].at] ==
	       (j->text.s[i] == '}' ? '{' : '[');
}

/*
 * Commas and colons are taken for blanks: profiles are written by programs, and
 * whoever reads them asks for names and types.
 */
bool
cp_json_parse(struct cp_json *j, struct cp_text t)
{
	size_t depth = 0, i = 0;

	*j = (struct cp_json){ .text = t };
	cp_buf_init(&j->plain, SIZE_MAX / 2);
	for (;;) {
		size_t end = i + 1;

		while (i < t.n && is_blank(t.s[i]))
			i++;
		if (i >= t.n || (j->all.len != 0 && depth == 0))
			break;
		end = i + 1;
		if (t.s[i] == '}' || t.s[i] == ']') {
			if (depth == 0 || !closes(j, j->open[depth - 1], i))
				break;
			j->all.data[j->open[--depth]].next =
			    (uint32_t)j->all.len;
			j->whole = depth == 0;
			i = end;
			continue;
		}
		if (t.s[i] == '"')
			end = text_end(t, i);
		else if (t.s[i] != '{' && t.s[i] != '[')
			end = word_end(t, i);
		if (end == 0 || depth == CP_JSON_DEPTH)
			break;
		*cp_vec_push(&j->all) =
		    (struct cp_json_value){ (uint32_t)i, (uint32_t)j->all.len };
		if (t.s[i] == '{' || t.s[i] == '[')
			j->open[depth++] = (uint32_t)j->all.len - 1;
		i = end;
	}
	j->bad = CP_MIN(i, t.n);
	j->depth = depth;
	while (depth > 0)
		j->all.data[j->open[--depth]].next = (uint32_t)j->all.len;
	return j->whole && j->bad == t.n;
}

void
cp_json_free(struct cp_json *j)
{
	cp_vec_free(&j->all);
	cp_buf_free(&j->plain);
}

static char
type_of(const struct cp_json *j, uint32_t v)
{
	return v < j->all.len ? j->text.s[j->all.data[v].at] : '\0';
}

bool
cp_json_is_array(const struct cp_json *j, uint32_t v)
{
	return type_of(j, v) == '[';
}

bool
cp_json_is_cut(const struct cp_json *j, uint32_t v)
{
	for (size_t i = 0; i < j->depth; i++)
		if (j->open[i] == v)
			return true;
	return false;
}

uint32_t
cp_json_first(const struct cp_json *j, uint32_t array)
{
	if (type_of(j, array) != '[' && type_of(j, array) != '{')
		return 0;
	return j->all.data[array].next > array + 1 ? array + 1 : 0;
}

uint32_t
cp_json_after(const struct cp_json *j, uint32_t array, uint32_t item)
{
	uint32_t next = j->all.data[item].next;

	return next < j->all.data[array].next ? next : 0;
}

/* The member's name has no escapes in what is looked for. */
static bool
is_named(const struct cp_json *j, uint32_t key, const char *name, size_t n)
{
	const char *s = j->text.s + j->all.data[key].at;

	return s[0] == '"' && j->all.data[key].at + n + 2 <= j->text.n &&
	       memcmp(s + 1, name, n) == 0 && s[n + 1] == '"';
}

static uint32_t
member(const struct cp_json *j, uint32_t object, const char *name, size_t n)
{
	if (type_of(j, object) != '{')
		return 0;
	for (uint32_t key = cp_json_first(j, object); key != 0;) {
		uint32_t value = cp_json_after(j, object, key);

		if (value == 0)
			break;
		if (is_named(j, key, name, n))
			return value;
		key = cp_json_after(j, object, value);
	}
	return 0;
}

uint32_t
cp_json_member(const struct cp_json *j, uint32_t object, const char *name)
{
	return member(j, object, name, strlen(name));
}

uint32_t
cp_json_path(const struct cp_json *j, uint32_t v, const char *path)
{
	for (size_t n; *path != '\0'; path += n + (path[n] == '/')) {
		n = strcspn(path, "/");
		v = member(j, v, path, n);
		if (v == 0)
			return 0;
	}
	return v;
}

bool
cp_json_double(const struct cp_json *j, uint32_t v, double *out)
{
	char digits[40], *end, c = type_of(j, v);
	size_t n;

	if (v == 0 || (c != '-' && (c < '0' || c > '9')))
		return false;
	n = CP_MIN(sizeof(digits) - 1, j->text.n - j->all.data[v].at);
	memcpy(digits, j->text.s + j->all.data[v].at, n);
	digits[n] = '\0';
	*out = strtod(digits, &end);
	return end != digits && isfinite(*out);
}

bool
cp_json_int(const struct cp_json *j, uint32_t v, int64_t *out)
{
	double d;

	if (!cp_json_double(j, v, &d) || d < -9e15 || d > 9e15)
		return false;
	*out = (int64_t)d;
	return true;
}

static void
add_code(struct cp_buf *b, unsigned c)
{
	if (c < 0x80) {
		cp_buf_char(b, (char)c);
	} else if (c < 0x800) {
		cp_buf_char(b, (char)(0xc0 | c >> 6));
		cp_buf_char(b, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		cp_buf_char(b, (char)(0xe0 | c >> 12));
		cp_buf_char(b, (char)(0x80 | (c >> 6 & 0x3f)));
		cp_buf_char(b, (char)(0x80 | (c & 0x3f)));
	} else {
		cp_buf_char(b, (char)(0xf0 | c >> 18));
		cp_buf_char(b, (char)(0x80 | (c >> 12 & 0x3f)));
		cp_buf_char(b, (char)(0x80 | (c >> 6 & 0x3f)));
		cp_buf_char(b, (char)(0x80 | (c & 0x3f)));
	}
}

/* Reads the four digits of "\u1234"; the text has at least its NUL after it. */
static unsigned
code_at(const char *s, const char *end)
{
	unsigned c = 0;

	if (end - s < 6 || s[0] != '\\' || s[1] != 'u')
		return 0;
	for (int i = 2; i < 6; i++) {
		int d = cp_hex_digit(s[i]);

		c = c << 4 | (unsigned)CP_MAX(d, 0);
	}
	return c;
}

struct cp_text
cp_json_string(struct cp_json *j, uint32_t v)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *end = j->text.s + j->text.n, *s;

	cp_buf_reset(&j->plain);
	if (v == 0 || type_of(j, v) != '"')
		return CP_LITERAL("");
	for (s = j->text.s + j->all.data[v].at + 1; s < end && *s != '"'; s++) {
		const char *known;
		unsigned c;

		if (*s != '\\' || s + 1 >= end) {
			cp_buf_char(&j->plain, *s);
			continue;
		}
		c = code_at(s, end);
		if (c != 0) {
			unsigned low = code_at(s + 6, end);

			s += 5;
			if (c >> 10 == 0x36 && low >> 10 == 0x37) {
				c = 0x10000 + ((c & 0x3ff) << 10) +
				    (low & 0x3ff);
				s += 6;
			}
			add_code(&j->plain, c);
			continue;
		}
		s++;
		known = strchr(from, *s);
		cp_buf_char(&j->plain,
		    known != NULL && *s != '\0' ? to[known - from] : *s);
	}
	return (struct cp_text){ cp_buf_text(&j->plain), j->plain.len };
}

double *
cp_json_numbers(const struct cp_json *j, uint32_t array, double none, size_t *n)
{
	CP_VEC(double) all = { 0 };

	*n = 0;
	if (array == 0 || type_of(j, array) != '[')
		return NULL;
	for (uint32_t v = cp_json_first(j, array); v != 0;
	     v = cp_json_after(j, array, v)) {
		double d = none;

		if (!cp_json_double(j, v, &d))
			d = none;
		*cp_vec_push(&all) = d;
	}
	*n = all.len;
	return all.data;
}
