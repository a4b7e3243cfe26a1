/* SPDX-License-Identifier: MIT */
#include "base/match/short-name.h"

#include <ctype.h>

#define ELLIPSIS "…"

enum { NOT_LONG = 32 }; /* bytes */

struct swap {
	const char *from, *to;
};

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/*
 * Returns the text after the bracket that closes the one at s; NULL if it stays
 * open.
 */
static const char *
past_bracket(const char *s)
{
	char open = *s, close = open == '<'   ? '>'
				: open == '(' ? ')'
				: open == '[' ? ']'
					      : '}';
	size_t depth = 0, round = 0;

	for (; *s != '\0'; s++) {
		/* A comparison inside a template argument is in parentheses. */
		if (open == '<' && *s == '(')
			round++;
		else if (open == '<' && *s == ')' && round != 0)
			round--;
		else if (round != 0 || (*s == '>' && s[-1] == '-'))
			continue;
		else if (*s == open)
			depth++;
		else if (*s == close && --depth == 0)
			return s + 1;
	}
	return NULL;
}

static size_t
begins(const char *s, const char *with)
{
	size_t n = strlen(with);

	return strncmp(s, with, n) == 0 ? n : 0;
}

/* Length of "operator" and its sign at s, or 0. */
static size_t
operator_length(const char *s)
{
	size_t n = begins(s, "operator");

	if (n == 0 || is_word(s[n]))
		return 0;
	if (begins(s + n, "()") || begins(s + n, "[]"))
		return n + 2;
	/* No sign has this bracket within: template arguments follow. */
	return n + strspn(s + n, s[n] == '<' ? "<=>" : ">=-!+*/%^&|~,");
}

/* True if the content of the bracket at s may be left out. */
static bool
opens_arguments(const char *name, const char *s)
{
	char before = s > name ? s[-1] : ' ';

	if (*s == '<')
		return s[1] != ' ' && (is_word(before) || before == ':');
	if (*s == '(')
		return is_word(before) || strchr(">]})!", before) != NULL;
	return *s == '[' && is_word(before) && s[1] != ']';
}

/* Skips the qualifiers of a method. */
static const char *
past_qualifiers(const char *s)
{
	static const char *const words[] = { " const", " volatile", "&&", "&" };

	for (size_t i = 0; i < CP_ARRAY_LEN(words); i++)
		s += begins(s, words[i]);
	return s;
}

/* Rust's f::<T> is f<…>, whose last name is f. */
static void
put_arguments(struct cp_buf *b)
{
	if (b->len >= 2 && memcmp(b->data + b->len - 2, "::", 2) == 0)
		b->len -= 2;
	cp_buf_str(b, "<" ELLIPSIS ">");
}

/* Writes the short form of a bracket in a name; returns the text after it. */
static const char *
put_bracket(struct cp_buf *b, const char *s, const char *end)
{
	if (begins(s, "<impl "))
		cp_buf_str(b, "<impl " ELLIPSIS ">");
	else if (*s == '<')
		put_arguments(b);
	else if (*s == '[')
		cp_buf_str(b, "[" ELLIPSIS "]");
	else if (s[-1] == '!') /* D's arguments of a template */
		cp_buf_str(b, "(" ELLIPSIS ")");
	else
		return past_qualifiers(end);
	return end;
}

/* Writes the usual name for one of std::string's spellings. */
static const char *
put_string(struct cp_buf *b, const char *s)
{
	static const char *const strings[] = {
		"std::__cxx11::basic_string<char", "std::basic_string<char",
		"std::__1::basic_string<char", "std::__ndk1::basic_string<char"
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(strings); i++) {
		size_t n = begins(s, strings[i]);
		const char *end;

		if (n == 0 || (s[n] != ',' && s[n] != '>'))
			continue;
		end = past_bracket(strchr(s, '<'));
		if (end != NULL)
			cp_buf_str(b, "std::string");
		return end;
	}
	return NULL;
}

/* Leaves out words that add little; returns the text after them. */
static const char *
put_swapped(struct cp_buf *b, const char *s)
{
	static const struct swap swaps[] = { { "(anonymous namespace)",
						 "(anon)" },
		{ "std::__cxx11::", "std::" }, { "std::__1::", "std::" },
		{ "std::__ndk1::", "std::" }, { "{lambda(", "{lambda" } };

	for (size_t i = 0; i < CP_ARRAY_LEN(swaps); i++) {
		size_t n = begins(s, swaps[i].from);
		const char *end = s + n;

		if (n == 0)
			continue;
		if (*swaps[i].from == '{')
			end = past_bracket(end - 1);
		if (end != NULL)
			cp_buf_str(b, swaps[i].to);
		return end;
	}
	return NULL;
}

/*
 * Writes the last name of a type: "&core::option::Option<T>" becomes
 * "&Option<…>".
 */
static void
put_type(struct cp_buf *b, const char *s, size_t n)
{
	size_t last = 0, depth = 0, end = n;

	for (size_t i = 0; i < n; i++) {
		bool close = s[i] == '>' || s[i] == ')' || s[i] == ']';

		if (s[i] == '<' || s[i] == '(' || s[i] == '[') {
			if (depth++ == 0 && i > last)
				end = CP_MIN(end, i);
		} else if (close && depth != 0 && s[i - 1] != '-') {
			depth--;
		} else if (depth == 0 && s[i] == ':') {
			last = i + 1;
			end = n;
		}
	}
	for (size_t i = 0; i < last && strchr("&*", s[i]) != NULL; i++)
		cp_buf_char(b, s[i]);
	cp_buf_add(b, s + last, end - last);
	if (end < n)
		cp_buf_str(b, "<" ELLIPSIS ">");
}

/* Rust's <Type as Trait>, from s up to end. */
static void
put_as(struct cp_buf *b, const char *s, const char *end)
{
	size_t depth = 0, at = 0, n = (size_t)(end - s) - 2;

	s++;
	for (size_t i = 0; i < n && at == 0; i++) {
		if (s[i] == '<' || s[i] == '(')
			depth++;
		else if (s[i] == '>' || s[i] == ')')
			depth -= depth != 0 && (i == 0 || s[i - 1] != '-');
		else if (depth == 0 && begins(s + i, " as "))
			at = i;
	}
	cp_buf_char(b, '<');
	put_type(b, s, at != 0 ? at : n);
	if (at != 0) {
		cp_buf_str(b, " as ");
		put_type(b, s + at + 4, n - at - 4);
	}
	cp_buf_char(b, '>');
}

/*
 * Returns the length of what names nothing at the end: the hash of Rust's old
 * mangling, ::h and 16 digits; the numbers of a linker, .llvm.123.
 */
static size_t
hash_length(const char *s)
{
	size_t n = begins(s, "::h"), digits;

	if (n != 0)
		digits = strspn(s + n, "0123456789abcdef") == 16 ? 16 : 0;
	else if ((n = begins(s, ".llvm.")) != 0)
		digits = strspn(s + n, "0123456789");
	else
		return 0;
	n += digits;
	return digits != 0 && (s[n] == '\0' || begins(s + n, CP_INLINED)) ? n
									  : 0;
}

/* Writes an operator at s; returns what follows it, NULL if there is none. */
static const char *
put_operator(struct cp_buf *b, const char *s)
{
	size_t n = operator_length(s);
	const char *end;

	if (n == 0)
		return NULL;
	cp_buf_add(b, s, n);
	s += n;
	if ((*s == '<' || begins(s, " <")) &&
	    (end = past_bracket(s + (*s == ' '))) != NULL) {
		cp_buf_str(b, "<" ELLIPSIS ">");
		s = end;
	}
	if (*s == '(' && (end = past_bracket(s)) != NULL)
		s = past_qualifiers(end);
	return s;
}

/*
 * Writes a known construct at s; returns what follows it, NULL if there is
 * none.
 */
static const char *
put_known(struct cp_buf *b, const char *name, const char *s)
{
	const char *end = NULL;

	if (strchr(":.", *s) != NULL && hash_length(s) != 0)
		return s + hash_length(s);
	if (s == name || !is_word(s[-1])) {
		end = put_string(b, s);
		end = end != NULL ? end : put_swapped(b, s);
		end = end != NULL ? end : put_operator(b, s);
		if (end != NULL)
			return end;
	}
	if (strchr("<([", *s) == NULL || (end = past_bracket(s)) == NULL)
		return NULL;
	if (s == name && *s == '<' && s[1] != ' ')
		put_as(b, s, end);
	else if (opens_arguments(name, s) && (*s == '(' || end - s > 2))
		end = put_bracket(b, s, end);
	else
		return NULL;
	return end;
}

/* Writes an address without leading zeros; false: the name is no address. */
static bool
put_address(struct cp_buf *b, const char *name)
{
	size_t n = begins(name, "0x");

	if (n == 0 || name[n] == '\0' ||
	    name[n + strspn(name + n, "0123456789abcdef")] != '\0')
		return false;
	while (name[n] == '0' && name[n + 1] != '\0')
		n++;
	cp_buf_str(b, "0x");
	cp_buf_str(b, name + n);
	return true;
}

/* Writes CPython's function and file; false: the name is not of CPython. */
static bool
put_python(struct cp_buf *b, const char *name)
{
	const char *colon = begins(name, "py::") ? strchr(name + 4, ':') : NULL;
	const char *slash = colon != NULL ? strrchr(colon, '/') : NULL;

	if (colon == NULL)
		return false;
	cp_buf_add(b, name + 4, (size_t)(colon - name) - 4);
	cp_buf_char(b, ' ');
	cp_buf_str(b, slash != NULL ? slash + 1 : colon + 1);
	return true;
}

/*
 * Writes V8's function, its tier before it, and its file without folders: JS:*f
 * x.js:1:2.  false: the name is not of V8.
 */
static bool
put_script(struct cp_buf *b, const char *name)
{
	static const char *const kinds[] = {
		"JS:", "LazyCompile:", "Function:", "Eval:"
	};
	const char *blank = NULL, *slash;

	for (size_t i = 0; i < CP_ARRAY_LEN(kinds); i++)
		if (begins(name, kinds[i]) != 0)
			blank = strchr(name, ' ');
	slash = blank != NULL ? strrchr(blank, '/') : NULL;
	if (slash == NULL)
		return false;
	cp_buf_add(b, name, (size_t)(blank - name) + 1);
	cp_buf_str(b, slash + 1);
	return true;
}

/*
 * The name without the type of Java's result: "int com.me.App.run(int)".  No
 * other language has such a type before dots and parameters.
 */
static const char *
past_type(const char *name)
{
	const char *open = strchr(name, '('), *word = open;
	size_t n, first;

	while (word != NULL && word > name && word[-1] != ' ')
		word--;
	if (word == NULL || word == name)
		return name;
	n = (size_t)(open - word);
	first = n != 0 ? 1 + strcspn(word + 1, ".") : 0;
	return strcspn(name, ":<") >= (size_t)(word - name) && first + 1 < n
		   ? word
		   : name;
}

/* Returns the bytes of one part of a package, with its separator; 0: none. */
static size_t
package_length(const char *s, char separator)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return n != 0 && !isdigit((unsigned char)*s) && s[n] == separator
		   ? n + 1
		   : 0;
}

static size_t
class_length(const char *s)
{
	size_t n = 0;

	if (!isupper((unsigned char)*s))
		return 0;
	while (is_word(s[n]))
		n++;
	return n;
}

/*
 * Writes the class of a Java method; returns the text after it; NULL: it has
 * no package.  The name is java.util.Map.get, java/util/Map.get, or, as agents
 * write it, Ljava/util/Map;::get or Ljava/util/Map;.get.
 */
static const char *
put_class(struct cp_buf *b, const char *name)
{
	bool agent = name[0] == 'L' && package_length(name + 1, '/') != 0;
	bool slash = agent || package_length(name, '/') != 0;
	const char *s = name + agent;
	size_t parts = 0, n;

	for (; (n = package_length(s, slash ? '/' : '.')) != 0; s += n)
		parts++;
	n = parts >= (slash ? 1 : 2) ? class_length(s) : 0;
	if (n == 0 || (agent && s[n] != ';'))
		return NULL;
	if (s[n] != '.' && s[n] != ';' && !begins(s + n, "::"))
		return NULL;
	cp_buf_add(b, s, n);
	s += n + (s[n] == ';');
	if (agent) {
		cp_buf_char(b, '.');
		s += begins(s, "::") + begins(s, ".");
	}
	return s;
}

static void
put_parts(struct cp_buf *b, const char *name)
{
	/*
	 * Counts brackets that nothing closes: looking for their ends takes
	 * quadratic time.
	 */
	unsigned lost = 0;

	for (const char *s = name; *s != '\0';) {
		const char *end = lost < 16 ? put_known(b, name, s) : NULL;

		if (end == NULL) {
			lost += strchr("<([", *s) != NULL;
			cp_buf_char(b, *s++);
		} else {
			s = end;
		}
	}
}

void
cp_short_name(struct cp_buf *b, const char *name)
{
	const char *after;
	struct cp_buf file;

	if (put_address(b, name) || put_script(b, name))
		return;
	cp_buf_init(&file, SIZE_MAX / 2);
	if (put_python(&file, name)) {
		put_parts(b, file.data);
	} else {
		name = past_type(name);
		after = put_class(b, name);
		put_parts(b, after != NULL ? after : name);
	}
	cp_buf_free(&file);
}

void
cp_brief_name(struct cp_buf *b, const char *name)
{
	size_t n = strcspn(name, "(<"), m = strcspn(name, " .");

	/* Java's names have types and packages before the brackets. */
	if (name[n] != '\0' && n < m && strlen(name) <= NOT_LONG)
		cp_buf_str(b, name);
	else
		cp_short_name(b, name);
}

void
cp_brief_calls(struct cp_buf *b, const char *chain)
{
	const char *next;
	struct cp_buf one;

	if ((*chain == '<' || *chain == '>') && chain[1] == ' ') {
		cp_buf_add(b, chain, 2);
		chain += 2;
	}
	cp_buf_init(&one, SIZE_MAX / 2);
	for (; chain != NULL; chain = next) {
		next = strstr(chain, " < ");
		cp_buf_reset(&one);
		cp_buf_add(&one, chain,
		    next != NULL ? (size_t)(next - chain) : strlen(chain));
		cp_brief_name(b, cp_buf_text(&one));
		if (next != NULL) {
			cp_buf_str(b, " < ");
			next += strlen(" < ");
		}
	}
	cp_buf_free(&one);
}
