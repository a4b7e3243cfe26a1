/* SPDX-License-Identifier: MIT */
/* browse/browser.h: the state of the browser, as keys change and screens show
 * it.
 */
#ifndef CP_BROWSE_BROWSER_H
#define CP_BROWSE_BROWSER_H

#include "browse/browse.h"
#include "browse/rows.h"
#include "browse/terminal.h"

enum cp_view {
	CP_VIEW_REPORT,
	CP_VIEW_FUNCTIONS,
	CP_VIEW_CALLS,
	CP_VIEW_CALLERS,
	CP_VIEW_THREADS,
	CP_VIEW_OBJECTS,
	CP_VIEW_FLAME,
	CP_VIEW_CODE,
	CP_VIEW_WAITS,
	CP_VIEW_PAIRS,
	CP_VIEW_TABS, /* above have tabs */
	CP_VIEW_AROUND = CP_VIEW_TABS,
	CP_VIEW_LOG,
	CP_VIEW_HELP,
	CP_VIEWS
};

/* Where the user was, to go back to. */
struct cp_browse_place {
	enum cp_view view;
	struct cp_browse_selection selection;
	uint32_t function, node;
	size_t at, top;
};

struct cp_browser {
	const struct cp_browse *in;
	struct cp_terminal terminal;
	struct cp_browse_model model;
	enum cp_view view;
	size_t at, top;    /* the row of the cursor, and the first one shown */
	size_t column;     /* columns scrolled to the right */
	uint32_t function; /* CP_VIEW_AROUND is about it */
	uint32_t node;     /* fills the flame graph; 0: all */
	struct cp_browse_rows rows;
	cp_browse_boxes boxes;
	/* A text view: its lines are parts of `text'. */
	struct cp_buf text;
	CP_VEC(const char *) lines;
	enum cp_view text_of;
	int text_columns;
	struct cp_browse_selection text_selection;
	char find[80];          /* "": all rows */
	bool typing;            /* keys go to find */
	bool marking;           /* a window of time is marked on the strip */
	size_t mark, mark_from; /* columns of the strip; SIZE_MAX: none */
	bool evidence;          /* of the row's name is shown */
	char status[400];
	CP_VEC(struct cp_browse_place) back;
	unsigned changes; /* of the counts, of what is open, of the search */
	/* What the rows were made for, and the sums of the strip. */
	struct cp_browse_made {
		enum cp_view view;
		uint32_t function, node;
		int columns, rows;
		unsigned changes;
	} made, made_strip;
	CP_VEC(uint64_t) strip;
	struct cp_buf *said;
};

static inline bool
cp_view_is_text(enum cp_view view)
{
	return view == CP_VIEW_REPORT || view == CP_VIEW_CODE ||
	       view == CP_VIEW_WAITS || view == CP_VIEW_PAIRS ||
	       view == CP_VIEW_LOG || view == CP_VIEW_HELP;
}
static inline bool
cp_view_is_tree(enum cp_view view)
{
	return view == CP_VIEW_CALLS || view == CP_VIEW_CALLERS ||
	       view == CP_VIEW_AROUND;
}
/* Number of rows, lines or boxes of the view. */
size_t cp_browser_length(const struct cp_browser *);
/* Lines of the terminal that the view's rows have. */
int cp_browser_body(const struct cp_browser *);
/* The row of the cursor; NULL: there is none. */
const struct cp_browse_row *cp_browser_row(const struct cp_browser *);
/* The function of the cursor; CP_NO_ID: none. */
uint32_t cp_browser_function(const struct cp_browser *);

/* command.c: the command line whose numbers the view shows. */
void cp_browser_command(const struct cp_browser *, struct cp_buf *);
/* Its filters and captures. */
void cp_browser_add_inputs(struct cp_buf *, const struct cp_browser *);
struct cp_browse_words {
	CP_VEC(struct cp_browse_word) all;
	struct cp_arena texts;
};
/* The selection as options of that command. */
void cp_browser_filters(const struct cp_browser *, struct cp_browse_words *);
void cp_browser_filters_free(struct cp_browse_words *);
/* The analysis whose text the view shows; NULL: none. */
const char *cp_browser_analysis(const struct cp_browser *);
/* Is the text of all samples, whatever is selected? */
bool cp_view_is_of_all(const struct cp_browser *);

/* walk.c: makes the view's rows again, and keeps the cursor on one of them. */
void cp_browser_load(struct cp_browser *);
/* Was it made for what is to be shown?  It is taken for that from now on. */
bool cp_browser_is_made(struct cp_browser *, struct cp_browse_made *);
/* Makes the place one to go back to. */
void cp_browser_remember(struct cp_browser *);
void cp_browser_go(struct cp_browser *, enum cp_view);
void cp_browser_go_back(struct cp_browser *);
/* Counts again, after the selection was changed. */
void cp_browser_selected(struct cp_browser *);
/* Moves to the next row, from that one on, that has the text searched for. */
void cp_browser_find_next(struct cp_browser *, size_t from);
void cp_browser_move(struct cp_browser *, long by);
/* Moves between boxes that lie beside, above or below each other. */
void cp_browser_move_box(struct cp_browser *, uint32_t key);

/* screen.c, pictures.c, footer.c */
void cp_browser_draw(struct cp_browser *);
void cp_browser_draw_footer(struct cp_browser *);
void cp_browser_draw_strip(struct cp_browser *);
void cp_browser_draw_boxes(struct cp_browser *);
/* The view's rows as text. */
void cp_browser_print(struct cp_browser *, struct cp_buf *);
/* The first line of the view's rows, and of the strip of time. */
enum { CP_SCREEN_TABS = 1, CP_SCREEN_STRIP = 2, CP_SCREEN_BODY = 4 };
/* The tab at that column; CP_VIEW_TABS: none. */
enum cp_view cp_browser_tab_at(const struct cp_browser *, int column);

#endif
