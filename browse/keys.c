/* SPDX-License-Identifier: MIT */
/* keys: the effect of each key. */
#include "browse/browse.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "browse/browser.h"

/* ------------------------------------------------------------------- trees */

static void
open_heaviest(struct cp_browser *b)
{
	size_t at = b->at;
	uint64_t self;
	uint32_t depth;

	/* The heaviest of the rows below is the first. */
	for (unsigned i = 0; i < 256 && at < b->rows.rows.len; i++) {
		if (!b->rows.rows.data[at].more)
			break;
		depth = b->rows.rows.data[at].depth;
		self = b->rows.rows.data[at].self;
		cp_browse_open(&b->rows, at, true);
		b->changes++;
		cp_browser_load(b);
		if (at + 1 >= b->rows.rows.len ||
		    b->rows.rows.data[at + 1].depth != depth + 1 ||
		    b->rows.rows.data[at + 1].total < self)
			break;
		at++;
	}
	b->at = at;
}

static void
open_all(struct cp_browser *b, bool open)
{
	size_t before;

	do {
		before = b->rows.rows.len;
		for (size_t i = 0; i < before; i++)
			cp_browse_open(&b->rows, i, open);
		b->changes++;
		cp_browser_load(b);
	} while (open && b->rows.rows.len > before && !b->rows.cut);
}

static void
to_caller(struct cp_browser *b)
{
	uint32_t depth = b->rows.rows.data[b->at].depth;

	for (size_t i = b->at; depth > 0 && i-- > 0;)
		if (b->rows.rows.data[i].depth < depth) {
			b->at = i;
			return;
		}
	cp_browser_go_back(b);
}

static void
on_tree(struct cp_browser *b, uint32_t key)
{
	const struct cp_browse_row *row = cp_browser_row(b);

	if (row == NULL || row->path == 0)
		return;
	b->changes++;
	switch (key) {
	case CP_KEY_ENTER:
	case 'e': cp_browse_open(&b->rows, b->at, !row->open); break;
	case CP_KEY_RIGHT:
	case '+': cp_browse_open(&b->rows, b->at, true); break;
	case CP_KEY_LEFT:
		if (!row->open) {
			to_caller(b);
			break;
		}
		/* fall through */
	case '-': cp_browse_open(&b->rows, b->at, false); break;
	case 'E': open_all(b, true); break;
	case 'C': open_all(b, false); break;
	case 'H': open_heaviest(b); break;
	default: break;
	}
}

/* --------------------------------------------------------------- selection */

static void
choose_row(struct cp_browser *b)
{
	struct cp_browse_selection *s = &b->model.selection;
	const struct cp_browse_row *row = cp_browser_row(b);

	if (row == NULL || row->kind == CP_ROW_HEAD)
		return;
	cp_browser_remember(b);
	switch (row->kind) {
	case CP_ROW_FUNCTION:
		b->function = row->id;
		b->view = CP_VIEW_AROUND;
		b->at = b->top = 0;
		return;
	case CP_ROW_PROCESS: s->pid = row->id; break;
	case CP_ROW_THREAD:
		s->pid = row->id;
		s->tid = row->tid;
		break;
	case CP_ROW_CPU: s->cpu = row->id; break;
	case CP_ROW_EVENT: s->event = row->id; break;
	case CP_ROW_OBJECT: s->object = row->id; break;
	default: break;
	}
	cp_browser_selected(b);
	if (b->view == CP_VIEW_OBJECTS)
		b->view = CP_VIEW_FUNCTIONS;
}

static void
choose_object(struct cp_browser *b)
{
	uint32_t function = cp_browser_function(b);
	const struct cp_browse_row *row = cp_browser_row(b);
	uint32_t object;

	if (function == CP_NO_ID && (row == NULL || row->kind != CP_ROW_OBJECT))
		return;
	object = function != CP_NO_ID ? b->model.functions.data[function].in
				      : row->id;
	cp_browser_remember(b);
	/* The same again: all objects, as perf has it. */
	b->model.selection.object =
	    b->model.selection.object == object ? CP_NO_ID : object;
	cp_browser_selected(b);
}

static void
next_event(struct cp_browser *b)
{
	size_t n = b->model.profile->events.len;
	uint32_t event = b->model.selection.event;

	for (size_t i = 0; i < n; i++) {
		event = (event + 1) % (uint32_t)n;
		if (b->model.profile->events.data[event].samples != 0 &&
		    b->model.same[event] == event)
			break;
	}
	if (event == b->model.selection.event)
		return;
	cp_browser_remember(b);
	b->model.selection.event = event;
	cp_browser_selected(b);
}

static void
select_all(struct cp_browser *b)
{
	uint32_t event = b->model.selection.event;

	cp_browser_remember(b);
	cp_browse_select_all(&b->model.selection, &b->model);
	b->model.selection.event = event;
	cp_browser_selected(b);
}

/* The time at the begin of a column of the strip. */
static uint64_t
time_of(const struct cp_browser *b, size_t column)
{
	double span = (double)(b->model.last - b->model.first) + 1;

	return b->model.first +
	       (uint64_t)(span * (double)column / b->terminal.columns);
}

static void
mark(struct cp_browser *b, uint32_t key)
{
	size_t last = (size_t)CP_MAX(b->terminal.columns, 1) - 1, from, to;

	switch (key) {
	case CP_KEY_LEFT: b->mark -= b->mark > 0; break;
	case CP_KEY_RIGHT: b->mark += b->mark < last; break;
	case CP_KEY_HOME: b->mark = 0; break;
	case CP_KEY_END: b->mark = last; break;
	case CP_KEY_ESCAPE:
	case 'q': b->marking = false; break;
	case ' ':
	case CP_KEY_ENTER:
		if (b->mark_from == SIZE_MAX) {
			b->mark_from = b->mark;
			break;
		}
		from = CP_MIN(b->mark_from, b->mark);
		to = CP_MAX(b->mark_from, b->mark);
		cp_browser_remember(b);
		b->model.selection.from = time_of(b, from);
		b->model.selection.to =
		    to == last ? b->model.last : time_of(b, to + 1) - 1;
		b->marking = false;
		cp_browser_selected(b);
		break;
	default: break;
	}
}

/* ------------------------------------------------------------------- keys */

static void
type(struct cp_browser *b, uint32_t key)
{
	size_t n = strlen(b->find);

	switch (key) {
	case CP_KEY_ESCAPE: b->find[0] = '\0'; /* fall through */
	case CP_KEY_ENTER: b->typing = false; break;
	case CP_KEY_BACKSPACE:
		while (n > 0 && (b->find[--n] & 0xc0) == 0x80)
			;
		b->find[n] = '\0';
		break;
	default:
		if (key >= 0x20 && key < 0x7f && n + 1 < sizeof(b->find)) {
			b->find[n] = (char)key;
			b->find[n + 1] = '\0';
		}
	}
	b->changes++;
	cp_browser_load(b);
	if (cp_view_is_text(b->view) || cp_view_is_tree(b->view) ||
	    b->view == CP_VIEW_FLAME)
		cp_browser_find_next(b, b->at);
}

static void
show_code(struct cp_browser *b)
{
	uint32_t function = cp_browser_function(b);
	char name[104];

	if (function == CP_NO_ID)
		return;
	cp_browser_go(b, CP_VIEW_CODE);
	cp_browser_load(b);
	/* The line above its code has "name (object)"; tables have it alone. */
	snprintf(name, sizeof(name), "%.100s (",
	    b->model.functions.data[function].name);
	for (int whole = 1; whole >= 0; whole--) {
		name[strlen(name) - (whole ? 0 : 2)] = '\0';
		for (size_t i = 0; i < b->lines.len; i++)
			if (cp_browse_has(b->lines.data[i], name)) {
				b->at = b->top = i;
				return;
			}
	}
	snprintf(b->status, sizeof(b->status),
	    "its code is not here: it has too few samples, or its "
	    "object no file");
}

static void
keep(struct cp_browser *b, uint32_t key)
{
	if (key == 'P') {
		cp_browser_print(b, b->said);
	} else if (key == 'o') {
		cp_buf_str(b->said, "coldperf report -o report.html");
		cp_browser_add_inputs(b->said, b);
		cp_buf_char(b->said, '\n');
	} else {
		cp_browser_command(b, b->said);
		cp_buf_char(b->said, '\n');
	}
	snprintf(b->status, sizeof(b->status), "%s printed when you leave",
	    key == 'P' ? "the rows are" : "the command line is");
}

static void
click(struct cp_browser *b)
{
	int row = b->terminal.clicked_row, column = b->terminal.clicked_column;
	size_t i = b->top + (size_t)(row - CP_SCREEN_BODY);

	if (row == CP_SCREEN_TABS &&
	    cp_browser_tab_at(b, column) != CP_VIEW_TABS) {
		cp_browser_go(b, cp_browser_tab_at(b, column));
	} else if (row >= CP_SCREEN_BODY && b->view == CP_VIEW_FLAME) {
		for (size_t j = 0; j < b->boxes.len; j++) {
			const struct cp_browse_box *box = &b->boxes.data[j];

			if ((int)box->depth == row - CP_SCREEN_BODY &&
			    column >= (int)box->x &&
			    column < (int)(box->x + box->columns))
				b->at = j;
		}
	} else if (row >= CP_SCREEN_BODY && i < cp_browser_length(b)) {
		b->at = i;
		cp_browser_move(b, 0);
	}
}

static void
on_move(struct cp_browser *b, uint32_t key)
{
	long page = cp_browser_body(b);

	if (b->view == CP_VIEW_FLAME && key >= CP_KEY_UP &&
	    key <= CP_KEY_RIGHT) {
		cp_browser_move_box(b, key);
		return;
	}
	switch (key) {
	case CP_KEY_UP: cp_browser_move(b, -1); break;
	case CP_KEY_DOWN: cp_browser_move(b, 1); break;
	case CP_KEY_PAGE_UP: cp_browser_move(b, -page); break;
	case CP_KEY_PAGE_DOWN: cp_browser_move(b, page); break;
	case CP_KEY_HOME: cp_browser_move(b, -(long)b->at); break;
	case CP_KEY_END: cp_browser_move(b, (long)cp_browser_length(b)); break;
	case CP_KEY_RIGHT:
		if (cp_view_is_text(b->view))
			b->column += 8;
		else
			choose_row(b);
		break;
	case CP_KEY_LEFT:
		if (b->column > 0)
			b->column -= CP_MIN(b->column, 8);
		else
			cp_browser_go_back(b);
		break;
	default: break;
	}
}

static void
on_enter(struct cp_browser *b)
{
	if (b->view != CP_VIEW_FLAME) {
		choose_row(b);
	} else if (b->at < b->boxes.len) {
		cp_browser_remember(b);
		b->node = b->boxes.data[b->at].node;
		b->at = 0;
	}
}

/* Letters that move, as the arrows do. */
static uint32_t
as_arrow(uint32_t key)
{
	switch (key) {
	case 'j': return CP_KEY_DOWN;
	case 'k': return CP_KEY_UP;
	case 'h': return CP_KEY_LEFT;
	case 'l': return CP_KEY_RIGHT;
	case 'g': return CP_KEY_HOME;
	case 'G': return CP_KEY_END;
	case ' ': return CP_KEY_PAGE_DOWN;
	default: return key;
	}
}

static void
on_letter(struct cp_browser *b, uint32_t key)
{
	const struct cp_browse_row *row = cp_browser_row(b);

	switch (key) {
	case '?': cp_browser_go(b, CP_VIEW_HELP); break;
	case 'L': cp_browser_go(b, CP_VIEW_LOG); break;
	case '/':
		b->typing = true;
		b->find[0] = '\0';
		b->changes++;
		break;
	case 'n': cp_browser_find_next(b, b->at + 1); break;
	case 'a': show_code(b); break;
	case 'd': choose_object(b); break;
	case 't':
		if (row != NULL &&
		    (row->kind == CP_ROW_PROCESS || row->kind == CP_ROW_THREAD))
			choose_row(b);
		else
			cp_browser_go(b, CP_VIEW_THREADS);
		break;
	case 'm':
		b->marking = b->model.first != CP_NO_TIME;
		b->mark = 0;
		b->mark_from = SIZE_MAX;
		break;
	case 'v': next_event(b); break;
	case 'A': select_all(b); break;
	case 'i': b->evidence = !b->evidence; break;
	case 'w':
	case 'o':
	case 'P': keep(b, key); break;
	default: break;
	}
}

static void
on_key(struct cp_browser *b, uint32_t key)
{
	b->status[0] = '\0';
	if (b->typing) {
		type(b, key);
		return;
	}
	if (b->marking) {
		mark(b, key);
		return;
	}
	key = as_arrow(key);
	if (cp_view_is_tree(b->view) &&
	    (key == CP_KEY_ENTER || key == CP_KEY_LEFT || key == CP_KEY_RIGHT ||
		(key < 0x80 && strchr("eECH+-", (int)key) != NULL))) {
		on_tree(b, key);
	} else if (key >= '0' && key <= '9') {
		cp_browser_go(b, (enum cp_view)((key - '0' + 9) % 10));
	} else if (key == CP_KEY_TAB || key == CP_KEY_BACK_TAB) {
		int by = key == CP_KEY_TAB ? 1 : CP_VIEW_TABS - 1;

		cp_browser_go(
		    b, (enum cp_view)(((int)b->view + by) % CP_VIEW_TABS));
	} else if (key == CP_KEY_ENTER) {
		on_enter(b);
	} else if (key == CP_KEY_ESCAPE || key == CP_KEY_BACKSPACE) {
		cp_browser_go_back(b);
	} else if (key == CP_KEY_CLICK) {
		click(b);
	} else if (key >= CP_KEY_UP && key <= CP_KEY_END) {
		on_move(b, key);
	} else {
		on_letter(b, key);
	}
}

const char *
cp_browse(const struct cp_browse *in, struct cp_buf *said)
{
	const struct cp_profile *profile = cp_profile_of(in->report);
	struct cp_browser b = { .in = in, .said = said, .text_of = CP_VIEWS };
	const char *why;

	why = cp_terminal_open(&b.terminal);
	if (why != NULL)
		return why;
	cp_buf_init(&b.text, CP_MAX_ANSWER_TEXT);
	cp_browse_model_init(&b.model, profile);
	for (uint32_t key = 0;
	     key != CP_KEY_LEAVE && (key != 'q' || b.typing || b.marking);) {
		cp_terminal_clear(&b.terminal);
		cp_browser_load(&b);
		/* Keys that are held come faster than screens. */
		key = cp_terminal_key(&b.terminal, false);
		if (key == CP_KEY_NONE) {
			cp_browser_draw(&b);
			key = cp_terminal_key(&b.terminal, true);
		}
		if (key != CP_KEY_NONE && key != CP_KEY_RESIZE)
			on_key(&b, key);
	}
	cp_terminal_close();
	cp_browse_model_free(&b.model);
	cp_browse_rows_free(&b.rows);
	cp_vec_free(&b.boxes);
	cp_vec_free(&b.lines);
	cp_vec_free(&b.back);
	cp_vec_free(&b.strip);
	cp_buf_free(&b.text);
	return NULL;
}
