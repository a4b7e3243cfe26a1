/* SPDX-License-Identifier: MIT */
/* brief: filters as one line of a picture has them. */
#include "run/filter/filter.h"

#include <string.h>

enum {
	MAX_OPTION = 60, /* bytes of an option with its value */
	MAX_LINE = 200,
};

/* Returns the bytes of the first option that is told, with its value. */
static size_t
option_len(const char *told)
{
	bool quoted = false;
	size_t n;

	for (n = 0; told[n] != '\0'; n++) {
		if (told[n] == '\'')
			quoted = !quoted;
		else if (!quoted && told[n] == '\\' && told[n + 1] != '\0')
			n++;
		else if (!quoted && strncmp(told + n, " --", 3) == 0)
			break;
	}
	return n;
}

void
cp_filter_brief(const char *told, struct cp_buf *b)
{
	size_t from = b->len, left = 0;

	while (*told != '\0') {
		size_t n = option_len(told), least = CP_MIN(n, MAX_OPTION);

		if (left != 0 || b->len - from + least > MAX_LINE) {
			left++;
		} else {
			cp_buf_str(b, b->len != from ? " " : "");
			cp_buf_cut(b, told, n, MAX_OPTION);
		}
		told += n;
		told += *told == ' ';
	}
	if (left != 0)
		cp_buf_printf(b, " %sand %zu more filter%s",
		    b->data[b->len - 1] == '.' ? "" : "... ", left, cp_s(left));
}
