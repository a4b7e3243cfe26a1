/* SPDX-License-Identifier: MIT */
#include "base/match/pattern.h"

#include "base/mem.h"

/* Longer names are compared whole only, not without their parameters. */
#define MAX_NAME 4096

/* ----------------------------------------------------------------- words */

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

int
cp_pattern_init(struct cp_pattern *p, const char *text)
{
	char *regex = regex_text(text);
	int status = CP_OK;

	*p = (struct cp_pattern){ .text = text };
	if (regex == NULL) {
		p->kind = strpbrk(text, "*?") != NULL ? CP_PATTERN_GLOB
						      : CP_PATTERN_NAME;
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
	p->kind = CP_PATTERN_NAME;
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
	case CP_PATTERN_GLOB: return glob_fits(p->text, name);
	case CP_PATTERN_REGEX: return regexec(&p->regex, name, 0, NULL, 0) == 0;
	default: return false;
	}
}

/* --------------------------------------------------------------- symbols */

/* Returns the end of the group that opens at s; NULL: it is not closed. */
static const char *
group_end(const char *s)
{
	unsigned depth = 0;

	for (; *s != '\0'; s++) {
		if (strchr("(<{[", *s) != NULL)
			depth++;
		/* The arrow of "decltype (x->y)" closes nothing. */
		if (*s == '-' && s[1] == '>')
			s++;
		else if (strchr(")>}]", *s) != NULL && --depth == 0)
			return s + 1;
	}
	return NULL;
}

static bool
in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* Returns the length of "operator" and its symbol at s; 0: no operator. */
static size_t
operator_length(const char *name, const char *s)
{
	size_t n = sizeof("operator") - 1;

	if (strncmp(s, "operator", n) != 0 || in_word(s[n]) ||
	    (s != name && in_word(s[-1])))
		return 0;
	if (strncmp(s + n, "()", 2) == 0 || strncmp(s + n, "[]", 2) == 0)
		return n + 2;
	if (s[n] == ' ') /* operator new, operator bool */
		return n + strcspn(s + n, "(<");
	return n + strspn(s + n, "<>=!+-*/%^&|~,");
}

/* True if the name ends at this parenthesis: only qualifiers follow. */
static bool
ends_name(const char *after)
{
	return *after == '\0' || *after == ' ' || *after == '[';
}

struct bare {
	char *out;
	size_t n, size;
};

static void
bare_add(struct bare *b, const char *s, size_t n)
{
	n = CP_MIN(n, b->size - 1 - b->n);
	memcpy(b->out + b->n, s, n);
	b->n += n;
}

/*
 * Copies or skips the group at s.  Returns its end; NULL: the name ends here.
 */
static const char *
bare_group(struct bare *b, const char *s)
{
	const char *end = group_end(s);

	if (end == NULL) {
		bare_add(b, s, strlen(s));
		return NULL;
	}
	/* In "<T as Trait>::f" the group at the start is part of the name. */
	if (*s == '<' && b->n != 0)
		return end;
	if (*s == '(' && b->n != 0 && ends_name(end))
		return NULL;
	bare_add(b, s, (size_t)(end - s));
	return end;
}

void
cp_symbol_bare(const char *name, char *out, size_t size)
{
	struct bare b = { .out = out, .size = size };
	const char *s = name;

	while (s != NULL && *s != '\0') {
		size_t n = operator_length(name, s);

		if (n == 0 && strchr("(<{[", *s) != NULL) {
			s = bare_group(&b, s);
			continue;
		}
		if (n == 0)
			n = 1;
		/*
		 * Text before a space was a return type; but not in "operator<
		 * <".
		 */
		if (*s == ' ' && s[1] != '<')
			b.n = 0;
		else if (*s != ' ')
			bare_add(&b, s, n);
		s += n;
	}
	out[b.n] = '\0';
}

static bool
fits_end(const struct cp_pattern *p, const char *name)
{
	if (cp_pattern_fits(p, name))
		return true;
	if (p->kind == CP_PATTERN_REGEX)
		return false;
	while ((name = strstr(name, "::")) != NULL) {
		name += 2;
		if (cp_pattern_fits(p, name))
			return true;
	}
	return false;
}

/* Cuts one suffix of gcc's clones off: .cold, .isra.0 */
static bool
cut_clone(char *name)
{
	static const char *const words[] = { ".isra", ".constprop", ".part",
		".cold" };
	size_t n = strlen(name), end = n;

	while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	end = n > 0 && n < end && name[n - 1] == '.' ? n - 1 : end;
	for (size_t i = 0; i < CP_ARRAY_LEN(words); i++) {
		n = strlen(words[i]);
		if (end > n && memcmp(name + end - n, words[i], n) == 0) {
			name[end - n] = '\0';
			return true;
		}
	}
	return false;
}

bool
cp_pattern_fits_symbol(const struct cp_pattern *p, const char *name)
{
	char bare[MAX_NAME];

	if (fits_end(p, name))
		return true;
	if (strlen(name) >= sizeof(bare))
		return false;
	cp_symbol_bare(name, bare, sizeof(bare));
	if (fits_end(p, bare))
		return true;
	while (cut_clone(bare))
		if (fits_end(p, bare))
			return true;
	return false;
}
