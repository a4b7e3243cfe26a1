/* SPDX-License-Identifier: MIT */
/* Finding renderers; what each leaves out; sinks that fail. */
#include "tests/render/sample.h"
#include "tests/tap.h"

static const char *
of_path(const char *path)
{
	const struct cp_renderer *r = cp_renderer_of_path(path);

	return r != NULL ? r->name : NULL;
}

static void
check_find(void)
{
	for (size_t i = 0; i < cp_renderer_count(); i++) {
		const struct cp_renderer *r = cp_renderer_at(i);

		ok(cp_renderer_find(r->name) == r, "%s is found by name",
		    r->name);
	}
	ok(cp_renderer_at(cp_renderer_count()) == NULL, "there are no more");
	ok(cp_renderer_find("tex") == NULL, "half a name is no name");
	is_str(of_path("out/a.svg"), "svg", "a suffix decides");
	is_str(of_path("a.folded"), "folded", "so does a long one");
	is_str(of_path(".svg"), NULL, "a file that is all suffix has none");
	is_str(of_path("svg"), NULL, "a name without a dot has none");
}

static void
check_left(const char *format, size_t want)
{
	struct cp_render_options opt = { 0 };
	struct cp_left left = { 0 };
	struct cp_report r;
	struct cp_buf b;

	sample_plain(&r);
	ok(sample_render(&r, format, &opt, &left, &b) == CP_OK && b.len > 100,
	    "%s writes something", format);
	is_u64(left.sections.len, want, "%s tells what it left out", format);
	ok(cp_renderer_can(cp_renderer_find(format), &r),
	    "%s can show such a report", format);
	cp_left_free(&left);
	cp_buf_free(&b);
	cp_report_free(&r);
}

static size_t
lines_of(const char *format, const struct cp_report *r)
{
	struct cp_render_options opt = { 0 };
	struct cp_left left = { 0 };
	struct cp_buf b;
	size_t n = 0;

	if (sample_render(r, format, &opt, &left, &b) != CP_OK)
		ok(false, "%s failed", format);
	for (const char *p = cp_buf_text(&b); *p != '\0'; p++)
		n += *p == '\n';
	cp_buf_free(&b);
	cp_left_free(&left);
	return n;
}

static void
check_deep(void)
{
	struct cp_report r;

	sample_deep(&r, 8192);
	is_u64(lines_of("folded", &r), 8192, "folded: a stack of 8,192 frames");
	ok(lines_of("text", &r) < 500, "text: its tree is cut");
	ok(lines_of("svg", &r) > 8192, "svg: it is drawn");
	cp_report_free(&r);
}

static int
fail_second(void *ctx, const void *data, size_t n)
{
	int *calls = ctx;

	return ++*calls == 2 ? -1 : 0;
}

static void
check_failure(void)
{
	struct cp_out *out = cp_xmalloc(sizeof(*out));
	int calls = 0;

	cp_out_init(out, fail_second, &calls);
	for (int i = 0; i < 10000; i++)
		cp_out_str(out, "0123456789");
	ok(cp_out_end(out) == CP_FAIL, "a failed write is told at the end");
	is_u64((uint64_t)calls, 2, "and nothing is written after it");
	free(out);
}

static void
check_repeat(const char *format)
{
	struct cp_render_options opt = { 0 };
	struct cp_left left = { 0 };
	struct cp_buf a, b;
	struct cp_report r;

	sample_hostile(&r);
	if (sample_render(&r, format, &opt, &left, &a) != CP_OK ||
	    sample_render(&r, format, &opt, &left, &b) != CP_OK)
		ok(false, "%s failed", format);
	is_str(b.data, a.data, "%s gives the same bytes again", format);
	cp_left_free(&left);
	cp_buf_free(&a);
	cp_buf_free(&b);
	cp_report_free(&r);
}

int
main(void)
{
	check_find();
	check_left("text", 0);
	check_left("json", 0);
	check_left("html", 0);
	check_left("csv", 5);
	check_left("folded", 5);
	check_left("svg", 2);
	check_deep();
	check_failure();
	for (size_t i = 0; i < cp_renderer_count(); i++)
		check_repeat(cp_renderer_at(i)->name);
	return done_testing();
}
