/* SPDX-License-Identifier: MIT */
/*
 * again: filters that a snapshot tells.  Someone will paste them into a shell,
 * so they must be no other words than told.c writes.
 */
#include "run/filter/filter.h"

#include <string.h>

#include "base/shell-word.h"

/* Of numbers and moments. */
#define NUMBERS "0123456789+-,.:%/TZhmnsui"

static const struct {
	const char *name;
	bool number;
} options[] = { { "--event", false }, { "--comm", false }, { "--pid", true },
	{ "--tid", true }, { "--cpu", true }, { "--cgroup", false },
	{ "--filter", false }, { "--dso", false }, { "--symbol", false },
	{ "--focus", false }, { "--time", true }, { "--clock-offset", true } };

/*
 * Returns the bytes of 'text' or $'text'; 0: it has no end.  Between the latter
 * a backslash begins an octal number.
 */
static size_t
quoted_len(const char *s)
{
	bool numbers = *s == '$';
	const char *c = s + numbers;

	if (*c++ != '\'')
		return 0;
	for (; *c != '\0' && *c != '\''; c++)
		if (numbers && *c == '\\' &&
		    (c[1] == '\0' || strspn(c + 1, "01234567") < 3))
			return 0;
	return *c != '\0' ? (size_t)(c - s) + 1 : 0;
}

/* Returns the bytes of the word that a shell takes; 0: no word of ours. */
static size_t
word_len(const char *s)
{
	size_t n = 0, some;

	while (s[n] != '\0' && s[n] != ' ') {
		some = strspn(s + n, CP_SHELL_PLAIN);
		if (some == 0 && strncmp(s + n, "\\'", 2) == 0)
			some = 2;
		else if (some == 0)
			some = quoted_len(s + n);
		if (some == 0)
			return 0;
		n += some;
	}
	return n;
}

static bool
is_word(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(s, word, n) == 0;
}

/* Finds the option of that name; -1: no filter. */
static int
option_of(const char *s, size_t n)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(options); i++)
		if (is_word(s, n, options[i].name))
			return (int)i;
	return -1;
}

/* An option and its value, as told. */
struct told {
	int option;
	size_t name, value; /* bytes */
};

/* Returns the bytes read; 0: no filter. */
static size_t
read_option(const char *s, struct told *t)
{
	t->name = word_len(s);
	t->option = option_of(s, t->name);
	if (t->option < 0 || s[t->name] != ' ')
		return 0;
	t->value = word_len(s + t->name + 1);
	return t->value != 0 ? t->name + 1 + t->value : 0;
}

/* Adds an option with its value.  Returns the bytes read; 0: no filter. */
static size_t
put_again(const char *told, bool redact, struct cp_buf *b)
{
	struct told t;
	size_t n = read_option(told, &t);
	const char *value;

	if (n == 0)
		return 0;
	value = told + t.name + 1;
	cp_buf_add(b, told, t.name + 1);
	if (redact &&
	    (!options[t.option].number || strspn(value, NUMBERS) < t.value))
		cp_buf_str(b, "...");
	else
		cp_buf_add(b, value, t.value);
	return n;
}

/* Returns the bytes between two options. */
static size_t
between(const char *told)
{
	return strncmp(told, " then ", 6) == 0 ? 6 : *told == ' ';
}

bool
cp_filter_next_windows(const char **told, cp_windows *out)
{
	const char *s = *told;
	struct cp_buf b;
	struct told t;
	size_t n;
	bool any = false;

	cp_buf_init(&b, SIZE_MAX / 2);
	while ((n = read_option(s, &t)) != 0) {
		if (is_word(s, t.name, "--time")) {
			cp_buf_reset(&b);
			cp_buf_add(&b, s + t.name + 1, t.value);
			any |= cp_windows_parse(cp_buf_text(&b), out);
		}
		s += n;
		n = between(s);
		s += n;
		/* What follows was chosen of that. */
		if (any && n > 1)
			break;
	}
	cp_buf_free(&b);
	*told = s;
	return any;
}

void
cp_filter_again(const char *told, bool redact, struct cp_buf *b)
{
	size_t from = b->len, n;

	while (*told != '\0') {
		n = put_again(told, redact, b);
		told += n;
		if (*told != '\0' && n != 0) {
			n = between(told);
			cp_buf_add(b, told, n);
			told += n;
			n = *told != '\0' ? n : 0;
		}
		if (n == 0) {
			b->len = from;
			cp_buf_str(b, "...");
			return;
		}
	}
}
