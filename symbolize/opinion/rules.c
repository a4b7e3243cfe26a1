/* SPDX-License-Identifier: MIT */
/* rules: each rule has a name, which the report and the manual show. */
#include "symbolize/opinion/rules.h"

static struct cp_compared
result(enum cp_verdict verdict, const char *rule, const char *ours,
    const char *theirs)
{
	return (struct cp_compared){ .verdict = verdict,
		.rule = rule,
		.ours = ours != NULL ? ours : "",
		.theirs = theirs != NULL ? theirs : "" };
}

/* "malloc@plt": libdwfl has no names for stubs; it may have one before. */
static bool
is_stub(const char *name)
{
	size_t n = strlen(name);

	return n > 4 && strcmp(name + n - 4, "@plt") == 0;
}

/*
 * One name with its version, "read@@GLIBC_2.2.5", and without.  Two versions
 * elsewhere may be two functions.
 */
static bool
is_version_of(const char *a, const char *b, bool same_start)
{
	size_t n = strcspn(b, "@");

	return strcspn(a, "@") == n && strncmp(a, b, n) == 0 &&
	       (same_start || a[n] == '\0' || b[n] == '\0');
}

struct cp_compared
cp_check_name(const struct cp_symbol *ours, uint64_t start,
    const struct cp_opinion_name *theirs, uint64_t vaddr)
{
	const char *a = ours != NULL ? ours->raw : NULL, *b = theirs->name;
	bool past = b != NULL && vaddr - theirs->start >= theirs->size;

	if (a == NULL && b == NULL)
		return result(CP_VERDICT_EQUAL, "", a, b);
	if (a != NULL && b != NULL && strcmp(a, b) == 0)
		return result(CP_VERDICT_EQUAL, "", a, b);
	if (a != NULL && is_stub(a) && (b == NULL || past))
		return result(CP_VERDICT_LONGER, "stub", a, b);
	if (a != NULL && b == NULL)
		return result(CP_VERDICT_SILENT, "", a, b);
	if (a != NULL && is_version_of(a, b, start == theirs->start))
		return result(CP_VERDICT_EXPLAINED, "version", a, b);
	if (a != NULL && start == theirs->start)
		return result(CP_VERDICT_EXPLAINED, "alias", a, b);
	if (past)
		return result(CP_VERDICT_EXPLAINED, "past-end", a, b);
	return result(CP_VERDICT_DIFFERENT, "", a, b);
}

/* Does ours end with "::name", as names without linkage name do? */
static bool
is_scoped(const char *ours, const char *name)
{
	size_t n = strlen(ours), m = strlen(name);

	return n > m + 2 && strcmp(ours + n - m, name) == 0 &&
	       memcmp(ours + n - m - 2, "::", 2) == 0;
}

static struct cp_compared
check_inlined(const struct cp_spot *x, const struct cp_opinion_spot *y)
{
	const char *a = x->symbol != NULL ? x->symbol->raw : NULL;
	const char *b = y->linkage != NULL ? y->linkage : y->name;

	if (a == NULL ? b == NULL : b != NULL && strcmp(a, b) == 0)
		return result(CP_VERDICT_EQUAL, "", a, b);
	if (a != NULL && y->linkage == NULL && b != NULL && is_scoped(a, b))
		return result(CP_VERDICT_LONGER, "scope", a, b);
	return result(CP_VERDICT_DIFFERENT, "", a, b);
}

struct cp_compared
cp_check_inlines(const struct cp_spot *ours, size_t n,
    const struct cp_opinion_spot *theirs, size_t m)
{
	struct cp_compared all = result(CP_VERDICT_EQUAL, "", "", "");

	if (m == 0)
		return result(
		    n == 0 ? CP_VERDICT_EQUAL : CP_VERDICT_SILENT, "", "", "");
	if (n != m)
		return result(CP_VERDICT_DIFFERENT, "", "another number",
		    theirs[m - 1].name);
	for (size_t i = 1; i < n; i++) {
		struct cp_compared c = check_inlined(&ours[i], &theirs[i]);

		if (c.verdict > all.verdict)
			all = c;
	}
	return all;
}

static struct cp_compared
check_line(uint32_t ours, uint32_t theirs)
{
	struct cp_compared c = result(CP_VERDICT_EQUAL, "", "", "");

	if (ours == theirs)
		return c;
	c.verdict = theirs == 0 ? CP_VERDICT_LONGER : CP_VERDICT_DIFFERENT;
	c.our_line = ours;
	c.their_line = theirs;
	return c;
}

/* The innermost line is of the address, whatever was inlined there. */
struct cp_compared
cp_check_lines(const struct cp_spot *ours, size_t n,
    const struct cp_opinion_spot *theirs, size_t m)
{
	struct cp_compared c = result(CP_VERDICT_EQUAL, "", "", "");

	if (m == 0)
		c.verdict = n == 0 ? CP_VERDICT_EQUAL : CP_VERDICT_SILENT;
	else if (n != m)
		return check_line(
		    n != 0 ? ours[n - 1].line : 0, theirs[m - 1].line);
	for (size_t i = 0; i < n && n == m; i++) {
		c = check_line(ours[i].line, theirs[i].line);
		if (c.verdict != CP_VERDICT_EQUAL)
			break;
	}
	return c;
}
