/* SPDX-License-Identifier: MIT */
#include "run/filter/filter.h"

#include <string.h>

static void
put_option(struct cp_buf *b, const char *option)
{
	cp_buf_printf(b, "%s--%s ", b->len != 0 ? " " : "", option);
}

/* A comma of a name, outside of its brackets, has a backslash there. */
static void
put_word(struct cp_buf *b, const char *word)
{
	bool expression = *word == '/';
	int depth = 0;

	for (; *word != '\0'; word++) {
		depth += strchr("(<{[", *word) != NULL;
		depth -= strchr(")>}]", *word) != NULL;
		if (*word == ',' && depth <= 0 && !expression)
			cp_buf_char(b, '\\');
		cp_buf_char(b, *word);
	}
}

static void
put_words(struct cp_buf *b, const char *option, const cp_words *words)
{
	for (size_t i = 0; i < words->len; i++) {
		if (i == 0)
			put_option(b, option);
		else
			cp_buf_char(b, ',');
		put_word(b, words->data[i]);
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
	if (o->time != NULL) {
		put_option(b, "time");
		cp_buf_str(b, o->time);
	}
}
