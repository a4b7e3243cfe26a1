/* SPDX-License-Identifier: MIT */
#include "render/page/strings.h"

#include "base/buf.h"
#include "render/common/escape.h"

uint32_t
cp_page_string(struct cp_page_strings *s, const char *text)
{
	uint32_t *number;

	if (text == NULL || *text == '\0')
		return 0;
	number = cp_map64_put(&s->number, (uintptr_t)text);
	if (*number == 0)
		*number = cp_strings_add(&s->all, text);
	return *number;
}

uint32_t
cp_page_hex(struct cp_page_strings *s, const uint8_t *p, size_t n)
{
	struct cp_buf b;
	uint32_t number;

	cp_buf_init(&b, 2 * n + 1);
	cp_buf_hex_of(&b, p, n);
	number = cp_strings_addn(&s->all, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
	return number;
}

/* A NUL ends each text; what has no visible form is escaped. */
void
cp_page_strings_put(const struct cp_page_strings *s, struct cp_page_columns *c)
{
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_buf_char(&b, '\0');
	for (uint32_t i = 1; i < s->all.text.len; i++) {
		cp_escape_terminal(&b, cp_strings_get(&s->all, i));
		cp_buf_char(&b, '\0');
	}
	cp_page_bytes(c, "strings", "texts", cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

void
cp_page_strings_free(struct cp_page_strings *s)
{
	cp_strings_free(&s->all);
	cp_map64_free(&s->number);
}
