/* SPDX-License-Identifier: MIT */
/*
 * OCaml: "caml" and a module; "__" between modules, "$" and two hex digits
 * for what an assembler would not take; a number at the end.
 */
#include <ctype.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/strings.h"
#include "symbolize/demangle/languages.h"

/* Cuts "_123" off the end. */
static void
cut_number(char *name)
{
	size_t n = strlen(name), end = n;

	while (n > 0 && isdigit((unsigned char)name[n - 1]))
		n--;
	if (n < end && n > 1 && name[n - 1] == '_')
		name[n - 1] = '\0';
}

char *
cp_demangle_ocaml(const char *raw, bool brief)
{
	struct cp_buf b;

	if (strncmp(raw, "caml", 4) != 0 || raw[4] < 'A' || raw[4] > 'Z')
		return NULL;
	cp_buf_init(&b, CP_MAX_DEMANGLED);
	for (const char *s = raw + 4; *s != '\0'; s++) {
		int hi = s[0] == '$' ? cp_hex_digit(s[1]) : -1;
		int lo = hi >= 0 ? cp_hex_digit(s[2]) : -1;

		if (s[0] == '_' && s[1] == '_') {
			cp_buf_char(&b, '.');
			s++;
		} else if (lo >= 0 && (hi | lo) != 0) {
			cp_buf_char(&b, (char)(hi << 4 | lo));
			s += 2;
		} else {
			cp_buf_char(&b, *s);
		}
	}
	if (brief)
		cut_number(b.data);
	return b.data;
}
