/* SPDX-License-Identifier: MIT */
#include "run/filter/filter.h"

#include <string.h>

#include "base/shell-word.h"

static void
put_option(struct cp_buf *b, const char *option, const char *value)
{
	cp_buf_printf(b, "%s--%s ", b->len != 0 ? " " : "", option);
	cp_shell_word(b, value);
}

/* Do all brackets of the name belong to pairs? */
static bool
has_pairs(const char *name)
{
	int depth = 0;

	for (; *name != '\0' && depth >= 0; name++) {
		depth += strchr("(<{[", *name) != NULL;
		depth -= strchr(")>}]", *name) != NULL;
	}
	return depth == 0;
}

/*
 * Writes a name as an option takes it: a comma within brackets is a part of it,
 * and a backslash takes the next character as it is.
 */
static void
put_name(struct cp_buf *b, const char *name)
{
	bool pairs = has_pairs(name);
	int depth = 0;

	for (; *name != '\0'; name++) {
		bool open = strchr("(<{[", *name) != NULL;
		bool close = strchr(")>}]", *name) != NULL;

		depth += open - close;
		if ((!pairs && (open || close)) ||
		    (*name == ',' && (!pairs || depth == 0)) ||
		    (*name == '\\' && strchr(",\\/()<>[]{}", name[1]) != NULL))
			cp_buf_char(b, '\\');
		cp_buf_char(b, *name);
	}
}

/*
 * A word that begins with a slash, an expression or a path, ends at its last
 * slash before a comma; a backslash before it makes it a name like others.
 */
static void
put_word(struct cp_buf *b, const char *word)
{
	if (*word != '/') {
		put_name(b, word);
	} else if (strstr(word, "/,") == NULL) {
		cp_buf_str(b, word);
	} else {
		cp_buf_char(b, '\\');
		put_name(b, word);
	}
}

/* What begins with a slash has an option of its own. */
static void
put_words(struct cp_buf *b, const char *option, const cp_words *words)
{
	struct cp_buf value;
	bool apart = false;

	cp_buf_init(&value, SIZE_MAX / 2);
	for (size_t i = 0; i < words->len; i++)
		apart |= words->data[i][0] == '/';
	for (size_t i = 0; i < words->len; i++) {
		put_word(&value, words->data[i]);
		if (!apart && i + 1 < words->len) {
			cp_buf_char(&value, ',');
			continue;
		}
		put_option(b, option, cp_buf_text(&value));
		cp_buf_reset(&value);
	}
	cp_buf_free(&value);
}

/* What the user typed may be a name that is not to be told. */
static void
put_names(struct cp_buf *b, const char *option, const cp_words *words,
    const struct cp_run_options *o)
{
	if (o->redact == NULL)
		put_words(b, option, words);
	else if (words->len != 0)
		put_option(b, option, "...");
}

void
cp_filter_times(const struct cp_run_options *o, struct cp_buf *b)
{
	if (o->time != NULL) {
		put_option(b, "time", o->time);
		return;
	}
	for (size_t i = 0; i < o->times.len; i++)
		put_option(b, "time", o->times.data[i]);
}

/*
 * Captures that are compared may each have windows.  Those of the wall clock
 * depend on what it is said to be.  A space is not told: someone may paste it.
 */
static void
put_times(struct cp_buf *b, const struct cp_run_options *o, uint64_t wall)
{
	struct cp_buf value;
	bool clock = false;

	cp_buf_init(&value, SIZE_MAX / 2);
	for (size_t i = 0; i < o->times.len; i++) {
		const char *s = o->times.data[i];

		for (s += strspn(s, " "); *s != '\0'; s += strspn(s, " ")) {
			cp_buf_reset(&value);
			clock |= cp_windows_told(s, wall, &value);
			put_option(b, "time", cp_buf_text(&value));
			s += strcspn(s, " ");
		}
	}
	if (clock && o->clock_offset != NULL) {
		cp_buf_reset(&value);
		cp_clock_told(o->clock_offset, &value);
		put_option(b, "clock-offset", cp_buf_text(&value));
	}
	cp_buf_free(&value);
}

void
cp_filter_told(const struct cp_run_options *o, uint64_t wall, bool events,
    struct cp_buf *b)
{
	for (size_t i = 0; events && i < o->events.len; i++)
		put_option(
		    b, "event", o->redact == NULL ? o->events.data[i] : "...");
	put_names(b, "comm", &o->comms, o);
	put_words(b, "pid", &o->pids);
	put_words(b, "tid", &o->tids);
	put_words(b, "cpu", &o->cpus);
	put_names(b, "cgroup", &o->cgroups, o);
	put_names(b, "dso", &o->dsos, o);
	put_names(b, "symbol", &o->names, o);
	put_names(b, "focus", &o->focus, o);
	for (size_t i = 0; i < o->payloads.len; i++)
		put_option(b, "filter",
		    o->redact == NULL ? o->payloads.data[i] : "...");
	put_times(b, o, wall);
}
