/* SPDX-License-Identifier: MIT */
/*
 * stack-rules: two walks up one stack.
 *
 * Both are right where they agree.  Where libdwfl stops, or follows what is no
 * caller, and our walk ends at the outermost frame, the reasons are known; each
 * has a rule.
 */
#include "symbolize/opinion/stack-rules.h"

/* Theirs is ours without some frames. */
static bool
is_part(const struct cp_two_stacks *s)
{
	size_t k = 0;

	for (size_t i = 0; i < s->n && k < s->m; i++)
		k += s->ours[i] == s->theirs[k];
	return k == s->m;
}

/*
 * Their last frame is one byte before ours: a function that handlers or
 * coroutines return to, which nobody has called.
 */
static bool
last_is_before(const struct cp_two_stacks *s)
{
	return s->same + 1 == s->m && s->same < s->n &&
	       s->theirs[s->same] + 1 == s->ours[s->same];
}

/*
 * A function of Go's runtime that calls on another stack than its caller's, or
 * has no caller.  Names of assembly end in ".abi0".
 */
static bool
changes_stack(const char *name)
{
	static const char *const names[] = { "runtime.systemstack",
		"runtime.mcall", "runtime.clone", "runtime.morestack",
		"runtime.rt0_go", "runtime.goexit" };
	size_t n = name != NULL ? strcspn(name, ".") : 0;

	if (n != 0 && name[n] == '.')
		n += 1 + strcspn(name + n + 1, ".");
	for (size_t i = 0; i < CP_ARRAY_LEN(names) && n != 0; i++)
		if (strlen(names[i]) == n && strncmp(name, names[i], n) == 0)
			return true;
	return false;
}

static const char *
rule_of(const struct cp_two_stacks *s)
{
	if (s->end != CP_UNWIND_COMPLETE)
		return NULL;
	if (s->same == s->n)
		return changes_stack(s->outermost) ? "beyond" : NULL;
	if (s->out)
		return "wild";
	return is_part(s) ? "skipped" : NULL;
}

struct cp_compared
cp_check_stack(struct cp_two_stacks *s)
{
	struct cp_compared c = { .rule = "", .ours = "", .theirs = "" };
	const char *rule;

	s->same = 0;
	while (s->same < s->n && s->same < s->m &&
	       s->ours[s->same] == s->theirs[s->same])
		s->same++;
	c.verdict = CP_VERDICT_EQUAL;
	if (s->m == 0) {
		c.verdict = CP_VERDICT_SILENT;
	} else if (s->same == s->n && s->same == s->m) {
		return c;
	} else if (s->same == s->m || last_is_before(s)) {
		c.verdict = CP_VERDICT_LONGER;
		c.rule = "stopped";
	} else if ((rule = rule_of(s)) != NULL) {
		c.verdict = CP_VERDICT_EXPLAINED;
		c.rule = rule;
	} else {
		c.verdict = CP_VERDICT_DIFFERENT;
	}
	return c;
}
