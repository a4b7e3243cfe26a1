/* SPDX-License-Identifier: MIT */
/*
 * Sections follow each other as in the text; numbers are written the same way.
 */
#include "render/page/static.h"

#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/text/names.h"
#include "render/text/style.h"
#include "render/text/rest.h"

void
cp_page_text(struct cp_out *out, const char *text)
{
	cp_out_escaped(out, CP_ESCAPE_HTML, text);
}

static void
put_value(
    struct cp_out *out, enum cp_column_type type, const struct cp_value *v)
{
	struct cp_buf b;

	if (type == CP_COL_TEXT) {
		cp_page_text(out, v->text != NULL ? v->text : "");
		return;
	}
	cp_buf_init(&b, 256);
	cp_format_value(&b, type, v);
	cp_out_add(out, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

static const char *
heat_class(enum cp_column_type type, const struct cp_value *v)
{
	const char *heat = type == CP_COL_SHARE ? cp_text_heat(v->value) : "";

	if (*heat == '\0')
		return "";
	return strcmp(heat, CP_STYLE_HOT) == 0 ? " class=\"hot\""
					       : " class=\"warm\"";
}

static bool
is_measured(enum cp_column_type type)
{
	return type == CP_COL_SHARE || type == CP_COL_RATE ||
	       type == CP_COL_CHANGE;
}

static void
put_interval(
    struct cp_out *out, enum cp_column_type type, const struct cp_value *v)
{
	struct cp_buf b;

	cp_buf_init(&b, 256);
	cp_text_interval(&b, type, v);
	cp_out_str(out, "<td class=\"dim\">");
	cp_out_add(out, cp_buf_text(&b), b.len);
	cp_out_str(out, "</td>");
	cp_buf_free(&b);
}

enum { LONG_TEXT = 18, LONG_NAME = 80 };

/* Long texts may break anywhere, so their column needs a fixed width. */
static void
put_text_cell(struct cp_out *out, const struct cp_value *v, unsigned indent)
{
	bool is_long = v->text != NULL && strlen(v->text) > LONG_TEXT;

	cp_out_str(
	    out, is_long ? "<td class=\"text long\"" : "<td class=\"text\"");
	cp_out_str(out, ">");
	cp_out_repeat(out, "&emsp;", indent);
}

/* Cuts a long name as text does; a tooltip shows all of it. */
static void
put_name(struct cp_out *out, const struct cp_names *names, size_t row)
{
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_names_put(names, row, &b);
	if (strcmp(cp_buf_text(&b), cp_names_full(names, row)) != 0) {
		cp_out_str(out, "<span title=\"");
		cp_page_text(out, cp_names_full(names, row));
		cp_out_str(out, "\">");
		cp_page_text(out, cp_buf_text(&b));
		cp_out_str(out, "</span>");
	} else {
		cp_page_text(out, cp_buf_text(&b));
	}
	cp_buf_free(&b);
}

static void
put_row(struct cp_out *out, const struct cp_table *t, size_t number,
    const bool *used, const struct cp_names *names)
{
	const struct cp_row *row = cp_table_at(t, number);
	unsigned indent = CP_MIN(row->depth, 40u);

	cp_out_str(out, "<tr>");
	for (size_t i = 0; i < t->columns.len; i++) {
		enum cp_column_type type = t->columns.data[i].type;

		if (!used[i])
			continue;
		if (type == CP_COL_TEXT) {
			put_text_cell(out, &row->values[i], indent);
			indent = 0;
		} else {
			cp_out_printf(
			    out, "<td%s>", heat_class(type, &row->values[i]));
		}
		if (names[i].rows.len != 0)
			put_name(out, &names[i], number);
		else if (!cp_text_blank(t, type, &row->values[i]))
			put_value(out, type, &row->values[i]);
		cp_out_str(out, "</td>");
		if (is_measured(type))
			put_interval(out, type, &row->values[i]);
	}
	cp_out_str(out, "</tr>\n");
}

static void
put_table(const struct cp_render_options *opt, struct cp_out *out,
    const struct cp_table *t)
{
	struct cp_names *names = cp_names_of(t, opt->brief);
	bool *used = cp_text_used(t);

	for (size_t i = 0; i < t->columns.len; i++)
		cp_names_fit(&names[i], LONG_NAME);
	cp_out_str(out, "<div class=\"scroll\"><table>\n<thead><tr>");
	for (size_t i = 0; i < t->columns.len; i++) {
		const struct cp_column *c = &t->columns.data[i];

		if (!used[i])
			continue;
		cp_out_printf(out, "<th scope=\"col\"%s>",
		    c->type == CP_COL_TEXT ? " class=\"text\"" : "");
		cp_page_text(out, c->name);
		cp_out_str(out, "</th>");
		if (is_measured(c->type))
			cp_out_str(out, "<th scope=\"col\" class=\"dim\">95 %"
					"</th>");
	}
	cp_out_str(out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < cp_table_len(t); i++)
		put_row(out, t, i, used, names);
	cp_out_str(out, "</tbody></table></div>\n");
	free(used);
	cp_names_free_of(t, names);
	if (t->rest_rows == 0)
		return;
	cp_out_str(out, "<p class=\"rest\">");
	cp_text_rest(out, t);
	cp_out_str(out, "</p>\n");
}

static void
put_scalars(struct cp_out *out, const struct cp_section *s)
{
	cp_out_str(out, "<dl>\n");
	for (size_t i = 0; i < s->scalars.len; i++) {
		const struct cp_scalar *v = &s->scalars.data[i];

		cp_out_str(out, "<dt>");
		cp_page_text(out, v->key);
		cp_out_str(out, "</dt><dd>");
		put_value(out, v->type, &v->value);
		cp_out_str(out, "</dd>\n");
	}
	cp_out_str(out, "</dl>\n");
}

static void
put_notes(struct cp_out *out, const struct cp_section *s)
{
	cp_out_str(out, "<ul>\n");
	for (size_t i = 0; i < s->notes.len; i++) {
		cp_out_str(out, "<li>");
		cp_page_text(out, s->notes.data[i]);
		cp_out_str(out, "</li>\n");
	}
	cp_out_str(out, "</ul>\n");
}

static bool
is_picture(enum cp_section_type type)
{
	return type == CP_SECTION_TREE ||
	       (CP_SHOWS(type) & CP_SHOWS_CHARTS) != 0;
}

static void
put_section(const struct cp_render_options *opt, struct cp_out *out,
    const struct cp_section *s)
{
	cp_out_str(out, "<section>\n<h2>");
	cp_page_text(out, s->title);
	cp_out_str(out, "</h2>\n");
	switch (s->type) {
	case CP_SECTION_TABLE: put_table(opt, out, &s->table); break;
	case CP_SECTION_TREE:
	case CP_SECTION_HISTOGRAM:
	case CP_SECTION_GRID:
	case CP_SECTION_LANES: break;
	case CP_SECTION_SCALARS: put_scalars(out, s); break;
	case CP_SECTION_NOTES: put_notes(out, s); break;
	case CP_SECTION_PROFILE:
	case CP_SECTION_CODE:
	case CP_SECTION_TYPES: break;
	}
	cp_out_str(out, "</section>\n");
}

void
cp_page_sections(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out)
{
	for (const struct cp_section *s = r->first; s != NULL; s = s->next)
		if (s->type != CP_SECTION_PROFILE && !cp_section_is_data(s) &&
		    s->type != CP_SECTION_CODE && !is_picture(s->type))
			put_section(opt, out, s);
}

void
cp_page_subtitle(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out)
{
	cp_out_str(out, "<p class=\"sub\">");
	cp_page_text(out, r->analysis);
	if (*r->event != '\0') {
		cp_out_str(out, " · event ");
		cp_page_text(out, r->event);
	}
	cp_out_str(out, " · weights are ");
	cp_page_text(out, r->weight);
	if (opt->tool != NULL) {
		cp_out_str(out, " · ");
		cp_page_text(out, opt->tool);
	}
	cp_out_str(out, "</p>\n");
}
