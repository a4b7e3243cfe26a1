/* SPDX-License-Identifier: MIT */
#include "analyses/common/advice.h"

#include <string.h>

const struct cp_advice cp_advice[CP_ADVICE_COUNT] = {
#define ADVICE(id, question, commands, options, all, instead)                  \
	{ #id, question, commands, options, all, CP_ADVICE_##instead },
#include "analyses/common/advice.def"
#undef ADVICE
};

/* Letters of the event at s; *end: where the next one may begin. */
static size_t
event_at(const char *s, const char **end)
{
	size_t n = strcspn(s, ",}' /"), first;

	*end = s + n;
	if (s[n] != '/')
		return n;
	/* PMU/event,terms/modifiers, or event/terms/modifiers */
	first = strcspn(s + n + 1, ",/");
	*end += 1 + strcspn(s + n + 1, "/");
	*end += strcspn(*end, ",}' ");
	return memchr(s + n + 1, '=', first) != NULL ? n : n + 1 + first;
}

const char *
cp_advice_event(const struct cp_advice *a, unsigned i, size_t *n)
{
	const char *s = a->options, *end;

	while ((s = strstr(s, "-e ")) != NULL)
		for (s += 3; *s != ' ' && *s != '\0'; s = end) {
			s += strspn(s, "'{},");
			if (*s == ':' || *s == ' ' || *s == '\0') {
				end = s + strcspn(s, " ");
				continue;
			}
			*n = event_at(s, &end);
			if (i-- == 0)
				return s;
		}
	return NULL;
}
