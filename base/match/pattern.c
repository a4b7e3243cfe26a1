/* SPDX-License-Identifier: MIT */
#include "base/match/pattern.h"

#include "base/mem.h"

#define ELLIPSIS "…"

/* Returns a malloc'ed copy of the text in "/text/"; NULL: no such form. */
static char *
regex_text(const char *word)
{
	size_t n = strlen(word);
	char *text;

	if (n < 3 || word[0] != '/' || word[n - 1] != '/')
		return NULL;
	text = cp_xmalloc(n - 1);
	memcpy(text, word + 1, n - 2);
	text[n - 2] = '\0';
	return text;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Is the text a pool's name, worker/0…63: a range of numbers at `at'? */
static bool
is_range(const char *text, const char *at)
{
	return at > text && is_digit(at[-1]) &&
	       is_digit(at[strlen(ELLIPSIS)]) &&
	       strstr(at + 1, ELLIPSIS) == NULL;
}

/*
 * Makes a glob of a name that was cut: what an ellipsis stands for is not
 * known.  In sum<…Up> the word is one of several arguments.
 */
static char *
glob_of_cut(const char *text, const char *at)
{
	char *glob = cp_xmalloc(2 * strlen(text) + 1), *to = glob;
	bool cut = false;
	size_t open = 0;

	for (const char *s = text; *s != '\0'; s++) {
		if (s == at) {
			*to++ = '*';
			s += strlen(ELLIPSIS) - 1;
			at = strstr(s, ELLIPSIS);
			cut = true;
			continue;
		}
		open += strchr("<(", *s) != NULL;
		if (strchr(">)", *s) != NULL && open != 0) {
			open--;
			if (cut && to[-1] != '*')
				*to++ = '*';
		}
		*to++ = *s;
	}
	*to = '\0';
	return glob;
}

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       is_digit(c) || c == '_';
}

static bool
ends_with(const char *text, const char *at, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(at - text) >= n && memcmp(at - n, word, n) == 0;
}

/*
 * Is the * one that names have?  operator*, operator->*, (char*), Go's
 * p.(*T).f, V8's JS:*f.
 */
static bool
is_of_name(const char *text, const char *at)
{
	const char *before = at;

	while (before > text && strchr("*-><=&", before[-1]) != NULL)
		before--;
	if (ends_with(text, before, "operator") ||
	    (ends_with(text, at, ".(") && is_word(at[1])))
		return true;
	if (ends_with(text, at, ":"))
		return strncmp(text, "JS:*", 4) == 0 ||
		       strncmp(text, "LazyCompile:*", 13) == 0 ||
		       strncmp(text, "Function:*", 10) == 0;
	return before > text && at[1] != '\0' && strchr(",)>&*", at[1]) &&
	       (is_word(before[-1]) || at > before) &&
	       memchr(text, '(', (size_t)(at - text)) != NULL;
}

static bool
has_wildcards(const char *text)
{
	for (const char *s = text; (s = strpbrk(s, "*?")) != NULL; s++)
		if (*s == '?' || !is_of_name(text, s))
			return true;
	return false;
}

static void
init_word(struct cp_pattern *p)
{
	const char *at = strstr(p->text, ELLIPSIS);

	p->kind = CP_PATTERN_NAME;
	if (at != NULL && is_range(p->text, at)) {
		p->kind = CP_PATTERN_RANGE;
		p->glob = glob_of_cut(p->text, at);
	} else if (at != NULL) {
		p->kind = CP_PATTERN_GLOB;
		p->glob = glob_of_cut(p->text, at);
	} else if (has_wildcards(p->text)) {
		p->kind = CP_PATTERN_GLOB;
	}
}

int
cp_pattern_init(struct cp_pattern *p, const char *text)
{
	char *regex = regex_text(text);
	int status = CP_OK;

	*p = (struct cp_pattern){ .text = text };
	if (regex == NULL) {
		init_word(p);
		return CP_OK;
	}
	if (regcomp(&p->regex, regex, REG_EXTENDED | REG_NOSUB) == 0)
		p->kind = CP_PATTERN_REGEX;
	else
		status = CP_FAIL;
	free(regex);
	return status;
}

void
cp_pattern_free(struct cp_pattern *p)
{
	if (p->kind == CP_PATTERN_REGEX)
		regfree(&p->regex);
	free(p->glob);
	*p = (struct cp_pattern){ .text = p->text };
}

/* Backtracks to the last * only, so the time is the product of the lengths. */
static bool
glob_fits(const char *glob, const char *s)
{
	const char *star = NULL, *retry = NULL;

	while (*s != '\0') {
		if (*glob == '*') {
			star = ++glob;
			retry = s;
		} else if (*glob == '?' || *glob == *s) {
			glob++;
			s++;
		} else if (star != NULL) {
			glob = star;
			s = ++retry;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return *glob == '\0';
}

/* Does the name have the pool's text, and a number in its range? */
static bool
range_fits(const char *range, const char *name)
{
	const char *dots = strstr(range, ELLIPSIS), *from = dots, *end;
	const char *last = dots + strlen(ELLIPSIS);
	size_t n, digits;

	while (from > range && is_digit(from[-1]))
		from--;
	n = (size_t)(from - range);
	if (strncmp(range, name, n) != 0)
		return false;
	name += n;
	digits = strspn(name, "0123456789");
	if (digits == 0 || digits > 18)
		return false;
	end = last + strspn(last, "0123456789");
	return strcmp(name + digits, end) == 0 &&
	       strtoull(name, NULL, 10) >= strtoull(from, NULL, 10) &&
	       strtoull(name, NULL, 10) <= strtoull(last, NULL, 10);
}

/* Reads n hexadecimal digits; -1: there are fewer. */
static long
hex_digits(const char *s, size_t n)
{
	char digits[5] = { 0 };

	if (strspn(s, "0123456789abcdef") < n)
		return -1;
	memcpy(digits, s, n);
	return strtol(digits, NULL, 16);
}

/*
 * Writes the bytes that outputs show as the "\x0a" or "\u200b" at s.  Returns
 * how many; 0: there is no such text.
 */
static size_t
shown_bytes(const char *s, char *out)
{
	bool byte = strncmp(s, "\\x", 2) == 0;
	long c = byte || strncmp(s, "\\u", 2) == 0
		     ? hex_digits(s + 2, byte ? 2 : 4)
		     : -1;
	size_t n = 0;

	if (c <= 0)
		return 0;
	if (byte) {
		out[n++] = (char)c;
	} else {
		if (c >= 0x800)
			out[n++] = (char)(0xe0 | c >> 12);
		out[n++] =
		    (char)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6);
		out[n++] = (char)(0x80 | (c & 0x3f));
	}
	return n;
}

/* True if the word is the name, perhaps as outputs show it. */
static bool
is_name(const char *word, const char *name)
{
	char bytes[4];
	size_t n;

	if (strcmp(word, name) == 0)
		return true;
	for (; *name != '\0'; name += n) {
		n = shown_bytes(word, bytes);
		if (n != 0 && strncmp(name, bytes, n) == 0) {
			word += n == 1 ? 4 : 6;
			continue;
		}
		if (*word != *name)
			return false;
		n = 1;
		word++;
	}
	return *word == '\0';
}

bool
cp_pattern_fits(const struct cp_pattern *p, const char *name)
{
	if (is_name(p->text, name))
		return true;
	switch (p->kind) {
	case CP_PATTERN_GLOB:
		return glob_fits(p->glob != NULL ? p->glob : p->text, name);
	case CP_PATTERN_RANGE: return range_fits(p->text, name);
	case CP_PATTERN_REGEX: return regexec(&p->regex, name, 0, NULL, 0) == 0;
	default: return false;
	}
}
