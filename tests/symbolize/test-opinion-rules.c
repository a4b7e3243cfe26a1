/* SPDX-License-Identifier: MIT */
/* Which differences between two answers `check' explains, and which not. */
#include "symbolize/opinion/rules.h"
#include "tests/tap.h"

/* The address is 0x1010; theirs begins at 0x1000. */
static void
names(const char *ours, uint64_t start, const char *theirs, uint64_t size,
    enum cp_verdict verdict, const char *rule)
{
	struct cp_symbol s = { .name = ours, .raw = ours };
	struct cp_opinion_name y = { theirs, 0x1000, size };
	struct cp_compared c =
	    cp_check_name(ours != NULL ? &s : NULL, start, &y, 0x1010);

	ok(c.verdict == verdict && strcmp(c.rule, rule) == 0,
	    "%s and %s: %u %s", ours != NULL ? ours : "-",
	    theirs != NULL ? theirs : "-", c.verdict, c.rule);
}

static void
lines(const uint32_t *ours, size_t n, const uint32_t *theirs, size_t m,
    enum cp_verdict verdict)
{
	struct cp_spot x[2] = { { .symbol = NULL } };
	struct cp_opinion_spot y[2] = { { .linkage = NULL } };
	struct cp_compared c;

	for (size_t i = 0; i < n; i++)
		x[i].line = ours[i];
	for (size_t i = 0; i < m; i++)
		y[i].line = theirs[i];
	c = cp_check_lines(x, n, y, m);
	ok(c.verdict == verdict, "%zu and %zu lines: %u", n, m, c.verdict);
}

int
main(void)
{
	static const uint32_t a[] = { 7, 9 }, b[] = { 9 }, c[] = { 7, 0 };

	names("main", 0x1000, "main", 64, CP_VERDICT_EQUAL, "");
	names("main", 0x1000, "start", 64, CP_VERDICT_EXPLAINED, "alias");
	names("main", 0x1008, "start", 64, CP_VERDICT_DIFFERENT, "");
	names("main", 0x1008, "start", 8, CP_VERDICT_EXPLAINED, "past-end");
	names(NULL, 0, "start", 64, CP_VERDICT_DIFFERENT, "");
	names("read@plt", 0x1010, NULL, 0, CP_VERDICT_LONGER, "stub");
	names("read@plt", 0x1010, "_init", 8, CP_VERDICT_LONGER, "stub");
	/* Theirs covers the address, so it is no stub. */
	names("read@plt", 0x1010, "start", 64, CP_VERDICT_DIFFERENT, "");
	names("read@@V2", 0x1000, "read", 64, CP_VERDICT_EXPLAINED, "version");
	names(
	    "copy@V1", 0x1000, "copy@@V2", 64, CP_VERDICT_EXPLAINED, "version");
	names("copy@V1", 0x1008, "copy@@V2", 64, CP_VERDICT_DIFFERENT, "");
	lines(a, 2, a, 2, CP_VERDICT_EQUAL);
	lines(a, 2, b, 1, CP_VERDICT_EQUAL); /* of the address */
	lines(a, 1, b, 1, CP_VERDICT_DIFFERENT);
	lines(a, 1, a, 2, CP_VERDICT_DIFFERENT);
	lines(a, 0, a, 2, CP_VERDICT_DIFFERENT);
	lines(a, 2, c, 2, CP_VERDICT_LONGER);
	lines(a, 2, c, 0, CP_VERDICT_SILENT);
	return done_testing();
}
