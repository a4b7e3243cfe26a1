/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "browse/browse.h"
#include "browse/terminal.h"

#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1 /* wget_wch() */
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/library.h"
#include "render/common/escape.h"

#define SONAME "libncursesw.so.6"
#define CURSES_CALLS(X)                                                        \
	X(newterm)                                                             \
	X(endwin)                                                              \
	X(newwin)                                                              \
	X(raw)                                                                 \
	X(noecho)                                                              \
	X(nonl)                                                                \
	X(keypad)                                                              \
	X(wget_wch)                                                            \
	X(wtimeout)                                                            \
	X(werase)                                                              \
	X(wmove)                                                               \
	X(waddnstr)                                                            \
	X(wattrset)                                                            \
	X(wrefresh)                                                            \
	X(has_colors)                                                          \
	X(start_color)                                                         \
	X(use_default_colors)                                                  \
	X(init_pair)                                                           \
	X(COLOR_PAIR)                                                          \
	X(curs_set)                                                            \
	X(getmaxx)                                                             \
	X(getmaxy)                                                             \
	X(mousemask)                                                           \
	X(getmouse)                                                            \
	X(set_escdelay)

static struct {
#define X(call) __typeof__(&call) call;
	CURSES_CALLS(X)
#undef X
} curses;
static WINDOW *window;
static int attributes[CP_STYLES];
static const int closed_limit = 3; /* errors in a row: the terminal is gone */

static bool
load(void)
{
	static const struct cp_library_call list[] = {
#define X(call)                                                                \
	{ #call, offsetof(__typeof__(curses), call), sizeof(curses.call),      \
		CP_LIBRARY_LINKED(call) },
		CURSES_CALLS(X)
#undef X
	};

	return cp_library_load(SONAME, list, CP_ARRAY_LEN(list), &curses);
}

/* Without colours each style has a form of its own. */
static void
choose_styles(bool colors)
{
	static const struct {
		int plain;
		short front, back;
		int colored;
	} styles[CP_STYLES] = {
		[CP_STYLE_PLAIN] = { A_NORMAL, -1, -1, A_NORMAL },
		[CP_STYLE_HEAD] = { A_BOLD, -1, -1, A_BOLD },
		[CP_STYLE_CHOSEN] = { A_REVERSE, -1, -1, A_REVERSE },
		[CP_STYLE_DIM] = { A_NORMAL, -1, -1, A_DIM },
		[CP_STYLE_HOT] = { A_BOLD, COLOR_RED, -1, A_BOLD },
		[CP_STYLE_KERNEL] = { A_NORMAL, COLOR_CYAN, -1, A_NORMAL },
		[CP_STYLE_INLINED] = { A_NORMAL, COLOR_GREEN, -1, A_NORMAL },
		[CP_STYLE_ALERT] = { A_BOLD, COLOR_YELLOW, -1, A_BOLD },
		[CP_STYLE_BOX] = { A_REVERSE, COLOR_BLACK, COLOR_YELLOW, 0 },
		[CP_STYLE_BOX_OTHER] = { A_REVERSE | A_BOLD, COLOR_BLACK,
		    COLOR_RED, 0 },
		[CP_STYLE_BOX_KERNEL] = { A_REVERSE | A_UNDERLINE, COLOR_BLACK,
		    COLOR_CYAN, 0 },
	};

	for (short i = 0; i < CP_STYLES; i++) {
		attributes[i] = styles[i].plain;
		if (!colors)
			continue;
		curses.init_pair(
		    (short)(i + 1), styles[i].front, styles[i].back);
		attributes[i] = styles[i].colored | curses.COLOR_PAIR(i + 1);
	}
}

const char *
cp_browse_lacks(void)
{
	const char *term = getenv("TERM");

	if (!isatty(STDOUT_FILENO))
		return "standard output is no terminal";
	if (term == NULL || *term == '\0' || strcmp(term, "dumb") == 0)
		return "this terminal (TERM) cannot place text";
	return load() ? NULL : CP_LIBRARY_MISSING("ncursesw");
}

#ifdef CP_STATIC
#pragma GCC diagnostic ignored "-Woverlength-strings"
/* Few roots that a static program is put into describe terminals. */
static SCREEN *
described_here(FILE *in)
{
	static const struct {
		const char *name, *description;
	} terminals[] = {
#include "browse/terminfo.inc"
	};
	const char *term = getenv("TERM");

	for (size_t i = 0; i < CP_ARRAY_LEN(terminals); i++) {
		if (term == NULL || strcmp(term, terminals[i].name) != 0)
			continue;
		setenv("TERMINFO", terminals[i].description, 1);
		return curses.newterm(NULL, stdout, in);
	}
	return NULL;
}
#else
static SCREEN *
described_here(FILE *in)
{
	(void)in;
	return NULL;
}
#endif

const char *
cp_terminal_open(struct cp_terminal *t)
{
	const char *no_color = getenv("NO_COLOR");
	FILE *in = stdin;

	*t = (struct cp_terminal){ 0 };
	if (!isatty(STDIN_FILENO) && (in = fopen("/dev/tty", "r")) == NULL)
		return "there is no terminal to read keys from";
	setlocale(LC_CTYPE, "");
	t->unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	if (curses.newterm(NULL, stdout, in) == NULL &&
	    described_here(in) == NULL)
		return "the terminal's description was not found (TERM)";
	curses.raw();
	curses.noecho();
	curses.nonl();
	curses.curs_set(0);
	curses.set_escdelay(50);
	choose_styles((no_color == NULL || *no_color == '\0') &&
		      curses.has_colors() && curses.start_color() == OK &&
		      curses.use_default_colors() == OK);
	window = curses.newwin(0, 0, 0, 0);
	if (window == NULL) {
		curses.endwin();
		return "the terminal has no room";
	}
	curses.keypad(window, TRUE);
	curses.mousemask(BUTTON1_CLICKED | BUTTON1_PRESSED, NULL);
	cp_terminal_clear(t);
	return NULL;
}

void
cp_terminal_close(void)
{
	curses.endwin();
}

void
cp_terminal_clear(struct cp_terminal *t)
{
	t->rows = curses.getmaxy(window);
	t->columns = curses.getmaxx(window);
	curses.wattrset(window, A_NORMAL);
	curses.werase(window);
}

/* One sign for each character that such a terminal does not have. */
static void
to_ascii(char *to, size_t room, const char *text)
{
	static const char signs[][8] = { "\u2013-", "\u2026~", "\u00b7.",
		"\u00d7x", "\u2192>", "\u2500-", "\u2502|", "\u2514`" };
	size_t n = 0;

	for (; *text != '\0' && n + 1 < room; text++) {
		if (((unsigned char)*text & 0xc0) == 0x80)
			continue;
		to[n] = (unsigned char)*text < 0x80 ? *text : '?';
		for (size_t i = 0; to[n] == '?' && i < CP_ARRAY_LEN(signs); i++)
			if (strncmp(text, signs[i], strlen(signs[i]) - 1) == 0)
				to[n] = signs[i][strlen(signs[i]) - 1];
		/* Blocks of bars. */
		if (to[n] == '?' && strncmp(text, "\u2588", 2) == 0)
			to[n] = '#';
		n++;
	}
	to[n] = '\0';
}

void
cp_terminal_put(struct cp_terminal *t, int row, int column, int columns,
    enum cp_style style, const char *text)
{
	char ascii[1024];
	size_t bytes, wide;

	columns = CP_MIN(columns, t->columns - column);
	if (row < 0 || row >= t->rows || column < 0 || columns <= 0)
		return;
	if (!t->unicode) {
		to_ascii(ascii, sizeof(ascii), text);
		text = ascii;
	}
	bytes = cp_text_fit(text, (size_t)columns);
	curses.wattrset(window, attributes[style]);
	curses.wmove(window, row, column);
	curses.waddnstr(window, text, (int)bytes);
	wide = cp_text_columns(text);
	for (size_t i = CP_MIN(wide, (size_t)columns); i < (size_t)columns; i++)
		curses.waddnstr(window, " ", 1);
}

void
cp_terminal_show(void)
{
	curses.wrefresh(window);
}

static uint32_t
clicked(struct cp_terminal *t)
{
	MEVENT e;

	if (curses.getmouse(&e) != OK)
		return CP_KEY_NONE;
	t->clicked_row = e.y;
	t->clicked_column = e.x;
	return CP_KEY_CLICK;
}

uint32_t
cp_terminal_key(struct cp_terminal *t, bool wait)
{
	static int failed;
	wint_t key = 0;
	int status;

	curses.wtimeout(window, wait ? -1 : 0);
	status = curses.wget_wch(window, &key);
	if (status == ERR && !wait)
		return CP_KEY_NONE;
	if (status == ERR)
		return ++failed > closed_limit ? CP_KEY_LEAVE : CP_KEY_NONE;
	failed = 0;
	if (status == OK) {
		switch (key) {
		case '\r':
		case '\n': return CP_KEY_ENTER;
		case '\t': return CP_KEY_TAB;
		case 27: return CP_KEY_ESCAPE;
		case 3: return CP_KEY_LEAVE; /* ^C */
		case 26:                     /* ^Z: the shell wakes it */
			curses.endwin();
			raise(SIGSTOP);
			return CP_KEY_RESIZE;
		case 8:
		case 127: return CP_KEY_BACKSPACE;
		default: return key;
		}
	}
	switch (key) {
	case KEY_UP: return CP_KEY_UP;
	case KEY_DOWN: return CP_KEY_DOWN;
	case KEY_LEFT: return CP_KEY_LEFT;
	case KEY_RIGHT: return CP_KEY_RIGHT;
	case KEY_PPAGE: return CP_KEY_PAGE_UP;
	case KEY_NPAGE: return CP_KEY_PAGE_DOWN;
	case KEY_HOME: return CP_KEY_HOME;
	case KEY_END: return CP_KEY_END;
	case KEY_ENTER: return CP_KEY_ENTER;
	case KEY_BACKSPACE: return CP_KEY_BACKSPACE;
	case KEY_BTAB: return CP_KEY_BACK_TAB;
	case KEY_RESIZE: return CP_KEY_RESIZE;
	case KEY_MOUSE: return clicked(t);
	default: return CP_KEY_NONE;
	}
}
