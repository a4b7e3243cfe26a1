/* SPDX-License-Identifier: MIT */
/* said: what is said of a profile, and what an export of ours says of itself.
 */
#include "run/import/build.h"

void
cp_import_skip(struct cp_import *im, uint64_t offset, uint64_t bytes)
{
	if (im->skipped == 0)
		im->first_bad = offset;
	im->skipped += bytes;
}

void
cp_import_fault(
    struct cp_import *im, uint64_t n, const char *noun, const char *what)
{
	if (n != 0)
		cp_buf_printf(&im->faults, "%s%" PRIu64 " %s%s %s",
		    im->faults.len != 0 ? ", " : "", n, noun, cp_s(n), what);
}

void
cp_import_say(struct cp_import *im, const char *fmt, ...)
{
	struct cp_buf *b = &im->to->about;
	va_list ap;

	cp_buf_str(b, b->len != 0 ? ", " : "");
	va_start(ap, fmt);
	cp_buf_vprintf(b, fmt, ap);
	va_end(ap);
}

/* Steps over a number; NULL: there is none. */
static const char *
after_digits(const char *s)
{
	const char *from = s;

	while (*s >= '0' && *s <= '9')
		s++;
	return s != from ? s : NULL;
}

/* "event NAME: 4 samples, 700 UNIT, one each ..." as about.c writes it. */
static void
learn_line(struct cp_import *im, const char *line)
{
	const char *at = line + strlen("event "), *unit;

	for (const char *s = at; (s = strstr(s, ": ")) != NULL; s++) {
		struct cp_import_own own = { .name = { at, (size_t)(s - at) } };

		unit = after_digits(s + 2);
		if (unit == NULL || strncmp(unit, " sample", 7) != 0)
			continue;
		unit += unit[7] == 's' ? 8 : 7;
		unit = unit[0] == ',' && unit[1] == ' ' ? after_digits(unit + 2)
							: NULL;
		if (unit != NULL && *unit == ' ')
			own.unit = cp_arena_strndup(
			    &im->to->arena, unit + 1, strcspn(unit + 1, ",\n"));
		*cp_vec_push(&im->own) = own;
		return;
	}
}

void
cp_import_learn_own(struct cp_import *im, struct cp_text about)
{
	char *s = cp_arena_strndup(&im->to->arena, about.s, about.n), *end;

	for (; s != NULL; s = end) {
		end = strchr(s, '\n');
		if (end != NULL)
			*end++ = '\0';
		if (strncmp(s, "event ", 6) == 0)
			learn_line(im, s);
	}
}
