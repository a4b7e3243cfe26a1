/* SPDX-License-Identifier: MIT */
/*
 * markdown: the report for a merge request or a ticket: what is said first, the
 * first rows of each table, the notes, and the command that has all of it.
 */
#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/render.h"

#define ROWS 5 /* of a table */

/* Writes text that no reader of Markdown or HTML takes for markup. */
static void
put(struct cp_out *out, const char *s)
{
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape_terminal(&b, s);
	for (s = cp_buf_text(&b); *s != '\0'; s++) {
		if (*s == '<' || *s == '&')
			cp_out_str(out, *s == '<' ? "&lt;" : "&amp;");
		else {
			if (strchr("\\`*_[]|~#@!", *s) != NULL)
				cp_out_char(out, '\\');
			cp_out_char(out, *s);
		}
	}
	cp_buf_free(&b);
}

static void
put_value(
    struct cp_out *out, enum cp_column_type type, const struct cp_value *v)
{
	struct cp_buf b;

	if (type == CP_COL_TEXT) {
		put(out, v->text != NULL ? v->text : "");
		return;
	}
	cp_buf_init(&b, 4096);
	if (!cp_value_unknown(type, v))
		cp_format_value(&b, type, v);
	put(out, cp_buf_text(&b));
	if (type == CP_COL_SHARE && !v->none && v->lo <= v->hi &&
	    v->lo < v->hi) {
		cp_buf_reset(&b);
		cp_format_share_interval(&b, v->lo, v->hi);
		cp_out_str(out, " (");
		put(out, cp_buf_text(&b));
		cp_out_char(out, ')');
	}
	cp_buf_free(&b);
}

static void
put_table(struct cp_out *out, const struct cp_table *t)
{
	size_t n = cp_table_len(t);

	for (size_t r = 0; r < CP_MIN(n, ROWS) + 2; r++) {
		/* the heads, the line below them, the rows */
		const struct cp_row *row = r > 1 ? cp_table_at(t, r - 2) : NULL;

		for (size_t i = 0; i < t->columns.len; i++) {
			const struct cp_column *c = &t->columns.data[i];

			if (c->minor)
				continue;
			cp_out_str(out, "| ");
			if (r == 0)
				put(out, c->name);
			else if (r == 1)
				cp_out_str(out,
				    c->type == CP_COL_TEXT ? ":--" : "--:");
			else
				put_value(out, c->type, &row->values[i]);
			cp_out_char(out, ' ');
		}
		cp_out_str(out, "|\n");
	}
	if (n > ROWS || t->rest_rows != 0)
		cp_out_printf(out, "\n%" PRIu64 " more rows\n",
		    (uint64_t)(n - CP_MIN(n, ROWS)) + t->rest_rows);
}

static void
put_section(struct cp_out *out, const struct cp_section *s)
{
	cp_out_str(out, "\n### ");
	put(out, s->title);
	cp_out_str(out, "\n\n");
	if (s->type == CP_SECTION_TABLE)
		put_table(out, &s->table);
	for (size_t i = 0; s->type == CP_SECTION_SCALARS && i < s->scalars.len;
	     i++) {
		const struct cp_scalar *v = &s->scalars.data[i];

		cp_out_str(out, "- ");
		put(out, v->key);
		cp_out_str(out, ": ");
		put_value(out, v->type, &v->value);
		cp_out_char(out, '\n');
	}
	for (size_t i = 0; s->type == CP_SECTION_NOTES && i < s->notes.len;
	     i++) {
		cp_out_str(out, "- ");
		put(out, s->notes.data[i]);
		cp_out_char(out, '\n');
	}
}

/* "coldperf diff --fail-over 5% before after", to be pasted. */
static void
put_command(struct cp_out *out, const struct cp_report *r,
    const struct cp_render_command *c)
{
	if (c->capture_count == 0)
		return;
	cp_out_str(out, "\n    coldperf ");
	cp_out_str(out, r->analysis);
	for (size_t i = 0; i < c->own_count; i++)
		cp_out_printf(out, " --%s%s%s", c->own[i].name,
		    c->own[i].value != NULL ? " " : "",
		    c->own[i].value != NULL ? c->own[i].value : "");
	for (size_t i = 0; i < c->capture_count; i++) {
		struct cp_buf b;

		cp_buf_init(&b, SIZE_MAX / 2);
		cp_escape_terminal(&b, c->captures[i]);
		cp_out_printf(out, " %s", cp_buf_text(&b));
		cp_buf_free(&b);
	}
	cp_out_char(out, '\n');
}

static void
markdown_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	const struct cp_section *gate = cp_report_find(r, "gate");

	cp_out_str(out, "## ");
	put(out, r->title != NULL ? r->title : r->analysis);
	cp_out_char(out, '\n');
	if (r->label != NULL && r->label[0] != '\0') {
		cp_out_char(out, '\n');
		put(out, r->label);
		cp_out_char(out, '\n');
	}
	if (gate != NULL)
		put_section(out, gate);
	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if ((CP_SHOWS(s->type) & (CP_SHOWS(CP_SECTION_TABLE) |
					     CP_SHOWS(CP_SECTION_SCALARS) |
					     CP_SHOWS(CP_SECTION_NOTES))) == 0)
			cp_left_add(left, s);
		else if (s != gate && !cp_section_is_data(s) &&
			 strcmp(s->slug, "label") != 0)
			put_section(out, s);
	}
	put_command(out, r, &opt->command);
}

const struct cp_renderer cp_renderer_markdown = {
	.name = "markdown",
	.suffix = ".md",
	.shows = CP_SHOWS(CP_SECTION_TABLE) | CP_SHOWS(CP_SECTION_SCALARS) |
		 CP_SHOWS(CP_SECTION_NOTES),
	.write = markdown_write,
};
