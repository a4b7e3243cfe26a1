/* SPDX-License-Identifier: MIT */
#include "render/text/style.h"

#include "render/common/escape.h"
#include "render/common/format.h"

const char *
cp_text_heat(double share)
{
	return share >= 0.05 ? CP_STYLE_HOT
			     : (share >= 0.005 ? CP_STYLE_WARM : "");
}

void
cp_text_styled(struct cp_out *out, const struct cp_render_options *opt,
    const char *style, const char *text, size_t n)
{
	bool styled = opt->color && *style != '\0' && n != 0;

	if (styled)
		cp_out_printf(out, "\033[%sm", style);
	cp_out_add(out, text, n);
	if (styled)
		cp_out_str(out, "\033[m");
}

bool
cp_text_blank(const struct cp_table *t, enum cp_column_type type,
    const struct cp_value *v)
{
	return t->listing && ((type == CP_COL_SHARE && v->value == 0) ||
				 (type == CP_COL_COUNT && v->u64 == 0));
}

bool *
cp_text_used(const struct cp_table *t)
{
	size_t n = t->columns.len, rows = cp_table_len(t), left = n;
	bool *used = cp_xcalloc(n + 1, sizeof(*used));
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	for (size_t r = 0; r < rows && left > 0; r++) {
		const struct cp_row *row = cp_table_at(t, r);

		for (size_t i = 0; i < n; i++) {
			enum cp_column_type type = t->columns.data[i].type;

			if (used[i] || cp_text_blank(t, type, &row->values[i]))
				continue;
			cp_buf_reset(&b);
			cp_format_value(&b, type, &row->values[i]);
			used[i] = b.len != 0 &&
				  !cp_value_unknown(type, &row->values[i]);
			left -= used[i];
		}
	}
	cp_buf_free(&b);
	/* A table without rows shows all columns in its head. */
	for (size_t i = 0; i < n && (rows == 0 || left == n); i++)
		used[i] = true;
	return used;
}

/* Is the column in the list?  Case does not matter. */
static bool
is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *s = list; s != NULL; s = strchr(s, ',')) {
		s += *s == ',';
		if (strncasecmp(s, name, n) == 0 &&
		    (s[n] == ',' || s[n] == '\0'))
			return true;
	}
	return false;
}

void
cp_text_chosen(
    const struct cp_render_options *opt, const struct cp_table *t, bool *used)
{
	bool any = false;

	for (size_t c = 0; c < t->columns.len; c++)
		any |= is_listed(opt->columns, t->columns.data[c].name);
	for (size_t c = 0; c < t->columns.len; c++)
		used[c] &=
		    any ? is_listed(opt->columns, t->columns.data[c].name)
			: !t->columns.data[c].minor;
}

bool *
cp_text_sure(const struct cp_render_options *opt, const struct cp_table *t)
{
	size_t n = t->columns.len, shares = 0;
	bool *sure = cp_xcalloc(n + 1, sizeof(*sure));

	for (size_t c = 0; c < n; c++) {
		shares += t->columns.data[c].type == CP_COL_SHARE;
		sure[c] =
		    !opt->plain &&
		    (t->columns.data[c].type != CP_COL_SHARE || shares < 2 ||
			opt->width == 0 || opt->width >= 100);
	}
	return sure;
}

void
cp_text_interval(
    struct cp_buf *b, enum cp_column_type type, const struct cp_value *v)
{
	if (type == CP_COL_SHARE) {
		cp_format_share_interval(b, v->lo, v->hi);
	} else if (type == CP_COL_RATE && v->lo <= v->hi) {
		cp_format_rate(b, v->lo);
		cp_buf_str(b, "–");
		cp_format_rate(b, v->hi);
	} else if (type == CP_COL_CHANGE && v->lo <= v->hi) {
		cp_format_change(b, v->lo);
		cp_buf_str(b, "…");
		cp_format_change(b, v->hi);
	}
}

unsigned
cp_text_room(const struct cp_render_options *opt, size_t taken)
{
	unsigned width = opt->width != 0 ? opt->width : 100;

	return width > taken + 20 ? width - (unsigned)taken : 20;
}

void
cp_text_right(struct cp_out *out, const struct cp_buf *b, size_t width)
{
	size_t n = cp_text_columns(cp_buf_text(b));

	cp_out_repeat(out, " ", width - CP_MIN(n, width));
	cp_out_add(out, cp_buf_text(b), b->len);
}
