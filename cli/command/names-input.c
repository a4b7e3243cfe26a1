/* SPDX-License-Identifier: MIT */
#include "cli/command/names-input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"

/* A part of the line. */
struct word {
	const char *at;
	size_t n;
};

static bool
is(struct word w, const char *text)
{
	return w.n == strlen(text) && memcmp(w.at, text, w.n) == 0;
}

static bool
take_id(struct cp_names_line *l, struct word w)
{
	size_t n = w.n;

	for (size_t i = 0; i < n; i++)
		if (cp_hex_digit(w.at[i]) < 0)
			return false;
	if (n < 2 || n % 2 != 0 || n > 2 * sizeof(l->id))
		return false;
	l->id_size = (uint8_t)cp_hex_read(w.at, n, l->id, sizeof(l->id));
	return l->id_size != 0;
}

static bool
take_address(struct cp_names_line *l, struct word w)
{
	bool hex = w.n > 2 && w.at[0] == '0' && (w.at[1] | 0x20) == 'x';
	bool minus = w.n > 1 && w.at[0] == '-';
	size_t skip = hex ? 2 : minus;
	char text[24], *end;

	if (w.n >= sizeof(text) || w.n <= skip || cp_hex_digit(w.at[skip]) < 0)
		return false;
	memcpy(text, w.at, w.n);
	text[w.n] = '\0';
	errno = 0;
	l->addr = strtoull(text + skip, &end, hex ? 16 : 10);
	if (minus)
		l->addr = 0 - l->addr;
	return errno == 0 && *end == '\0';
}

/* ------------------------------------------------------------------ csv */

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Reads a field without the spaces and quotes around it. */
static struct word
field(const char **at)
{
	struct word w = { *at, strcspn(*at, ",") };

	*at += w.n + ((*at)[w.n] == ',');
	while (w.n != 0 && is_space(w.at[w.n - 1]))
		w.n--;
	while (w.n != 0 && is_space(w.at[0]))
		w.at++, w.n--;
	if (w.n >= 2 && w.at[0] == '"' && w.at[w.n - 1] == '"')
		w = (struct word){ w.at + 1, w.n - 2 };
	return w;
}

/* ----------------------------------------------------------------- json */

static void
skip_spaces(const char **at)
{
	while (is_space(**at))
		++*at;
}

/* Reads a text in quotes, without decoding its escapes. */
static bool
quoted(const char **at, struct word *w)
{
	const char *s = *at + 1;

	w->at = s;
	for (; *s != '"'; s++) {
		if (*s == '\\')
			s++;
		if (*s == '\0')
			return false;
	}
	w->n = (size_t)(s - w->at);
	*at = s + 1;
	return true;
}

/* Reads a text in quotes, or the characters up to the next comma or brace. */
static bool
value(const char **at, struct word *w)
{
	if (**at == '"')
		return quoted(at, w);
	w->at = *at;
	w->n = strcspn(*at, ",{}[] \t\r\n\"");
	*at += w->n;
	return w->n != 0;
}

static bool
member(const char **at, struct word *key, struct word *v)
{
	skip_spaces(at);
	if (**at != '"' || !quoted(at, key))
		return false;
	skip_spaces(at);
	if (*(*at)++ != ':')
		return false;
	skip_spaces(at);
	if (!value(at, v))
		return false;
	skip_spaces(at);
	return **at == ',' || **at == '}';
}

static bool
parse_object(struct cp_names_line *l, const char *at)
{
	bool id = false, addr = false;
	struct word key, v;

	do {
		at++; /* the brace, or a comma */
		if (!member(&at, &key, &v))
			return false;
		if (is(key, "build_id") || is(key, "buildid"))
			id = take_id(l, v);
		else if (is(key, "address") || is(key, "addr"))
			addr = take_address(l, v);
	} while (*at == ',');
	return id && addr;
}

bool
cp_names_header(const char *line)
{
	struct cp_names_line l;
	const char *at = line;
	struct word id, addr;

	skip_spaces(&at);
	if (*at == '{')
		return false;
	id = field(&at);
	addr = field(&at);
	return id.n != 0 && addr.n != 0 && !take_id(&l, id) &&
	       !take_address(&l, addr);
}

bool
cp_names_parse(struct cp_names_line *l, const char *line)
{
	const char *at = line;
	struct word id;

	skip_spaces(&at);
	if (*at == '{')
		return parse_object(l, at);
	id = field(&at);
	return take_id(l, id) && take_address(l, field(&at));
}
