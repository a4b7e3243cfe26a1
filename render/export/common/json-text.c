/* SPDX-License-Identifier: MIT */
#include "render/export/common/json-text.h"

#include "render/common/escape.h"

void
cp_put_text(struct cp_out *out, const char *s)
{
	struct cp_buf b;

	if (s == NULL) {
		cp_out_str(out, "null");
		return;
	}
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape(&b, CP_ESCAPE_JSON, s);
	cp_out_char(out, '"');
	cp_out_add(out, cp_buf_text(&b), b.len);
	cp_out_char(out, '"');
	cp_buf_free(&b);
}

void
cp_put_key(struct cp_out *out, const char *key)
{
	cp_out_char(out, '"');
	cp_out_str(out, key);
	cp_out_str(out, "\":");
}

void
cp_put_pair(struct cp_out *out, const char *key, const char *text)
{
	cp_put_key(out, key);
	cp_put_text(out, text);
}

void
cp_put_number(struct cp_out *out, const char *key, uint64_t v)
{
	cp_put_key(out, key);
	cp_out_u64(out, v);
}
