/* SPDX-License-Identifier: MIT */
/* pictures: the time of the capture in one line, with its window; the flame
 * graph. */
#include "browse/browser.h"
#include "render/common/fit-name.h"

/* Eight heights of a column, or five signs of more and more ink. */
static const char *
bar(const struct cp_browser *b, double height)
{
	static const char *const blocks[] = { " ", "\u2581", "\u2582", "\u2583",
		"\u2584", "\u2585", "\u2586", "\u2587", "\u2588" };
	static const char *const ink[] = { " ", ".", ":", "+", "#" };
	int n = (int)(height * (b->terminal.unicode ? 8 : 4) + 0.999);

	return b->terminal.unicode ? blocks[CP_MIN(n, 8)] : ink[CP_MIN(n, 4)];
}

/* Is the column of the strip in the window that is chosen, or being marked? */
static bool
in_window(const struct cp_browser *b, size_t i, size_t n)
{
	const struct cp_browse_model *m = &b->model;
	double step = ((double)(m->last - m->first) + 1) / (double)n;
	double from = (double)m->first + step * (double)i;

	if (b->marking) {
		size_t lo = b->mark_from != SIZE_MAX ? b->mark_from : b->mark;

		return i >= CP_MIN(lo, b->mark) && i <= CP_MAX(lo, b->mark);
	}
	if (m->selection.from == 0 && m->selection.to == UINT64_MAX)
		return false;
	return from + step > (double)m->selection.from &&
	       from <= (double)m->selection.to;
}

void
cp_browser_draw_strip(struct cp_browser *b)
{
	size_t n = (size_t)b->terminal.columns;
	uint64_t most = 1;

	if (b->model.first == CP_NO_TIME) {
		cp_terminal_put(&b->terminal, CP_SCREEN_STRIP, 0,
		    b->terminal.columns, CP_STYLE_DIM,
		    "the samples have no times");
		return;
	}
	if (!cp_browser_is_made(b, &b->made_strip)) {
		cp_vec_reserve(&b->strip, n);
		b->strip.len = n;
		cp_browse_over_time(&b->model, b->strip.data, n);
	}
	for (size_t i = 0; i < n; i++)
		most = CP_MAX(most, b->strip.data[i]);
	for (size_t i = 0; i < n; i++)
		cp_terminal_put(&b->terminal, CP_SCREEN_STRIP, (int)i, 1,
		    in_window(b, i, n) ? CP_STYLE_CHOSEN : CP_STYLE_PLAIN,
		    bar(b, (double)b->strip.data[i] / (double)most));
}

/* Of two captures: grown, less, or the same within a tenth. */
static enum cp_style
change_style(const struct cp_browse_model *m, uint32_t node)
{
	double before = (double)m->before.total[node];
	double after = (double)m->total[node];

	return after > before * 1.1   ? CP_STYLE_BOX_OTHER
	       : after < before * 0.9 ? CP_STYLE_BOX_KERNEL
				      : CP_STYLE_BOX;
}

void
cp_browser_draw_boxes(struct cp_browser *b)
{
	const struct cp_browse_model *m = &b->model;
	struct cp_buf name;

	cp_buf_init(&name, 8192);
	for (size_t i = 0; i < b->boxes.len; i++) {
		const struct cp_browse_box *box = &b->boxes.data[i];
		const struct cp_browse_function *f =
		    &m->functions.data[m->nodes.data[box->node].function];
		bool kernel = box->node != 0 && f->level == CP_LEVEL_KERNEL;
		bool found = box->node != 0 && b->find[0] != '\0' &&
			     cp_browse_has(f->name, b->find);
		enum cp_style style = m->compares ? change_style(m, box->node)
				      : kernel    ? CP_STYLE_BOX_KERNEL
				      : (box->x ^ box->depth) & 1
					  ? CP_STYLE_BOX_OTHER
					  : CP_STYLE_BOX;

		cp_buf_reset(&name);
		if (box->node == 0)
			cp_buf_str(&name, "all");
		else if (box->columns > 2)
			cp_fit_name(&name, f->name, box->columns - 1);
		cp_terminal_put(&b->terminal, CP_SCREEN_BODY + (int)box->depth,
		    (int)box->x, (int)box->columns,
		    i == b->at ? CP_STYLE_CHOSEN
		    : found    ? CP_STYLE_ALERT
			       : style,
		    cp_buf_text(&name));
	}
	cp_buf_free(&name);
}
