/* SPDX-License-Identifier: MIT */
/*
 * GHC: package, module, name and a kind of code, in z-encoding, between which
 * are underscores: base_GHCziBase_zpzp_info.
 */
#define _GNU_SOURCE /* memmem */
#include <ctype.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/strings.h"
#include "symbolize/demangle/languages.h"

/* Where the kind of code begins; NULL: the name has none. */
static const char *
kind_of(const char *raw)
{
	static const char *const kinds[] = { "_con_info", "_info", "_entry",
		"_closure", "_slow", "_fast", "_ret" };
	size_t n = strlen(raw);

	for (size_t i = 0; i < CP_ARRAY_LEN(kinds); i++) {
		size_t m = strlen(kinds[i]);

		if (n > m && strcmp(raw + n - m, kinds[i]) == 0)
			return raw + n - m;
	}
	return NULL;
}

/* Writes what the escape at s stands for.  Returns its length; 0: none. */
static size_t
put_escape(struct cp_buf *b, const char *s)
{
	static const char from[] = "abcdeghilmnpqrstuvz",
			  to[] = "&|^$=>#.<-!+'\\/*_%z";
	static const char From[] = "CLMNRZ", To[] = ":([])Z";
	const char *at = s[1] == '\0'  ? NULL
			 : s[0] == 'z' ? strchr(from, s[1])
				       : strchr(From, s[1]);

	if (at != NULL)
		cp_buf_char(b, s[0] == 'z' ? to[at - from] : To[at - From]);
	return at != NULL ? 2 : 0;
}

/* Writes s up to end.  False: not z-encoded. */
static bool
put_decoded(struct cp_buf *b, const char *s, const char *end)
{
	while (s < end) {
		size_t n = 1;

		if (*s == 'z' || *s == 'Z')
			n = put_escape(b, s);
		else
			cp_buf_char(b, *s);
		if (n == 0 || n > (size_t)(end - s))
			return false;
		s += n;
	}
	return true;
}

char *
cp_demangle_haskell(const char *raw)
{
	const char *kind = kind_of(raw), *module, *name;
	struct cp_buf b;
	bool ok;

	module = kind != NULL ? memchr(raw, '_', (size_t)(kind - raw)) : NULL;
	name = module != NULL
		   ? memchr(module + 1, '_', (size_t)(kind - module) - 1)
		   : NULL;
	/* A name of C has no escape before its second underscore. */
	if (name == NULL || !isupper((unsigned char)module[1]) ||
	    (memmem(raw, (size_t)(name - raw), "zi", 2) == NULL &&
		memmem(raw, (size_t)(name - raw), "zm", 2) == NULL))
		return NULL;
	cp_buf_init(&b, CP_MAX_DEMANGLED);
	ok = put_decoded(&b, raw, module);
	cp_buf_char(&b, ':');
	ok = ok && put_decoded(&b, module + 1, name);
	cp_buf_char(&b, '.');
	ok = ok && put_decoded(&b, name + 1, kind);
	cp_buf_str(&b, kind);
	if (!ok)
		cp_buf_free(&b);
	return ok ? b.data : NULL;
}
