/* SPDX-License-Identifier: MIT */
#include "render/svg/draw.h"

#include "base/limits.h"
#include "render/common/escape.h"

void
cp_svg_string(struct cp_out *out, const char *text)
{
	struct cp_buf seen, b;

	cp_buf_init(&seen, SIZE_MAX / 2);
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape_terminal(&seen, text);
	if (seen.len > CP_MAX_SVG_TEXT &&
	    cp_text_columns(seen.data) > CP_MAX_SVG_TEXT) {
		seen.len = cp_text_fit(seen.data, CP_MAX_SVG_TEXT - 1);
		cp_buf_str(&seen, "…");
	}
	cp_escape(&b, CP_ESCAPE_JSON, cp_buf_text(&seen));
	cp_out_char(out, '"');
	cp_out_add(out, cp_buf_text(&b), b.len);
	cp_out_char(out, '"');
	cp_buf_free(&seen);
	cp_buf_free(&b);
}
