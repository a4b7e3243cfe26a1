/* SPDX-License-Identifier: MIT */
/*
 * One line of a format file:
 * "field:TYPE NAME[DIM]; offset:N; size:N; signed:N;".
 * The declaration is cut in place into type and name.
 */
#include "readers/header/tracing-field.h"

#include <string.h>

#define WORDS                                                                  \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"                 \
	"0123456789_"

static bool
is_word(char c)
{
	return c != '\0' && strchr(WORDS, c) != NULL;
}

void
cp_tracing_trim(char *start, char *end)
{
	while (end > start && strchr(" \t\n", end[-1]) != NULL)
		*--end = '\0';
}

/* Reads the digits after key in s; false if there are none. */
bool
cp_tracing_number(const char *s, const char *key, uint64_t *out)
{
	uint64_t v = 0;
	const char *digits;

	s = strstr(s, key);
	if (s == NULL)
		return false;
	s += strlen(key);
	s += strspn(s, " \t");
	for (digits = s; *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(v, UINT64_C(10), &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return false;
	*out = v;
	return s != digits;
}

/* Reads "KEY:N;" after blanks and returns what follows, or NULL. */
static const char *
keyed(const char *s, const char *key, uint64_t *out)
{
	s += strspn(s, " \t");
	if (!cp_tracing_prefix(s, key) || !cp_tracing_number(s, key, out))
		return NULL;
	s += strlen(key);
	s += strspn(s, " \t");
	s += strspn(s, "0123456789");
	return *s == ';' ? s + 1 : NULL;
}

/* Reads the numbers after the declaration; nothing else may be there. */
static bool
read_numbers(const char *s, struct cp_tp_field *f)
{
	uint64_t offset, size, is_signed = 0;

	s = keyed(s, "offset:", &offset);
	if (s != NULL)
		s = keyed(s, "size:", &size);
	if (s == NULL || offset > UINT32_MAX || size > UINT32_MAX)
		return false;
	/* Formats before 2.6.34 have no "signed:". */
	if (strchr(s, ':') != NULL)
		s = keyed(s, "signed:", &is_signed);
	f->offset = (uint32_t)offset;
	f->size = (uint32_t)size;
	f->is_signed = is_signed != 0;
	return s != NULL && s[strspn(s, " \t\r")] == '\0';
}

/* Cuts trailing dimensions off the declaration; returns whether it had any. */
static bool
cut_dimensions(char *decl)
{
	bool any = false;

	for (;;) {
		size_t n = strlen(decl);
		char *open =
		    n != 0 && decl[n - 1] == ']' ? strrchr(decl, '[') : NULL;

		if (open == NULL)
			return any;
		*open = '\0';
		cp_tracing_trim(decl, open);
		any = true;
	}
}

/*
 * The type is the text before the name.  If no space separates the two ("char
 * *name"), the type moves down one byte to make room for its terminator; the
 * byte before decl is free for that.
 */
static void
set_type(char *decl, char *name, struct cp_tp_field *f)
{
	memmove(decl - 1, decl, (size_t)(name - decl));
	name[-1] = '\0';
	cp_tracing_trim(decl - 1, name - 1);
	f->type = decl - 1;
	f->name = name;
}

/* Splits "TYPE NAME". */
static bool
split_declaration(char *decl, struct cp_tp_field *f)
{
	char *end = decl + strlen(decl);
	char *name = end;

	while (name > decl && is_word(name[-1]))
		name--;
	if (name == end || name == decl)
		return false;
	set_type(decl, name, f);
	return true;
}

/*
 * Splits "void (*name)(int)": the name is inside the parentheses, the type ends
 * before it.
 */
static bool
split_function(char *decl, struct cp_tp_field *f)
{
	char *star = strstr(decl, "(*");
	char *name, *end;

	if (star == NULL)
		return false;
	name = star + 2;
	for (end = name; is_word(*end); end++)
		;
	if (end == name || *end == '\0')
		return false;
	*end = '\0';
	set_type(decl, name, f);
	return true;
}

bool
cp_tracing_prefix(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static enum cp_tp_kind
field_kind(const struct cp_tp_field *f, bool dimensions)
{
	if (cp_tracing_prefix(f->type, "__data_loc"))
		return CP_TP_DATA_LOC;
	if (cp_tracing_prefix(f->type, "__rel_loc"))
		return CP_TP_REL_LOC;
	if (dimensions && (strcmp(f->type, "char") == 0 ||
			      strcmp(f->type, "const char") == 0))
		return CP_TP_CHARS;
	if (!dimensions &&
	    (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8))
		return CP_TP_SCALAR;
	return CP_TP_ARRAY;
}

/* Longer is none; the time to cut dimensions grows with its square. */
#define DECLARATION_MAX 1024

/* Reads "TYPE NAME[DIM];\toffset:N;\tsize:N;\tsigned:N;". */
bool
cp_tracing_field(char *decl, struct cp_tp_field *f)
{
	char *rest = strchr(decl, ';');
	bool dimensions;

	if (rest == NULL || rest - decl > DECLARATION_MAX)
		return false;
	*rest++ = '\0';
	if (!read_numbers(rest, f) ||
	    decl[strspn(decl, WORDS " *[](),+-/.")] != '\0')
		return false;
	cp_tracing_trim(decl, decl + strlen(decl));
	dimensions = cut_dimensions(decl);
	if (!split_declaration(decl, f) && !split_function(decl, f))
		return false;
	f->kind = (uint8_t)field_kind(f, dimensions);
	return true;
}
