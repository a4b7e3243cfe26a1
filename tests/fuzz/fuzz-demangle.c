/* SPDX-License-Identifier: MIT */
/*
 * fuzz-demangle: names of a stranger's symbol table, in every way of showing
 * them.  Each line of the input is a name.
 */
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = cp_xmalloc(size + 1);
	char *line = text;

	memcpy(text, data, size);
	text[size] = '\0';
	for (char *p = text; p < text + size; p++) {
		if (*p != '\n' && *p != '\0')
			continue;
		*p = '\0';
		each_way(line);
		line = p + 1;
	}
	each_way(line);
	free(text);
	return 0;
}
