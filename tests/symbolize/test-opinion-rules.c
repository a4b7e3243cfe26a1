/* SPDX-License-Identifier: MIT */
/* Which differences between two answers `check' explains, and which not. */
#include "symbolize/opinion/stack-rules.h"
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

/* Addresses in our stack and theirs, innermost first; a 0 ends them. */
static void
stack(const uint64_t *ours, enum cp_unwind_end end, const uint64_t *theirs,
    const char *outermost, enum cp_verdict verdict, const char *rule)
{
	struct cp_two_stacks s = { .ours = ours,
		.theirs = theirs,
		.end = end,
		.outermost = outermost };
	struct cp_compared c;

	while (ours[s.n] != 0)
		s.n++;
	while (theirs[s.m] != 0)
		s.out |= theirs[s.m++] == 0xbad;
	c = cp_check_stack(&s);
	ok(c.verdict == verdict && strcmp(c.rule, rule) == 0,
	    "%zu and %zu frames: %u %s", s.n, s.m, c.verdict, c.rule);
}

static void
stacks(void)
{
	const enum cp_unwind_end done = CP_UNWIND_COMPLETE, cut = CP_UNWIND_CUT;
	static const uint64_t none[] = { 0 }, three[] = { 1, 20, 30, 0 },
			      one[] = { 1, 0 }, before[] = { 1, 19, 0 },
			      wild[] = { 1, 0xbad, 30, 0 },
			      part[] = { 1, 30, 0 },
			      more[] = { 1, 20, 30, 40, 0 },
			      other[] = { 1, 25, 30, 0 };

	stack(three, done, three, NULL, CP_VERDICT_EQUAL, "");
	stack(three, cut, none, NULL, CP_VERDICT_SILENT, "");
	stack(three, cut, one, NULL, CP_VERDICT_LONGER, "stopped");
	stack(three, done, before, NULL, CP_VERDICT_LONGER, "stopped");
	stack(three, done, wild, NULL, CP_VERDICT_EXPLAINED, "wild");
	stack(three, cut, wild, NULL, CP_VERDICT_DIFFERENT, "");
	stack(three, done, part, NULL, CP_VERDICT_EXPLAINED, "skipped");
	stack(three, cut, part, NULL, CP_VERDICT_DIFFERENT, "");
	stack(three, done, other, NULL, CP_VERDICT_DIFFERENT, "");
	stack(three, done, more, NULL, CP_VERDICT_DIFFERENT, "");
	stack(three, done, more, "main", CP_VERDICT_DIFFERENT, "");
	stack(
	    three, done, more, "runtime.mcall", CP_VERDICT_EXPLAINED, "beyond");
	stack(three, done, more, "runtime.mcall.abi0", CP_VERDICT_EXPLAINED,
	    "beyond");
	stack(three, cut, more, "runtime.mcall", CP_VERDICT_DIFFERENT, "");
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
	stacks();
	return done_testing();
}
