/* SPDX-License-Identifier: MIT */
/*
 * fuzz-demangle: names of a stranger's symbol table, in every way of showing
 * them.  Each line of the input is a name.
 */
#include "base/match/pattern.h"
#include "base/match/short-name.h"
#include "base/mem.h"
#include "symbolize/demangle/demangle.h"
#include "symbolize/demangle/languages.h"
#include "tests/fuzz/fuzz.h"

static void
each_way(const char *name)
{
	static const enum cp_demangle ways[] = { CP_DEMANGLE_NO,
		CP_DEMANGLE_SIMPLE, CP_DEMANGLE_FULL };

	for (size_t i = 0; i < CP_ARRAY_LEN(ways); i++)
		free(cp_demangle(name, ways[i]));
	free(cp_tidy_runtime(name));
}

/* Short forms, parameters, and what a typed name matches. */
static void
each_form(const char *name)
{
	uint64_t function, parameters;
	struct cp_pattern p;
	struct cp_buf b;

	(void)cp_overload_parts(name, &function, &parameters);
	free(cp_demangle_signature(name));
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_short_name(&b, name);
	cp_symbol_bare(&b, name);
	cp_buf_free(&b);
	if (cp_pattern_init(&p, name) == CP_OK)
		(void)cp_pattern_fits_symbol(&p, "std::vector<int>::at(int)");
	cp_pattern_free(&p);
	if (cp_pattern_init(&p, "worker/0…39") == CP_OK)
		(void)cp_pattern_fits_symbol(&p, name);
	cp_pattern_free(&p);
}

/* Captures have a thousand lines; their first ones are as good as all. */
enum { FORMS = 32 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = cp_xmalloc(size + 1);
	char *line = text;
	unsigned lines = 0;

	memcpy(text, data, size);
	text[size] = '\0';
	for (char *p = text; p < text + size; p++) {
		if (*p != '\n' && *p != '\0')
			continue;
		*p = '\0';
		each_way(line);
		if (lines++ < FORMS)
			each_form(line);
		line = p + 1;
	}
	each_way(line);
	each_form(line);
	free(text);
	return 0;
}
