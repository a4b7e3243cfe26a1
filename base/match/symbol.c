/* SPDX-License-Identifier: MIT */
/*
 * symbol: does a pattern match a function?
 *
 * A function has several names: the whole one, one without parameters, the
 * short form that tables show, and that without template arguments.  Each is
 * compared, and what is left of each after its outer namespaces, packages and
 * folders.
 */
#include <ctype.h>

#include "base/match/pattern.h"
#include "base/match/short-name.h"
#include "base/match/simplify.h"

/* Longer names are compared whole only, not in their other forms. */
#define MAX_NAME 4096
#define ELLIPSIS "…"
#define ARGUMENTS "<…>"
#define TWINS " (= "

/* ------------------------------------------------------------------ forms */

/* Returns the bytes of the name without " (inlined)". */
static size_t
plain_length(const char *name)
{
	size_t n = strlen(name), m = strlen(CP_INLINED);

	return n > m && strcmp(name + n - m, CP_INLINED) == 0 ? n - m : n;
}

/* The type of a template function's result, before a blank. */
static const char *
past_result(const char *s)
{
	const char *end = s;
	size_t depth = 0;

	for (const char *c = s; *c != '\0'; c++) {
		if (strncmp(c, "operator", 8) == 0)
			break;
		if (*c == ' ' && depth == 0)
			end = c + 1;
		depth += strchr("<([{", *c) != NULL;
		depth -= depth != 0 && strchr(">)]}", *c) != NULL;
	}
	return end;
}

void
cp_symbol_bare(struct cp_buf *b, const char *name)
{
	struct cp_buf plain, brief;
	const char *s, *at;

	cp_buf_init(&plain, SIZE_MAX / 2);
	cp_buf_init(&brief, SIZE_MAX / 2);
	at = strstr(name, " [clone ");
	cp_buf_add(&plain, name,
	    at != NULL ? (size_t)(at - name) : plain_length(name));
	cp_short_name(&brief, cp_buf_text(&plain));
	s = past_result(cp_buf_text(&brief));
	for (; (at = strstr(s, ARGUMENTS)) != NULL; s = at + strlen(ARGUMENTS))
		cp_buf_add(b, s, (size_t)(at - s));
	cp_buf_str(b, s);
	cp_buf_free(&plain);
	cp_buf_free(&brief);
}

/* ---------------------------------------------------------------- compare */

/* Compares what is left after each separator. */
static bool
fits_parts(const struct cp_pattern *p, const char *name, bool slash)
{
	while ((name = cp_name_part(name, slash)) != NULL)
		if (cp_pattern_fits(p, name))
			return true;
	return false;
}

static bool
fits_end(const struct cp_pattern *p, const char *name)
{
	if (cp_pattern_fits(p, name))
		return true;
	if (p->kind == CP_PATTERN_REGEX)
		return false;
	if (fits_parts(p, name, false) || fits_parts(p, name, true))
		return true;
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

static bool
fits_clones(const struct cp_pattern *p, char *name)
{
	do {
		if (fits_end(p, name))
			return true;
	} while (cut_clone(name));
	return false;
}

/* Compares all forms of a name that is no inlined instance's. */
static bool
fits_forms(const struct cp_pattern *p, const char *name)
{
	char whole[MAX_NAME];
	struct cp_buf b;
	bool fits;

	if (fits_end(p, name))
		return true;
	if (strlen(name) >= sizeof(whole))
		return false;
	memcpy(whole, name, strlen(name) + 1);
	cp_drop_signature(whole);
	if (fits_end(p, whole))
		return true;
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_short_name(&b, name);
	fits = fits_end(p, cp_buf_text(&b));
	if (!fits) {
		cp_buf_reset(&b);
		cp_symbol_bare(&b, name);
		fits = b.len != 0 && fits_clones(p, b.data);
	}
	cp_buf_free(&b);
	return fits;
}

static char *
first_of(const char *s, size_t n)
{
	char *copy = cp_xmalloc(n + 1);

	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

/* Compares by the first n bytes of what was typed. */
static bool
fits_first(const struct cp_pattern *p, size_t n, const char *name,
    bool (*how)(const struct cp_pattern *, const char *))
{
	char *word = first_of(p->text, n);
	struct cp_pattern plain;
	bool fits = cp_pattern_init(&plain, word) == CP_OK && how(&plain, name);

	cp_pattern_free(&plain);
	free(word);
	return fits;
}

/* What is shown of the function that was inlined, before " (inlined)". */
static bool
fits_inlined(const struct cp_pattern *p, const char *name)
{
	size_t n = plain_length(name), typed = plain_length(p->text);
	char *text = first_of(name, n);
	bool fits = p->kind == CP_PATTERN_REGEX || p->text[typed] == '\0'
			? fits_forms(p, text)
			: fits_first(p, typed, text, fits_forms);

	free(text);
	return fits;
}

/* Returns the bytes up to a comma outside brackets, or to the end. */
static size_t
twin_length(const char *s, const char *end)
{
	size_t depth = 0;
	const char *c = s;

	for (; c < end; c++) {
		if (depth == 0 && *c == ',')
			break;
		depth += strchr("<([{", *c) != NULL;
		depth -= depth != 0 && strchr(">)]}", *c) != NULL;
	}
	return (size_t)(c - s);
}

/* Functions that a linker made one have all of their names: a (= b, c). */
static bool
fits_twins(const struct cp_pattern *p, const char *name, const char *more)
{
	const char *end = name + strlen(name) - 1;
	char twin[MAX_NAME];
	bool fits = cp_pattern_fits(p, name);

	for (const char *s = name; s < end && !fits;) {
		size_t n =
		    s == name ? (size_t)(more - name) : twin_length(s, end);

		if (n < sizeof(twin)) {
			memcpy(twin, s, n);
			twin[n] = '\0';
			fits = fits_forms(p, twin);
		}
		s = s == name ? more + strlen(TWINS) : s + n + strlen(", ");
	}
	return fits;
}

static bool
fits_symbol(const struct cp_pattern *p, const char *name)
{
	const char *more = strstr(name, TWINS);

	if (more != NULL && name[strlen(name) - 1] == ')')
		return fits_twins(p, name, more);
	if (name[plain_length(name)] == '\0')
		return fits_forms(p, name);
	/* The mark is a part of the name only for who types it. */
	return (strstr(p->text, "inlined") != NULL &&
		   cp_pattern_fits(p, name)) ||
	       fits_inlined(p, name);
}

/* --------------------------------------- names as tables and stacks have them
 */

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' ||
	       (unsigned char)c >= 0x80;
}

/* Is the word in the name, after a bracket that opened? */
static bool
has_argument(const char *name, const char *word, size_t n)
{
	bool string = n == 6 && memcmp(word, "string", 6) == 0;
	const char *s = name + strcspn(name, "<([");

	for (; *s != '\0'; s++) {
		if (is_word(s[-(s > name)]))
			continue;
		if (string && strncmp(s, "basic_string", 12) == 0 &&
		    !is_word(s[12]))
			return true;
		if (strncmp(s, word, n) == 0 && !is_word(s[n]))
			return true;
	}
	return false;
}

/*
 * Finds n bytes of what was typed, a bracket and its content, after the word
 * that is before them there; Rust has :: in between.  Parameters are no const
 * method's.  Returns the text of the name after it, or NULL.
 */
static const char *
past_same(const char *name, const char *typed, const char *bracket, size_t n)
{
	const char *word = bracket;
	size_t m;

	while (word > typed &&
	       (isalnum((unsigned char)word[-1]) || word[-1] == '_'))
		word--;
	m = (size_t)(bracket - word);
	for (const char *s = name; (s = strchr(s, *bracket)) != NULL; s++) {
		const char *end = s;

		if (end - name >= 2 && memcmp(end - 2, "::", 2) == 0)
			end -= 2;
		if (strncmp(s, bracket, n) == 0 && (size_t)(end - name) >= m &&
		    memcmp(end - m, word, m) == 0 &&
		    (*bracket != '(' || strncmp(s + n, " const", 6) != 0))
			return s + n;
	}
	return NULL;
}

/*
 * A bracket with one word of what it holds, <…Order>, (long), at s.  Returns
 * where it is closed; NULL: it is none.  Parameters end a name, or are a
 * lambda's.
 */
static const char *
past_marked(
    const char *s, const char *end, bool lambda, const char **word, size_t *n)
{
	const char *close = *s == '<' ? ">" : *s == '[' ? "]" : ")";
	size_t dots = strlen(ELLIPSIS);

	*word = s + 1;
	if (strncmp(*word, ELLIPSIS, dots) == 0)
		*word += dots;
	for (*n = 0;
	     is_word((*word)[*n]) && strncmp(*word + *n, ELLIPSIS, dots) != 0;)
		++*n;
	s = *word + *n;
	if (strncmp(s, ELLIPSIS, dots) == 0)
		s += dots;
	if (*n == 0 || *s != *close ||
	    (*close == ')' && s + 1 != end && !lambda))
		return NULL;
	return s + 1;
}

/*
 * map<…Order>::at is at of a map<…> that has the word among its arguments, as a
 * table tells it from other maps.
 */
static bool
fits_marked(const struct cp_pattern *p, const char *name)
{
	const char *end = p->text + plain_length(p->text), *word, *next;
	const char *rest = name;
	struct cp_buf plain;
	struct cp_pattern q;
	bool fits = false;
	size_t n;

	if (strpbrk(p->text, "<([") == NULL || p->kind == CP_PATTERN_REGEX ||
	    (*end != '\0' && name[plain_length(name)] == '\0'))
		return false;
	cp_buf_init(&plain, SIZE_MAX / 2);
	for (const char *s = p->text; s < end; s = next) {
		bool lambda =
		    s - p->text >= 7 && memcmp(s - 7, "{lambda", 7) == 0;

		next = strchr("<([", *s) != NULL
			   ? past_marked(s, end, lambda, &word, &n)
			   : NULL;
		if (next == NULL) {
			cp_buf_char(&plain, *s);
			next = s + 1;
			continue;
		}
		if (next - s == (ptrdiff_t)n + 2) {
			rest = past_same(rest, p->text, s, n + 2);
			fits = rest != NULL;
		} else {
			fits = has_argument(name, word, n);
		}
		if (!fits)
			break;
		if (*s != '(')
			cp_buf_str(&plain, *s == '<' ? ARGUMENTS : "[…]");
	}
	if (fits && cp_pattern_init(&q, cp_buf_text(&plain)) == CP_OK) {
		fits = fits_symbol(&q, name);
		cp_pattern_free(&q);
	}
	cp_buf_free(&plain);
	return fits;
}

/* Does a bracket of it stay open, "f<fn"? */
static bool
is_cut(const char *text)
{
	size_t open = 0, shut = 0;

	for (; *text != '\0'; text++) {
		open += *text == '<';
		shut += *text == '>';
	}
	return open > shut;
}

/*
 * Folded stacks cut a name at its parameters, and write _[k] after those of
 * kernels, _[i] after inlined ones, _[j] after those of a JIT.
 */
static bool
fits_folded(const struct cp_pattern *p, const char *name)
{
	size_t typed = strlen(p->text), n = strcspn(name, "(");
	bool marked = typed > 4 && p->text[typed - 1] == ']' &&
		      memcmp(p->text + typed - 4, "_[", 2) == 0 &&
		      strchr("ijk", p->text[typed - 2]) != NULL;

	if (marked)
		typed -= 4;
	if (!marked && memchr(p->text, ' ', typed) == NULL && !is_cut(p->text))
		return false;
	if (marked && fits_first(p, typed, name, fits_symbol))
		return true;
	return n == typed && memcmp(p->text, name, n) == 0;
}

/* A number, ~3, is of the row of a table: all that look like it fit. */
static bool
fits_numbered(const struct cp_pattern *p, const char *name)
{
	size_t n = strlen(p->text), digits = 0;

	while (digits < n && isdigit((unsigned char)p->text[n - 1 - digits]))
		digits++;
	n -= digits;
	return digits != 0 && n > 1 && p->text[n - 1] == '~' &&
	       fits_first(p, n - 1, name, fits_symbol);
}

/* What looks like a range may be a name that is cut: f1…2. */
static bool
fits_cut(const struct cp_pattern *p, const char *name)
{
	struct cp_pattern glob = *p;

	glob.kind = CP_PATTERN_GLOB;
	return p->kind == CP_PATTERN_RANGE && fits_symbol(&glob, name);
}

/* Of a (= b) that is typed the first name suffices. */
bool
cp_pattern_fits_symbol(const struct cp_pattern *p, const char *name)
{
	const char *more =
	    p->kind != CP_PATTERN_REGEX ? strstr(p->text, TWINS) : NULL;

	if (more != NULL)
		return fits_first(
		    p, (size_t)(more - p->text), name, fits_symbol);
	return fits_symbol(p, name) || fits_cut(p, name) ||
	       (p->kind != CP_PATTERN_REGEX &&
		   (fits_marked(p, name) || fits_folded(p, name) ||
		       fits_numbered(p, name)));
}
