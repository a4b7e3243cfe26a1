/* SPDX-License-Identifier: MIT */
#include "render/svg/draw.h"

#include <math.h>

#include "render/common/escape.h"
#include "base/match/short-name.h"
#include "render/common/fit-name.h"

void
cp_svg_text(struct cp_out *out, const char *text, size_t columns)
{
	struct cp_buf seen, b;

	cp_buf_init(&seen, SIZE_MAX / 2);
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape_terminal(&seen, text);
	if (cp_text_columns(cp_buf_text(&seen)) > columns) {
		seen.len = cp_text_fit(seen.data, columns - 1);
		cp_buf_str(&seen, "…");
	}
	cp_escape(&b, CP_ESCAPE_XML, cp_buf_text(&seen));
	cp_out_add(out, cp_buf_text(&b), b.len);
	cp_buf_free(&seen);
	cp_buf_free(&b);
}

void
cp_svg_label(const struct cp_svg *s, const char *name, size_t columns)
{
	struct cp_buf seen, brief, b;

	cp_buf_init(&seen, SIZE_MAX / 2);
	cp_buf_init(&brief, SIZE_MAX / 2);
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape_terminal(&seen, name);
	if (s->brief)
		cp_brief_name(&brief, cp_buf_text(&seen));
	cp_fit_name(&b, cp_buf_text(s->brief ? &brief : &seen), columns);
	cp_buf_reset(&seen);
	cp_escape(&seen, CP_ESCAPE_XML, cp_buf_text(&b));
	cp_out_add(s->out, cp_buf_text(&seen), seen.len);
	cp_buf_free(&seen);
	cp_buf_free(&brief);
	cp_buf_free(&b);
}

/*
 * Writes hundredths of a pixel; "12.50" becomes "12.5".  Not with printf: it
 * takes a microsecond, and a picture has a hundred thousand numbers.
 */
void
cp_svg_px(struct cp_out *out, double v)
{
	char text[32], *p = text + sizeof(text);
	bool below = v < 0;
	double rounded = floor(fabs(v) * 100 + 0.5);
	uint64_t n = rounded < 1e15 ? (uint64_t)rounded : 0;
	unsigned part = (unsigned)(n % 100);

	if (part % 10 != 0)
		*--p = (char)('0' + part % 10);
	if (part != 0) {
		*--p = (char)('0' + part / 10);
		*--p = '.';
	}
	for (uint64_t whole = n / 100, first = 1; whole != 0 || first != 0;
	     whole /= 10, first = 0)
		*--p = (char)('0' + whole % 10);
	if (below && n != 0)
		*--p = '-';
	cp_out_add(out, p, (size_t)(text + sizeof(text) - p));
}
