/* SPDX-License-Identifier: MIT */
/*
 * Go's names are not mangled.  They begin with the package's import path, in
 * whose last part a dot is "%2e"; type arguments are in brackets.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "symbolize/demangle/languages.h"

/* After the last slash of the import path, which is before any bracket. */
static const char *
package_of(const char *raw)
{
	size_t n = strcspn(raw, "([{ ");
	const char *at = raw;

	for (size_t i = 0; i < n; i++)
		if (raw[i] == '/')
			at = raw + i + 1;
	return at;
}

static bool
is_go(const char *raw, const char *package)
{
	const char *dot = strchr(package, '.');

	/* A C name has no slash; a file name begins with one. */
	return package != raw && raw[0] != '/' && raw[0] != '_' &&
	       dot != NULL && dot != package && dot[1] != '\0' &&
	       strchr(raw, ' ') == NULL && strchr(raw, ';') == NULL;
}

char *
cp_tidy_go(const char *raw)
{
	const char *s = package_of(raw);
	struct cp_buf b;
	size_t depth = 0;

	if (!is_go(raw, s))
		return NULL;
	cp_buf_init(&b, CP_MAX_DEMANGLED);
	for (; *s != '\0'; s++) {
		depth += *s == '[';
		if (depth == 0 && strncmp(s, "%2e", 3) == 0) {
			cp_buf_char(&b, '.');
			s += 2;
		} else if (depth == 0) {
			cp_buf_char(&b, *s);
		}
		depth -= *s == ']' && depth > 0;
	}
	return b.data;
}
