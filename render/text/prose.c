/* SPDX-License-Identifier: MIT */
/*
 * render/text/prose.c: sentences of a table that do not fit its lines; they are
 * put below the row and broken between words.
 */
#include "render/text/text.h"

#include "render/common/escape.h"

enum { INDENT = 6, FURTHER = 8 };

/*
 * Returns the bytes of s that fit, at least one; ends at a blank if there is
 * one.
 */
static size_t
line_end(const char *s, size_t columns)
{
	size_t n = cp_text_fit(s, columns), at = n;

	if (s[n] == '\0')
		return n;
	while (at != 0 && s[at] != ' ')
		at--;
	return at != 0 ? at : CP_MAX(n, 1u);
}

void
cp_text_prose(const struct cp_render_options *opt, struct cp_out *out,
    const char *name, const struct cp_value *v)
{
	size_t indent = INDENT, n, room;
	struct cp_buf b;
	const char *s;

	if (v->text == NULL || *v->text == '\0')
		return;
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape_terminal(&b, name);
	cp_buf_str(&b, ": ");
	cp_escape_terminal(&b, v->text);
	for (s = cp_buf_text(&b); *s != '\0'; s += n) {
		room = opt->width > indent + 16 ? opt->width - indent : 16;
		while (*s == ' ')
			s++;
		n = line_end(s, room);
		cp_out_repeat(out, " ", indent);
		cp_out_add(out, s, n);
		cp_out_char(out, '\n');
		indent = FURTHER;
	}
	cp_buf_free(&b);
}
