/* SPDX-License-Identifier: MIT */
/*
 * repair-format: the texts in tracing data that coldperf does not need.
 *
 * A flipped bit in one of them makes libtraceevent, and perf with it, crash or
 * run forever.  So a text is kept only if it looks whole.
 */
#include "readers/rewrite/repaired.h"

#include <ctype.h>

#include "readers/header/tracing-field.h"

enum { DEPTH = 64 };

struct text {
	const struct cp_tp_event *e;
	const char *at;
	/* closing brackets that are expected, innermost last */
	char open[DEPTH];
	size_t depth;
};

static bool
skip_string(struct text *t)
{
	for (t->at++; *t->at != '"'; t->at++) {
		if (*t->at == '\\')
			t->at++;
		/* kernels have tabs and line ends in texts */
		if (!isprint((unsigned char)*t->at) &&
		    !isspace((unsigned char)*t->at))
			return false;
	}
	t->at++;
	return true;
}

/* "REC->field": libtraceevent looks the name up. */
static bool
skip_word(struct text *t)
{
	const char *word = t->at;
	size_t n = 0;
	char name[256];

	while (isalnum((unsigned char)*t->at) || *t->at == '_')
		t->at++;
	if (t->at - word != 3 || !cp_tracing_prefix(word, "REC"))
		return true;
	if (!cp_tracing_prefix(t->at, "->"))
		return false;
	for (t->at += 2; isalnum((unsigned char)*t->at) || *t->at == '_';)
		if (n + 1 < sizeof(name))
			name[n++] = *t->at++;
		else
			return false;
	name[n] = '\0';
	return cp_tp_field(t->e, name) != NULL;
}

static bool
skip_bracket(struct text *t)
{
	static const char opening[] = "([{", closing[] = ")]}";
	const char *o = strchr(opening, *t->at);

	if (o == NULL)
		return t->depth > 0 && t->open[--t->depth] == *t->at++;
	if (t->depth == DEPTH)
		return false;
	t->open[t->depth++] = closing[o - opening];
	t->at++;
	return true;
}

static bool
skip_token(struct text *t)
{
	if (*t->at == '"')
		return skip_string(t);
	if (isalnum((unsigned char)*t->at) || *t->at == '_')
		return skip_word(t);
	if (strchr("()[]{}", *t->at) != NULL)
		return skip_bracket(t);
	return strchr(" \t\n,.+-*/%&|^~!<>=?:'", *t->at++) != NULL;
}

bool
cp_repair_print_sound(const struct cp_tp_event *e)
{
	struct text t = { .e = e, .at = e->print_fmt };

	if (*t.at != '"')
		return false;
	while (*t.at != '\0')
		if (!skip_token(&t))
			return false;
	return t.depth == 0;
}

static bool
page_line_sound(char *line)
{
	struct cp_tp_field f;

	return cp_tracing_prefix(line, "\tfield:") &&
	       cp_tracing_field(line + strlen("\tfield:"), &f);
}

bool
cp_repair_page_sound(struct cp_bytes b)
{
	CP_CLEANUP(cp_cleanup_free) char *text = NULL;
	const uint8_t *p;
	uint64_t n;

	(void)cp_bytes_take(&b, 10); /* magic */
	(void)cp_bytes_str(&b);      /* version */
	b.swap = (cp_bytes_u8(&b) != 0) ==
		 (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	(void)cp_bytes_take(&b, 5); /* sizes of a long and of a page */
	(void)cp_bytes_str(&b);     /* "header_page" */
	n = cp_bytes_u64(&b);
	p = cp_bytes_take(&b, n);
	if (b.failed)
		return false;
	text = cp_xmalloc((size_t)n + 1);
	memcpy(text, p, (size_t)n);
	text[n] = '\0';
	for (char *line = text, *next; *line != '\0'; line = next) {
		next = strchr(line, '\n');
		if (next == NULL)
			return false;
		*next++ = '\0';
		if (!page_line_sound(line))
			return false;
	}
	return true;
}
