/* SPDX-License-Identifier: MIT */
#include "render/export/common/escaped.h"

void
cp_escaped_init(struct cp_escaped *e, enum cp_escape how)
{
	*e = (struct cp_escaped){ .how = how };
	cp_buf_init(&e->bytes, SIZE_MAX / 2);
}

static void
add_text(struct cp_escaped *e, const char *s)
{
	bool quotes = e->how == CP_ESCAPE_JSON;
	size_t at = e->bytes.len;

	if (quotes)
		cp_buf_char(&e->bytes, '"');
	cp_escape(&e->bytes, e->how, s);
	if (quotes)
		cp_buf_char(&e->bytes, '"');
	*cp_vec_push(&e->texts) =
	    (struct cp_escaped_text){ at, e->bytes.len - at };
}

void
cp_escaped_out(struct cp_escaped *e, struct cp_out *out, const char *s)
{
	const struct cp_escaped_text *text;
	uint32_t *slot;

	if (s == NULL) {
		if (e->how == CP_ESCAPE_JSON)
			cp_out_str(out, "null");
		return;
	}
	slot = cp_map64_put(&e->known, (uintptr_t)s);
	if (*slot == 0) {
		add_text(e, s);
		*slot = (uint32_t)e->texts.len;
	}
	text = &e->texts.data[*slot - 1];
	cp_out_add(out, cp_buf_text(&e->bytes) + text->at, text->n);
}

void
cp_escaped_free(struct cp_escaped *e)
{
	cp_map64_free(&e->known);
	cp_vec_free(&e->texts);
	cp_buf_free(&e->bytes);
}
