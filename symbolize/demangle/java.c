/* SPDX-License-Identifier: MIT */
/*
 * Java: class descriptor, method, method descriptor (JVMS 4.3), as the agent
 * that writes jitdumps puts them together.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "symbolize/demangle/languages.h"

static const char *
primitive(char c)
{
	switch (c) {
	case 'B': return "byte";
	case 'C': return "char";
	case 'D': return "double";
	case 'F': return "float";
	case 'I': return "int";
	case 'J': return "long";
	case 'S': return "short";
	case 'V': return "void";
	case 'Z': return "boolean";
	default: return NULL;
	}
}

/* Writes "java/lang/String;" with dots.  Returns the end; NULL: no class. */
static const char *
put_class(struct cp_buf *b, const char *s)
{
	const char *end = s + strcspn(s, ";()");

	if (*end != ';' || end == s)
		return NULL;
	for (; s < end; s++)
		cp_buf_char(b, *s == '/' ? '.' : *s);
	return end + 1;
}

/* Writes one type of a descriptor. */
static const char *
put_type(struct cp_buf *b, const char *s)
{
	size_t arrays = strspn(s, "[");
	const char *word;

	s += arrays;
	if (*s == 'L') {
		s = put_class(b, s + 1);
	} else {
		word = primitive(*s++);
		if (word == NULL)
			return NULL;
		cp_buf_str(b, word);
	}
	for (; s != NULL && arrays > 0; arrays--)
		cp_buf_str(b, "[]");
	return s;
}

static bool
put_parameters(struct cp_buf *b, const char *s)
{
	cp_buf_char(b, '(');
	for (bool first = true; s != NULL && *s != ')'; first = false) {
		if (!first)
			cp_buf_str(b, ", ");
		s = put_type(b, s);
	}
	cp_buf_char(b, ')');
	return s != NULL;
}

char *
cp_demangle_java(const char *raw, bool brief)
{
	const char *open = strchr(raw, '('), *s;
	struct cp_buf b;
	bool ok;

	if (raw[0] != 'L' || open == NULL || strchr(open, ')') == NULL)
		return NULL;
	cp_buf_init(&b, CP_MAX_DEMANGLED);
	s = put_class(&b, raw + 1);
	ok = s != NULL && s < open;
	if (ok) {
		cp_buf_char(&b, '.');
		cp_buf_add(&b, s, (size_t)(open - s));
		ok = brief || put_parameters(&b, open + 1);
	}
	if (!ok || b.full) {
		cp_buf_free(&b);
		return NULL;
	}
	return b.data;
}
