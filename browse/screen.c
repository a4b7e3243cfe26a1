/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "browse/browser.h"
#include "render/common/escape.h"
#include "render/common/fit-name.h"
#include "render/common/format.h"

static const char *const tabs[CP_VIEW_TABS] = { "Report", "Hotspots", "Calls",
	"Callers", "Threads", "Objects", "Flame", "Code", "Waits", "Pairs" };

static const struct cp_profile_event *
event_of(const struct cp_browser *b)
{
	return &b->model.profile->events.data[b->model.selection.event];
}

static void
put(struct cp_browser *b, int row, int column, int columns, enum cp_style style,
    const char *text)
{
	cp_terminal_put(&b->terminal, row, column, columns, style, text);
}
/* ------------------------------------------------------- lines at the top */

static void
add_weight(struct cp_buf *to, const struct cp_profile_event *e, uint64_t weight)
{
	if (e->clock || strcmp(e->unit, "ns") == 0)
		cp_format_time(to, weight);
	else
		cp_format_count(to, weight);
}

/* What is selected, as " | tid 12 | 1.2 s to 1.4 s". */
static void
add_selection(struct cp_buf *to, const struct cp_browser *b)
{
	const struct cp_browse_selection *s = &b->model.selection;
	const struct cp_profile *p = b->model.profile;

	if (s->pid != CP_NO_ID)
		cp_buf_printf(to, " | process %" PRIu32, s->pid);
	if (s->tid != CP_NO_ID)
		cp_buf_printf(to, " | thread %" PRIu32, s->tid);
	if (s->cpu != CP_NO_ID)
		cp_buf_printf(to, " | CPU %" PRIu32, s->cpu);
	if (s->object != CP_NO_ID) {
		cp_buf_str(to, " | ");
		cp_escape_terminal(to, p->objects.data[s->object].name != NULL
					   ? p->objects.data[s->object].name
					   : "[unknown]");
	}
	if (s->from != 0 || s->to != UINT64_MAX) {
		cp_buf_str(to, " | from ");
		cp_format_time(to, s->from - b->model.first);
		cp_buf_str(to, " to ");
		cp_format_time(to, s->to - b->model.first);
	}
}

static void
draw_title(struct cp_browser *b)
{
	const struct cp_profile_event *e = event_of(b);
	struct cp_buf line;

	cp_buf_init(&line, 4096);
	if (cp_view_is_of_all(b)) {
		cp_buf_str(&line, "all that was read");
	} else if (cp_view_is_text(b->view) && b->view != CP_VIEW_CODE) {
		cp_buf_str(&line, "all events");
	} else {
		cp_escape_terminal(&line, e->name);
		cp_buf_str(&line, ": ");
		if (b->model.compares) {
			cp_format_count(&line, b->model.before.n);
			cp_buf_str(&line, " and ");
		}
		cp_format_count(&line, b->model.n);
		cp_buf_str(&line, b->model.n == 1 ? " sample, " : " samples, ");
		if (b->model.compares) {
			add_weight(&line, e, b->model.before.sum);
			cp_buf_str(&line, " and ");
		}
		add_weight(&line, e, b->model.sum);
	}
	if (!cp_view_is_of_all(b))
		add_selection(&line, b);
	cp_buf_str(&line, " | ");
	if (b->in->capture_count > 1 && !b->model.compares)
		cp_buf_printf(&line, "%zu captures: ", b->in->capture_count);
	cp_escape_terminal(&line, b->in->captures[0]);
	if (b->model.compares) {
		cp_buf_str(&line, " to ");
		cp_escape_terminal(&line, b->in->captures[1]);
	}
	put(b, 0, 0, b->terminal.columns, CP_STYLE_HEAD, cp_buf_text(&line));
	cp_buf_free(&line);
}

/* The width of a tab: all names where there is room, else the chosen one's. */
static int
tab_width(const struct cp_browser *b, int i)
{
	int all = 0;

	for (int j = 0; j < CP_VIEW_TABS; j++)
		all += 3 + (int)strlen(tabs[j]);
	return all <= b->terminal.columns + 1 || i == (int)b->view
		   ? 2 + (int)strlen(tabs[i])
		   : 1;
}

enum cp_view
cp_browser_tab_at(const struct cp_browser *b, int column)
{
	int at = 0;

	for (int i = 0; i < CP_VIEW_TABS; i++) {
		int width = tab_width(b, i);

		if (column >= at && column < at + width)
			return (enum cp_view)i;
		at += width + 1;
	}
	return CP_VIEW_TABS;
}

static void
draw_tabs(struct cp_browser *b)
{
	int at = 0;
	char text[32];

	for (int i = 0; i < CP_VIEW_TABS; i++) {
		int width = tab_width(b, i);

		snprintf(text, sizeof(text), "%d %s", (i + 1) % 10,
		    i == 0 && b->model.compares ? "Diff" : tabs[i]);
		put(b, CP_SCREEN_TABS, at, width,
		    i == (int)b->view ? CP_STYLE_CHOSEN : CP_STYLE_HEAD, text);
		at += width + 1;
	}
}

/* ------------------------------------------------------------------- rows */

/* Adds text that ends at that column of the line. */
static void
right(struct cp_buf *to, size_t column, const char *text)
{
	size_t have = cp_text_columns(cp_buf_text(to)) + cp_text_columns(text);

	for (; have < column; have++)
		cp_buf_char(to, ' ');
	cp_buf_str(to, text);
}

static void
add_share(struct cp_buf *to, size_t column, double value)
{
	char text[24];

	snprintf(text, sizeof(text), "%.2f%%", value * 100);
	right(to, column, text);
}

static void
add_interval(struct cp_buf *to, size_t column, const double *ends)
{
	struct cp_buf text;

	cp_buf_init(&text, 64);
	if (ends[1] > 0)
		cp_format_share_interval(&text, ends[0], ends[1]);
	right(to, column, cp_buf_text(&text));
	cp_buf_free(&text);
}

/* A weight of the event, or with NULL a count. */
static void
add_number(struct cp_buf *to, size_t column, const struct cp_profile_event *e,
    uint64_t n)
{
	struct cp_buf text;

	cp_buf_init(&text, 64);
	if (e != NULL)
		add_weight(&text, e, n);
	else
		cp_format_count(&text, n);
	right(to, column, cp_buf_text(&text));
	cp_buf_free(&text);
}

enum { BEFORE = 10, AFTER = 20, CHANGE = 30 };
/* Widths of columns. */
enum { SELF = 8, INTERVAL = 12, TOTAL = 9, WEIGHT = 13, SAMPLES = 10 };
/* Narrow terminals have no weights. */
#define WIDE 100

/* Costs before and after, and the change, as diff has them. */
static size_t
add_change(struct cp_buf *to, const struct cp_browser *b,
    const struct cp_browse_row *row)
{
	bool own = b->view == CP_VIEW_FUNCTIONS;
	uint64_t before = own ? row->self_before : row->total_before;
	uint64_t after = own ? row->self : row->total;
	char change[24] = "";

	if (before != 0)
		add_number(to, BEFORE, event_of(b), before);
	if (after != 0)
		add_number(to, AFTER, event_of(b), after);
	if (before != 0 && after != 0)
		snprintf(change, sizeof(change), "%+.1f%%",
		    ((double)after / (double)before - 1) * 100);
	else if (before != after)
		snprintf(change, sizeof(change), after != 0 ? "new" : "gone");
	right(to, CHANGE, change);
	cp_buf_str(to, "  ");
	return CHANGE + 2;
}

static size_t
add_numbers(struct cp_buf *to, const struct cp_browser *b,
    const struct cp_browse_row *row)
{
	bool list = row->kind != CP_ROW_FUNCTION;
	bool own = b->view == CP_VIEW_FUNCTIONS;
	bool wide = b->terminal.columns >= WIDE;
	size_t at = SELF;

	if (b->model.compares)
		return add_change(to, b, row);
	add_share(to, at, cp_browse_share(&b->model, row->self));
	if (own)
		add_interval(to, at += INTERVAL, row->self_interval);
	at += TOTAL;
	if (list)
		right(to, at, "");
	else
		add_share(to, at, cp_browse_share(&b->model, row->total));
	if (own && wide)
		add_interval(to, at += INTERVAL, row->total_interval);
	if (wide) {
		add_number(to, at += WEIGHT, event_of(b),
		    own || list ? row->self : row->total);
		at += SAMPLES;
		if (own || list)
			add_number(to, at, NULL, row->samples);
		else
			right(to, at, "");
	}
	cp_buf_str(to, "  ");
	return at + 2;
}

static void
add_name(struct cp_buf *to, const struct cp_browser *b,
    const struct cp_browse_row *row, size_t column)
{
	const struct cp_browse_row *chosen = cp_browser_row(b);
	size_t width = (size_t)b->terminal.columns, object = 0, room;
	size_t most = width > 70 ? (width - 50) / 2 : 10, skip = 0;
	struct cp_buf name;

	/* Of a deep tree levels are left out, so that the cursor's name fits.
	 */
	if (chosen != NULL && chosen->depth > most)
		skip = chosen->depth - most;
	for (size_t indent = row->depth; indent > skip; indent--, column += 2)
		cp_buf_str(to, "  ");
	if (row->path != 0) {
		cp_buf_str(to, !row->more ? "  " : row->open ? "- " : "+ ");
		column += 2;
	}
	if (row->where != NULL && !cp_view_is_text(b->view) && row->path == 0)
		object = CP_MIN((size_t)24, width / 5);
	room = width > column + object + 1 ? width - column - object - 1 : 8;
	cp_buf_init(&name, 8192);
	if (row->path != 0 && strcmp(row->name, "[addresses]") == 0 &&
	    row->where != NULL)
		cp_buf_printf(&name, "[addresses] %s", row->where);
	else
		cp_buf_str(&name, row->name);
	cp_fit_name(to, cp_buf_text(&name),
	    row->inlined ? CP_MAX(room, 19) - 10 : room);
	if (row->inlined && strstr(row->name, "(inlined)") == NULL)
		cp_buf_str(to, " (inlined)");
	if (object != 0) {
		right(to, width - object, "");
		cp_buf_reset(&name);
		cp_escape_terminal(&name, row->where);
		cp_cut_middle(to, cp_buf_text(&name), object);
	}
	cp_buf_free(&name);
}

static void
row_text(struct cp_buf *to, const struct cp_browser *b, size_t i)
{
	const struct cp_browse_row *row = &b->rows.rows.data[i];

	if (row->kind == CP_ROW_HEAD) {
		cp_buf_str(to, row->name);
		return;
	}
	if (row->kind == CP_ROW_EVENT) {
		add_number(to, SELF + TOTAL, NULL, row->samples);
		cp_buf_str(to, "  ");
		cp_escape_terminal(to, row->name);
		return;
	}
	add_name(to, b, row, add_numbers(to, b, row));
}

static enum cp_style
row_style(const struct cp_browser *b, size_t i)
{
	const struct cp_browse_row *row = &b->rows.rows.data[i];

	if (row->kind == CP_ROW_HEAD)
		return CP_STYLE_HEAD;
	if (i == b->at)
		return CP_STYLE_CHOSEN;
	if (row->kind == CP_ROW_FUNCTION &&
	    cp_browse_share(&b->model, row->self) >= 0.05)
		return CP_STYLE_HOT;
	return row->inlined  ? CP_STYLE_INLINED
	       : row->kernel ? CP_STYLE_KERNEL
			     : CP_STYLE_PLAIN;
}

static const char *
column_heads(const struct cp_browser *b)
{
	if (b->model.compares)
		return b->view == CP_VIEW_FUNCTIONS
			   ? "    Before     After    Change  Function, by "
			     "itself"
			   : "    Before     After    Change  Name, all of it";
	if (b->view == CP_VIEW_THREADS || b->view == CP_VIEW_OBJECTS)
		return b->terminal.columns >= WIDE
			   ? "   Share                Weight   Samples  Name"
			   : "   Share           Name";
	if (b->view == CP_VIEW_FUNCTIONS)
		return b->terminal.columns >= WIDE
			   ? "    Self        95 %    Total        95 %"
			     "       Weight   Samples  Function"
			   : "    Self        95 %    Total  Function";
	return b->terminal.columns >= WIDE
		   ? "    Self    Total       Weight   Samples  Function"
		   : "    Self    Total  Function";
}

static void
draw_rows(struct cp_browser *b)
{
	int body = cp_browser_body(b);
	struct cp_buf line;

	put(b, CP_SCREEN_BODY - 1, 0, b->terminal.columns, CP_STYLE_HEAD,
	    column_heads(b));
	cp_buf_init(&line, 65536);
	for (int y = 0; y < body && b->top + (size_t)y < b->rows.rows.len;
	     y++) {
		size_t i = b->top + (size_t)y;

		cp_buf_reset(&line);
		row_text(&line, b, i);
		put(b, CP_SCREEN_BODY + y, 0, b->terminal.columns,
		    row_style(b, i), cp_buf_text(&line));
	}
	cp_buf_free(&line);
	if (b->rows.rows.len == 0)
		put(b, CP_SCREEN_BODY, 0, b->terminal.columns, CP_STYLE_ALERT,
		    b->find[0] != '\0' ? "nothing has that in its name"
				       : "no samples are selected: A selects "
					 "all again");
}

static void
draw_text(struct cp_browser *b)
{
	int body = cp_browser_body(b);

	for (int y = 0; y < body && b->top + (size_t)y < b->lines.len; y++) {
		size_t i = b->top + (size_t)y;
		const char *line = b->lines.data[i];
		size_t skip = cp_text_fit(line, b->column);
		bool found = b->find[0] != '\0' && cp_browse_has(line, b->find);

		put(b, CP_SCREEN_BODY + y, 0, b->terminal.columns,
		    found ? CP_STYLE_ALERT : CP_STYLE_PLAIN, line + skip);
	}
	if (b->lines.len == 0)
		put(b, CP_SCREEN_BODY, 0, b->terminal.columns, CP_STYLE_ALERT,
		    b->model.compares ? "this view is of one capture: coldperf "
					"browse CAPTURE has it; view 1 compares"
		    : b->view == CP_VIEW_WAITS
			? "the capture says nothing about waits: no context "
			  "switches were recorded"
		    : b->view == CP_VIEW_PAIRS
			? "the capture has no events that begin and end "
			  "something"
			: "there is nothing here");
}

void
cp_browser_draw(struct cp_browser *b)
{
	cp_terminal_clear(&b->terminal);
	draw_title(b);
	draw_tabs(b);
	cp_browser_draw_strip(b);
	if (cp_view_is_text(b->view))
		draw_text(b);
	else if (b->view == CP_VIEW_FLAME)
		cp_browser_draw_boxes(b);
	else
		draw_rows(b);
	cp_browser_draw_footer(b);
	cp_terminal_show();
}

void
cp_browser_print(struct cp_browser *b, struct cp_buf *to)
{
	const struct cp_browse_model *m = &b->model;
	struct cp_buf line;

	cp_buf_init(&line, 65536);
	for (size_t i = 0; i < cp_browser_length(b); i++) {
		uint32_t node =
		    b->view == CP_VIEW_FLAME ? b->boxes.data[i].node : 0;

		cp_buf_reset(&line);
		if (cp_view_is_text(b->view)) {
			cp_buf_str(&line, b->lines.data[i]);
		} else if (b->view != CP_VIEW_FLAME) {
			row_text(&line, b, i);
		} else {
			add_share(
			    &line, SELF, cp_browse_share(m, m->total[node]));
			right(&line, SELF + 2 + 2 * b->boxes.data[i].depth, "");
			cp_escape_terminal(
			    &line, node == 0 ? "all" : cp_browse_name(m, node));
		}
		cp_buf_printf(to, "%s\n", cp_buf_text(&line));
	}
	cp_buf_free(&line);
}
