/* SPDX-License-Identifier: MIT */
/*
 * Names as runtimes list them, and what of them is shown:
 *
 *	V8	LazyCompile:*run /home/me/app.js:10:3	run app.js:10
 *	CPython	py::run:/home/me/app.py			run app.py
 *	.NET	void [app] My.Type::Run(int32)[Tier1]	My.Type::Run
 *	Java	double com.me.App.run(int)		com.me.App.run
 *	agents	Lcom/me/App;::run			com.me.App::run
 *
 * All other names stay unchanged.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "base/strings.h"
#include "symbolize/demangle/languages.h"

/* Returns the part after the prefix, or NULL. */
static const char *
after(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(s, prefix, n) == 0 ? s + n : NULL;
}

static char *
taken(struct cp_buf *b)
{
	if (b->len == 0 || b->full) {
		cp_buf_free(b);
		return NULL;
	}
	return b->data;
}

/* "name /folder/file.js:10:3": keeps the file's base name and the line. */
static char *
tidy_v8(const char *s)
{
	const char *blank = strrchr(s, ' '), *place, *colon;
	struct cp_buf b;

	s += strspn(s, "*~^+");
	cp_buf_init(&b, CP_MAX_DEMANGLED);
	if (blank == NULL || blank < s) {
		cp_buf_str(&b, s);
		return taken(&b);
	}
	cp_buf_add(&b, s, (size_t)(blank - s));
	if (b.len == 0)
		cp_buf_str(&b, "(anonymous)");
	place = cp_basename(blank + 1);
	colon = strchr(place, ':');
	cp_buf_char(&b, ' ');
	if (colon != NULL) /* keeps the line, drops the column */
		cp_buf_add(&b, place,
		    (size_t)(colon - place) + 1 + strcspn(colon + 1, ":"));
	else
		cp_buf_str(&b, place);
	return taken(&b);
}

static char *
tidy_python(const char *s)
{
	const char *colon = strchr(s, ':');
	struct cp_buf b;

	cp_buf_init(&b, CP_MAX_DEMANGLED);
	cp_buf_add(&b, s, colon != NULL ? (size_t)(colon - s) : strlen(s));
	if (colon != NULL)
		cp_buf_printf(&b, " %s", cp_basename(colon + 1));
	return taken(&b);
}

/* "Lcom/me/App;::run" */
static char *
tidy_agent(const char *s)
{
	const char *end = strstr(s, ";::");
	struct cp_buf b;

	if (s[0] != 'L' || end == NULL)
		return NULL;
	cp_buf_init(&b, CP_MAX_DEMANGLED);
	for (const char *p = s + 1; p < end; p++)
		cp_buf_char(&b, *p == '/' ? '.' : *p);
	cp_buf_str(&b, end + 1);
	return taken(&b);
}

/*
 * "type [assembly] Type::Method(types)[tier]" or "type package.Class.method(
 * types)": keeps the last word before the parameters, if a type is before it.
 */
static char *
tidy_method(const char *s)
{
	const char *open = strchr(s, '('), *from;
	struct cp_buf b;

	if (open == NULL || open == s)
		return NULL;
	for (from = open; from > s && from[-1] != ' ';)
		from--;
	if (from == s || strcspn(from, ".:") >= (size_t)(open - from))
		return NULL;
	cp_buf_init(&b, CP_MAX_DEMANGLED);
	cp_buf_add(&b, from, (size_t)(open - from));
	return taken(&b);
}

char *
cp_tidy_runtime(const char *raw)
{
	static const char *const v8[] = {
		"LazyCompile:", "Function:", "JS:", "Script:", "Eval:"
	};
	const char *s;
	char *name;

	if (strnlen(raw, CP_MAX_JIT_NAME) == CP_MAX_JIT_NAME)
		return NULL;
	for (size_t i = 0; i < CP_ARRAY_LEN(v8); i++)
		if ((s = after(raw, v8[i])) != NULL)
			return tidy_v8(s);
	if ((s = after(raw, "py::")) != NULL)
		return tidy_python(s);
	name = tidy_agent(raw);
	return name != NULL ? name : tidy_method(raw);
}
