/* SPDX-License-Identifier: MIT */
/* walk: what a view shows, and the way from one place to another. */
#include <stdio.h>
#include <string.h>

#include "browse/browser.h"
#include "render/common/escape.h"

static const char help[] =
    "Views\n"
    "  1-9, 0, Tab   report, hotspots, calls, callers, threads, objects,\n"
    "                flame graph, code, waits, pairs; of two captures the\n"
    "                first is what changed\n"
    "  Enter         function: who calls it and what it calls;\n"
    "                tree: open or close; thread, CPU, event, object: only "
    "that;\n"
    "                flame graph: this frame fills the width\n"
    "  Esc, Left     back to where you were\n"
    "  a             code of the function (annotate)\n"
    "  L             messages about the capture\n"
    "Moving\n"
    "  arrows, j k, Page Up, Page Down, g G; a click\n"
    "  Right, Left   tree: open, close or go to the caller; text: sideways\n"
    "Trees\n"
    "  + -  e        open, close; either\n"
    "  E C           open all, close all\n"
    "  H             open the heaviest path\n"
    "Selection (of all views; texts are made anew for it)\n"
    "  d             only samples that fell in the object of the row; again:\n"
    "                all\n"
    "  t             only the process or thread of the row; on a function: "
    "the\n"
    "                threads\n"
    "  m             mark a window of time\n"
    "  v             the next event\n"
    "  A             all samples again\n"
    "  i             in the last line: where the name of the row is from\n"
    "Search\n"
    "  /             lists show what has the text; in trees, texts and the\n"
    "                flame graph n goes to the next; Esc ends it\n"
    "Compare: coldperf browse BEFORE AFTER\n"
    "Keep (printed when you leave)\n"
    "  w             the command line that gives the numbers of the view\n"
    "  o             the command line that writes the page\n"
    "  P             the rows of the view\n"
    "  q             leave; Escape goes back to where you were\n";

size_t
cp_browser_length(const struct cp_browser *b)
{
	return cp_view_is_text(b->view)   ? b->lines.len
	       : b->view == CP_VIEW_FLAME ? b->boxes.len
					  : b->rows.rows.len;
}

int
cp_browser_body(const struct cp_browser *b)
{
	return CP_MAX(b->terminal.rows - CP_SCREEN_BODY - 1, 1);
}

const struct cp_browse_row *
cp_browser_row(const struct cp_browser *b)
{
	if (cp_view_is_text(b->view) || b->view == CP_VIEW_FLAME ||
	    b->at >= b->rows.rows.len)
		return NULL;
	return &b->rows.rows.data[b->at];
}

uint32_t
cp_browser_function(const struct cp_browser *b)
{
	const struct cp_browse_row *row = cp_browser_row(b);

	if (row != NULL && row->kind == CP_ROW_FUNCTION)
		return row->id;
	if (b->view == CP_VIEW_FLAME && b->at < b->boxes.len &&
	    b->boxes.data[b->at].node != 0)
		return b->model.nodes.data[b->boxes.data[b->at].node].function;
	return CP_NO_ID;
}

/* ---------------------------------------------------------- what is shown */

/* Where a line of prose breaks: at the last blank that fits, if there is one.
 */
static char *
break_at(char *line, size_t columns)
{
	char *at = line + cp_text_fit(line, columns), *blank = at;

	if (*at == '\0')
		return NULL;
	while (blank > line && *blank != ' ')
		blank--;
	return blank > line ? blank : NULL;
}

static void
load_text(struct cp_browser *b)
{
	struct cp_browse_words filters;
	bool prose = false;

	if (b->text_of == b->view && b->text_columns == b->terminal.columns &&
	    memcmp(&b->text_selection, &b->model.selection,
		sizeof(b->text_selection)) == 0)
		return;
	b->text_of = b->view;
	b->text_columns = b->terminal.columns;
	b->text_selection = b->model.selection;
	b->lines.len = 0;
	cp_buf_reset(&b->text);
	cp_browser_filters(b, &filters);
	if (filters.all.len != 0 ||
	    (b->view >= CP_VIEW_CODE && b->view <= CP_VIEW_PAIRS)) {
		cp_terminal_put(&b->terminal, 0, 0, b->terminal.columns,
		    CP_STYLE_ALERT, "reads the capture for this view ...");
		cp_terminal_show();
	}
	if (b->view == CP_VIEW_HELP)
		cp_buf_str(&b->text, help);
	else
		b->in->text(b->in->ctx, cp_browser_analysis(b),
		    filters.all.data, filters.all.len,
		    (unsigned)b->terminal.columns, &b->text);
	cp_browser_filters_free(&filters);
	for (char *line = b->text.data; line != NULL && *line != '\0';) {
		char *end = strchr(line, '\n'), *wrap = NULL;

		*cp_vec_push(&b->lines) = line;
		if (end != NULL)
			*end++ = '\0';
		prose = b->view == CP_VIEW_LOG || strcmp(line, "Notes") == 0 ||
			(prose && *line != '\0');
		if (prose)
			wrap = break_at(line, (size_t)b->terminal.columns);
		if (wrap != NULL) {
			*wrap = '\0';
			if (end != NULL)
				end[-1] = '\n';
			end = wrap + 1;
		}
		line = end;
	}
}

static void
make(struct cp_browser *b)
{
	const struct cp_browse_model *m = &b->model;
	const char *find = b->find[0] != '\0' ? b->find : NULL;

	switch (b->view) {
	case CP_VIEW_FUNCTIONS:
		cp_browse_functions(&b->rows, m, find);
		if (b->in->capture_count == 1)
			cp_browse_intervals(&b->rows, m);
		break;
	case CP_VIEW_OBJECTS: cp_browse_objects(&b->rows, m, find); break;
	case CP_VIEW_THREADS: cp_browse_threads(&b->rows, m, find); break;
	case CP_VIEW_CALLS: cp_browse_calls(&b->rows, m); break;
	case CP_VIEW_CALLERS: cp_browse_callers(&b->rows, m); break;
	case CP_VIEW_AROUND: cp_browse_around(&b->rows, m, b->function); break;
	case CP_VIEW_FLAME:
		cp_browse_layout(&b->boxes, m, b->node,
		    (uint32_t)b->terminal.columns,
		    (uint32_t)cp_browser_body(b));
		break;
	default: load_text(b); break;
	}
}

bool
cp_browser_is_made(struct cp_browser *b, struct cp_browse_made *made)
{
	struct cp_browse_made now;
	bool same;

	memset(&now, 0, sizeof(now));
	now.view = b->view;
	now.function = b->function;
	now.node = b->node;
	now.columns = b->terminal.columns;
	now.rows = b->terminal.rows;
	now.changes = b->changes + 1;
	same = memcmp(&now, made, sizeof(now)) == 0;
	*made = now;
	return same;
}

void
cp_browser_load(struct cp_browser *b)
{
	size_t body = (size_t)cp_browser_body(b), n;

	if (!cp_browser_is_made(b, &b->made))
		make(b);
	n = cp_browser_length(b);
	b->at = n == 0 ? 0 : CP_MIN(b->at, n - 1);
	if (cp_view_is_text(b->view)) {
		/* The cursor is the first line that is shown. */
		b->at = b->top = CP_MIN(b->at, n > body ? n - body : 0);
		return;
	}
	while (b->at + 1 < n && cp_browser_row(b) != NULL &&
	       cp_browser_row(b)->kind == CP_ROW_HEAD)
		b->at++;
	if (b->at < b->top || b->at <= 1)
		b->top = b->at <= 1 ? 0 : b->at;
	if (b->at >= b->top + body)
		b->top = b->at - body + 1;
	if (b->rows.cut)
		snprintf(b->status, sizeof(b->status),
		    "the first %u rows are shown: select less, or close some",
		    CP_BROWSE_ROWS);
}

void
cp_browser_remember(struct cp_browser *b)
{
	*cp_vec_push(&b->back) = (struct cp_browse_place){ b->view,
		b->model.selection, b->function, b->node, b->at, b->top };
}

void
cp_browser_go(struct cp_browser *b, enum cp_view view)
{
	if (view == b->view)
		return;
	cp_browser_remember(b);
	b->view = view;
	b->at = b->top = b->column = 0;
}

void
cp_browser_go_back(struct cp_browser *b)
{
	struct cp_browse_place *p;

	if (b->find[0] != '\0') {
		b->find[0] = '\0';
		b->changes++;
		return;
	}
	if (b->back.len == 0)
		return;
	p = &b->back.data[--b->back.len];
	b->view = p->view;
	b->function = p->function;
	b->node = p->node;
	b->at = p->at;
	b->top = p->top;
	b->column = 0;
	b->changes++;
	if (memcmp(&b->model.selection, &p->selection, sizeof(p->selection)) !=
	    0) {
		b->model.selection = p->selection;
		cp_browse_count(&b->model);
	}
}

/* Counts again, after the selection was changed from what is remembered. */
void
cp_browser_selected(struct cp_browser *b)
{
	b->changes++;
	cp_browse_count(&b->model);
	b->at = b->top = 0;
	if (b->model.total[b->node] == 0)
		b->node = 0;
}

/* ------------------------------------------------------------------ search */

static const char *
text_at(const struct cp_browser *b, size_t i)
{
	uint32_t node;

	if (cp_view_is_text(b->view))
		return b->lines.data[i];
	if (b->view != CP_VIEW_FLAME)
		return b->rows.rows.data[i].name;
	node = b->boxes.data[i].node;
	return node != 0 ? cp_browse_name(&b->model, node) : "";
}

/*
 * Of a name that no box is wide enough for: widens what calls the heaviest
 * frame that has it.  False: there is none.
 */
static bool
find_narrow(struct cp_browser *b)
{
	const struct cp_browse_model *m = &b->model;
	uint32_t best = 0;

	for (uint32_t i = 1; i < m->nodes.len; i++)
		if (m->total[i] > (best != 0 ? m->total[best] : 0) &&
		    cp_browse_has(cp_browse_name(m, i), b->find))
			best = i;
	if (best == 0 || b->find[0] == '\0')
		return false;
	cp_browser_remember(b);
	b->node = best;
	b->at = 0;
	snprintf(b->status, sizeof(b->status),
	    "it is narrow: it fills the width now, Escape goes back");
	return true;
}

/* Moves to the next row, from the cursor on, that has the text. */
void
cp_browser_find_next(struct cp_browser *b, size_t from)
{
	size_t n = cp_browser_length(b);

	for (size_t i = 0; i < n && b->find[0] != '\0'; i++)
		if (cp_browse_has(text_at(b, (from + i) % n), b->find)) {
			b->at = (from + i) % n;
			return;
		}
	if (b->view == CP_VIEW_FLAME && find_narrow(b))
		return;
	if (b->find[0] != '\0')
		snprintf(b->status, sizeof(b->status),
		    "nothing here has `%s'%s", b->find,
		    cp_view_is_tree(b->view) ? ": E opens the whole tree" : "");
}

/* ------------------------------------------------------------------ moving */

void
cp_browser_move(struct cp_browser *b, long by)
{
	size_t n = cp_browser_length(b);
	long at = (long)b->at, step = by < 0 ? -1 : 1;

	if (n == 0)
		return;
	at += by;
	at = at < 0 ? 0 : at >= (long)n ? (long)n - 1 : at;
	b->at = (size_t)at;
	/* Heads are no rows. */
	while (cp_browser_row(b) != NULL &&
	       cp_browser_row(b)->kind == CP_ROW_HEAD) {
		if ((long)b->at + step < 0)
			step = 1;
		if ((size_t)((long)b->at + step) >= n)
			break;
		b->at = (size_t)((long)b->at + step);
	}
}

/* Moves between boxes that lie beside, above or below each other. */
void
cp_browser_move_box(struct cp_browser *b, uint32_t key)
{
	const struct cp_browse_box *from, *box, *best = NULL;

	if (b->boxes.len == 0)
		return;
	from = &b->boxes.data[b->at];
	for (size_t i = 0; i < b->boxes.len; i++) {
		bool under;

		box = &b->boxes.data[i];
		under = box->x < from->x + from->columns &&
			from->x < box->x + box->columns;
		if (key == CP_KEY_DOWN && box->depth == from->depth + 1 &&
		    under && (best == NULL || box->columns > best->columns))
			best = box;
		if (key == CP_KEY_UP && box->depth + 1 == from->depth && under)
			best = box;
		if (box->depth != from->depth)
			continue;
		if (key == CP_KEY_RIGHT && box->x > from->x && best == NULL)
			best = box;
		if (key == CP_KEY_LEFT && box->x < from->x)
			best = box;
	}
	if (best != NULL)
		b->at = (size_t)(best - b->boxes.data);
}
