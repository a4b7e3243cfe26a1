/* SPDX-License-Identifier: MIT */
/*
 * browse/terminal.h: text at places of a terminal, and its keys, by ncursesw.
 *
 * The library is loaded when it is first needed.
 */
#ifndef CP_BROWSE_TERMINAL_H
#define CP_BROWSE_TERMINAL_H

#include "base/base.h"

enum cp_style {
	CP_STYLE_PLAIN,
	CP_STYLE_HEAD,   /* heads of columns, names of views */
	CP_STYLE_CHOSEN, /* the row of the cursor, the view that is shown */
	CP_STYLE_DIM,
	CP_STYLE_HOT, /* large shares */
	CP_STYLE_KERNEL,
	CP_STYLE_INLINED,
	CP_STYLE_ALERT,
	/* Frames of a flame graph, next to each other. */
	CP_STYLE_BOX,
	CP_STYLE_BOX_OTHER,
	CP_STYLE_BOX_KERNEL,
	CP_STYLES
};

/* Keys that are no characters. */
enum cp_key {
	CP_KEY_NONE = 0x200000,
	CP_KEY_UP,
	CP_KEY_DOWN,
	CP_KEY_LEFT,
	CP_KEY_RIGHT,
	CP_KEY_PAGE_UP,
	CP_KEY_PAGE_DOWN,
	CP_KEY_HOME,
	CP_KEY_END,
	CP_KEY_ENTER,
	CP_KEY_ESCAPE,
	CP_KEY_BACKSPACE,
	CP_KEY_TAB,
	CP_KEY_BACK_TAB,
	CP_KEY_RESIZE,
	CP_KEY_CLICK, /* at clicked_row, clicked_column */
	CP_KEY_LEAVE, /* Control-C, or the terminal is gone */
};

struct cp_terminal {
	int rows, columns;
	bool unicode; /* characters beyond ASCII are drawn */
	int clicked_row, clicked_column;
};

/* If cp_browse_lacks() nothing; NULL, or why it did not work. */
const char *cp_terminal_open(struct cp_terminal *);
void cp_terminal_close(void);
void cp_terminal_clear(struct cp_terminal *);
/*
 * Writes escaped text, cut or filled to that many columns.  Outside of the
 * terminal nothing is written.
 */
void cp_terminal_put(struct cp_terminal *, int row, int column, int columns,
    enum cp_style, const char *text);
void cp_terminal_show(void);
/* A key: a character, or enum cp_key; CP_KEY_NONE: none is there yet. */
uint32_t cp_terminal_key(struct cp_terminal *, bool wait);

#endif
