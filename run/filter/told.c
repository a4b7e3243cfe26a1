/* SPDX-License-Identifier: MIT */
#include "run/filter/filter.h"

#include <string.h>

static void
put_option(struct cp_buf *b, const char *option)
{
	cp_buf_printf(b, "%s--%s ", b->len != 0 ? " " : "", option);
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

/* What begins with a slash, an expression or a path, has an option of its own.
 */
static void
put_words(struct cp_buf *b, const char *option, const cp_words *words)
{
	bool apart = false;

	for (size_t i = 0; i < words->len; i++)
		apart |= words->data[i][0] == '/';
	for (size_t i = 0; i < words->len; i++) {
		const char *word = words->data[i];

		if (i == 0 || apart)
			put_option(b, option);
		else
			cp_buf_char(b, ',');
		if (*word == '/')
			cp_buf_str(b, word);
		else
			put_name(b, word);
	}
}

/* What the user typed may be a name that is not to be told. */
static void
put_names(struct cp_buf *b, const char *option, const cp_words *words,
    const struct cp_run_options *o)
{
	if (o->redact == NULL || words->len == 0) {
		put_words(b, option, words);
		return;
	}
	put_option(b, option);
	cp_buf_str(b, "...");
}

/* Captures that are compared may each have a window. */
static void
put_times(struct cp_buf *b, const struct cp_run_options *o)
{
	size_t n = CP_MAX(o->times.len, (size_t)1);

	for (size_t i = 0; i < n && o->time != NULL; i++) {
		put_option(b, "time");
		cp_buf_str(b, n > 1 ? o->times.data[i] : o->time);
	}
}

void
cp_filter_told(const struct cp_run_options *o, struct cp_buf *b)
{
	put_names(b, "comm", &o->comms, o);
	put_words(b, "pid", &o->pids);
	put_words(b, "tid", &o->tids);
	put_words(b, "cpu", &o->cpus);
	put_names(b, "cgroup", &o->cgroups, o);
	put_names(b, "dso", &o->dsos, o);
	put_names(b, "symbol", &o->names, o);
	put_times(b, o);
}
