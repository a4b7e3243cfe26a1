/* SPDX-License-Identifier: MIT */
/*
 * text: the whole report for a terminal or a pager, section by section.
 *
 * Escape sequences are written only when color is asked for.  render/text/
 * formats the sections.
 */
#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/text/charts.h"
#include "render/text/text.h"
#include "render/text/style.h"

static size_t
key_width(const struct cp_section *s, struct cp_buf *b)
{
	size_t width = 0;

	for (size_t i = 0; i < s->scalars.len; i++) {
		cp_buf_reset(b);
		cp_escape_terminal(b, s->scalars.data[i].key);
		width = CP_MAX(width, cp_text_columns(cp_buf_text(b)));
	}
	return width;
}

static void
print_scalars(struct cp_out *out, const struct cp_section *s)
{
	struct cp_buf b;
	size_t width;

	cp_buf_init(&b, SIZE_MAX / 2);
	width = key_width(s, &b);
	for (size_t i = 0; i < s->scalars.len; i++) {
		const struct cp_scalar *v = &s->scalars.data[i];
		size_t at;

		cp_buf_reset(&b);
		cp_escape_terminal(&b, v->key);
		at = cp_text_columns(cp_buf_text(&b));
		cp_buf_char(&b, ':');
		for (; at < width; at++)
			cp_buf_char(&b, ' ');
		cp_buf_char(&b, ' ');
		cp_format_value(&b, v->type, &v->value);
		if (v->value.lo <= v->value.hi) {
			cp_buf_str(&b, " (95 %: ");
			cp_text_interval(&b, v->type, &v->value);
			cp_buf_char(&b, ')');
		}
		cp_out_str(out, "  ");
		cp_out_add(out, cp_buf_text(&b), b.len);
		cp_out_char(out, '\n');
	}
	cp_buf_free(&b);
}

static void
print_escaped(struct cp_out *out, const struct cp_render_options *opt,
    const char *style, const char *text)
{
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape_terminal(&b, text);
	cp_text_styled(out, opt, style, cp_buf_text(&b), b.len);
	cp_out_char(out, '\n');
	cp_buf_free(&b);
}

static void
print_title(
    struct cp_out *out, const struct cp_render_options *opt, const char *title)
{
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape_terminal(&b, title);
	cp_text_styled(out, opt, CP_STYLE_TITLE, cp_buf_text(&b), b.len);
	cp_out_char(out, '\n');
	cp_buf_free(&b);
}

static void
print_section(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, const struct cp_section *s)
{
	print_title(out, opt, s->title);
	switch (s->type) {
	case CP_SECTION_TABLE: cp_text_table(opt, out, &s->table); break;
	case CP_SECTION_TREE: cp_text_tree(opt, out, &s->tree); break;
	case CP_SECTION_SCALARS: print_scalars(out, s); break;
	case CP_SECTION_NOTES:
		for (size_t i = 0; i < s->notes.len; i++) {
			cp_out_str(out, "  ");
			print_escaped(out, opt, "", s->notes.data[i]);
		}
		break;
	case CP_SECTION_HISTOGRAM:
		cp_text_histogram(r, opt, out, &s->histogram);
		break;
	case CP_SECTION_GRID: cp_text_grid(r, opt, out, &s->grid); break;
	case CP_SECTION_LANES: cp_text_lanes(r, opt, out, &s->lanes); break;
	case CP_SECTION_PROFILE:
	case CP_SECTION_CODE:
	case CP_SECTION_TYPES: break;
	}
}

static void
text_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	if (*r->title != '\0') {
		print_escaped(out, opt, CP_STYLE_TITLE, r->title);
		cp_out_char(out, '\n');
	}
	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if (s->type == CP_SECTION_PROFILE ||
		    s->type == CP_SECTION_CODE || cp_section_is_data(s))
			continue;
		if (s != r->first)
			cp_out_char(out, '\n');
		print_section(r, opt, out, s);
	}
}

const struct cp_renderer cp_renderer_text = {
	.name = "text",
	.suffix = ".txt",
	.shows = CP_SHOWS_ALL,
	.write = text_write,
};
