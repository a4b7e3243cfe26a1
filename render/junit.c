/* SPDX-License-Identifier: MIT */
/*
 * junit: the gate of a comparison as a test: JUnit's XML, which servers of
 * continuous integration show.
 *
 * The test fails if the gate does, and has an error where it is undecided; what
 * it prints is the first rows of each table.  A report without a gate is a test
 * that passes.
 */
#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/render.h"

#define ROWS 5

static void
put_rows(struct cp_out *out, const struct cp_table *t)
{
	for (size_t r = 0; r < CP_MIN(cp_table_len(t), ROWS); r++) {
		const struct cp_row *row = cp_table_at(t, r);

		for (size_t i = 0; i < t->columns.len; i++) {
			const struct cp_column *c = &t->columns.data[i];
			struct cp_buf b;

			if (c->minor ||
			    cp_value_unknown(c->type, &row->values[i]))
				continue;
			cp_buf_init(&b, SIZE_MAX / 2);
			cp_format_value(&b, c->type, &row->values[i]);
			cp_out_escaped(out, CP_ESCAPE_XML, c->name);
			cp_out_str(out, ": ");
			cp_out_escaped(out, CP_ESCAPE_XML, cp_buf_text(&b));
			cp_out_str(out, "  ");
			cp_buf_free(&b);
		}
		cp_out_char(out, '\n');
	}
}

static const char *
cell(const struct cp_section *s, size_t column)
{
	const char *text = s != NULL && cp_table_len(&s->table) != 0 &&
				   column < s->table.columns.len
			       ? cp_table_at(&s->table, 0)->values[column].text
			       : NULL;

	return text != NULL ? text : "";
}

static void
junit_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	const struct cp_section *gate = cp_report_find(r, "gate");
	const char *verdict = cell(gate, 0);
	bool failed = strcmp(verdict, "failed") == 0,
	     undecided = strcmp(verdict, "undecided") == 0;

	(void)opt;
	cp_out_printf(out,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<testsuites tests=\"1\" failures=\"%d\" errors=\"%d\">\n"
	    "<testsuite name=\"coldperf %s\" tests=\"1\" failures=\"%d\" "
	    "errors=\"%d\">\n<testcase classname=\"coldperf\" name=\"",
	    failed, undecided, r->analysis, failed, undecided);
	cp_out_escaped(
	    out, CP_ESCAPE_XML, r->title != NULL ? r->title : r->analysis);
	cp_out_str(out, "\">\n");
	if (failed || undecided) {
		const char *kind = failed ? "failure" : "error";

		cp_out_printf(out, "<%s type=\"%s\" message=\"", kind,
		    failed ? "regression" : "undecided");
		cp_out_escaped(out, CP_ESCAPE_XML, cell(gate, 1));
		cp_out_printf(out, "\"></%s>\n", kind);
	}
	cp_out_str(out, "<system-out>");
	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if (s->type != CP_SECTION_TABLE) {
			cp_left_add(left, s);
			continue;
		}
		if (s == gate || cp_section_is_data(s))
			continue;
		cp_out_escaped(out, CP_ESCAPE_XML, s->title);
		cp_out_char(out, '\n');
		put_rows(out, &s->table);
	}
	cp_out_str(
	    out, "</system-out>\n</testcase>\n</testsuite>\n</testsuites>\n");
}

const struct cp_renderer cp_renderer_junit = {
	.name = "junit",
	.suffix = ".junit.xml",
	.shows = CP_SHOWS(CP_SECTION_TABLE),
	.write = junit_write,
};
