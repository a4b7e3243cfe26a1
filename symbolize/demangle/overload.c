/* SPDX-License-Identifier: MIT */
/*
 * overload: which functions of C++ have one name, told by mangled names.
 *
 * _ZN1A3runEi is a name, A::run, and parameters, int.  Only names without
 * template arguments are read: those tell themselves apart.
 */
#include "base/hash.h"
#include "base/limits.h"
#include "symbolize/demangle/demangle.h"

struct reader {
	const char *s, *end; /* s NULL: no such name */
	uint64_t hash;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static void
take(struct reader *r, size_t n)
{
	r->hash = cp_mix(r->hash, cp_hash_bytes(r->s, n));
	r->s += n;
}

/* 3run */
static void
take_source(struct reader *r)
{
	size_t n = 0, digits = 0, left = (size_t)(r->end - r->s);

	for (; is_digit(r->s[digits]) && n <= left; digits++)
		n = 10 * n + (size_t)(r->s[digits] - '0');
	if (digits == 0 || n == 0 || n > left - digits)
		r->s = NULL;
	else
		take(r, digits + n);
}

/* A name, a constructor or destructor of any variant, or an operator. */
static void
take_unqualified(struct reader *r)
{
	const char *s = r->s;

	if (*s == 'L' && is_digit(s[1]))
		r->s++;
	if (is_digit(*r->s)) {
		take_source(r);
	} else if ((*s == 'C' || *s == 'D') && is_digit(s[1])) {
		take(r, 1);
		r->s++;
	} else if (is_lower(s[0]) && (is_lower(s[1]) || s[1] == 'S') &&
		   !(s[0] == 'c' && s[1] == 'v') &&
		   !(s[0] == 'l' && s[1] == 'i')) {
		take(r, 2);
	} else {
		r->s = NULL;
	}
	while (r->s != NULL && *r->s == 'B') {
		take(r, 1);
		take_source(r);
	}
}

/* St, S_, S1_ */
static void
take_substitution(struct reader *r)
{
	size_t n = 1;

	if (is_lower(r->s[1])) {
		take(r, 2);
		return;
	}
	while (is_digit(r->s[n]) || (r->s[n] >= 'A' && r->s[n] <= 'Z'))
		n++;
	if (r->s[n] == '_')
		take(r, n + 1);
	else
		r->s = NULL;
}

bool
cp_overload_parts(const char *raw, uint64_t *name, uint64_t *parameters)
{
	struct reader r = { raw + 2, NULL, 0 };
	size_t qualifiers = 0, n;

	if (raw[0] != '_' || raw[1] != 'Z')
		return false;
	n = strnlen(raw, CP_MAX_MANGLED + 1);
	if (n > CP_MAX_MANGLED)
		return false;
	r.end = raw + n;
	if (*r.s == 'N') {
		qualifiers = strspn(++r.s, "rVKRO");
		r.s += qualifiers;
		while (r.s != NULL && *r.s != 'E') {
			if (*r.s == 'S')
				take_substitution(&r);
			else
				take_unqualified(&r);
		}
		if (r.s != NULL)
			r.s++;
	} else {
		if (r.s[0] == 'S' && r.s[1] == 't')
			take(&r, 2);
		take_unqualified(&r);
	}
	if (r.s == NULL || *r.s == '\0' || *r.s == 'I' || *r.s == '.')
		return false;
	*name = r.hash;
	/* Clones, .isra.0 and the like, are of one function. */
	n = strcspn(r.s, ".@");
	r.hash = 0;
	take(&r, n);
	r.s = raw + 3;
	take(&r, qualifiers);
	*parameters = r.hash;
	return true;
}
