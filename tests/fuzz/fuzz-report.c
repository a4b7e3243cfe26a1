/* SPDX-License-Identifier: MIT */
/*
 * fuzz-report: the input is a capture; all analyses of one capture read it, and
 * all renderers write their report.  Then it is compared with itself.
 *
 * Names of a capture cannot break out of a format: texts have no control
 * character, JSON is whole and has only values that it knows.
 */
#include "config.h" /* memfd_create */

#include "analyses/list.h"
#include "render/render.h"
#include "run/api.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/session.h"

enum { MAX_INPUT = 128 << 10, MAX_OUTPUT = 256 << 20, MAX_DEPTH = 4096 };

/* Says where an output is wrong. */
static _Noreturn void
wrong(const uint8_t *p, size_t n, size_t i)
{
	size_t from = i < 40 ? 0 : i - 40;

	fprintf(stderr, "byte %zu of %zu: %.*s\n", i, n,
	    (int)CP_MIN(n - from, 80), (const char *)p + from);
	abort();
}

static void
check_text(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((p[i] < ' ' && p[i] != '\n') || p[i] == 0x7f)
			wrong(p, n, i);
}

/* Returns the place after the string that begins at i. */
static size_t
skip_string(const uint8_t *p, size_t n, size_t i)
{
	for (i++; i < n && p[i] != '"'; i++)
		if (p[i] == '\\')
			i++;
	FUZZ_ASSERT(i < n);
	return i + 1;
}

/* A word that begins with a letter is one of three. */
static size_t
skip_word(const uint8_t *p, size_t n, size_t i)
{
	static const char *const words[] = { "true", "false", "null" };

	for (size_t k = 0; k < CP_ARRAY_LEN(words); k++) {
		size_t len = strlen(words[k]);

		if (n - i >= len && memcmp(p + i, words[k], len) == 0)
			return i + len;
	}
	wrong(p, n, i);
}

static size_t
skip_number(const uint8_t *p, size_t n, size_t i)
{
	while (i < n && p[i] != '\0' && strchr("+-.0123456789eE", p[i]) != NULL)
		i++;
	return i;
}

/* Brackets match, strings end, and no number is infinite. */
static void
check_json(const uint8_t *p, size_t n)
{
	char closes[MAX_DEPTH];
	size_t depth = 0, i = 0;

	while (i < n) {
		if (p[i] == '"') {
			i = skip_string(p, n, i);
		} else if (p[i] == '{' || p[i] == '[') {
			FUZZ_ASSERT(depth < MAX_DEPTH);
			closes[depth++] = p[i++] == '{' ? '}' : ']';
		} else if (p[i] == '}' || p[i] == ']') {
			FUZZ_ASSERT(depth > 0 && closes[--depth] == p[i]);
			i++;
		} else if ((p[i] >= '0' && p[i] <= '9') || p[i] == '-') {
			i = skip_number(p, n, i);
		} else if (strchr(" \n:,", p[i]) != NULL) {
			i++;
		} else {
			i = skip_word(p, n, i);
		}
	}
	FUZZ_ASSERT(depth == 0);
}

static bool
is_one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void
check(const struct cp_renderer *r, const struct cp_buf *b)
{
	static const char *const texts[] = { "text", "json", "folded", "svg",
		"html", "speedscope", "ndjson" };
	static const char *const jsons[] = { "json", "speedscope", "ndjson" };
	const uint8_t *p = (const uint8_t *)b->data;

	if (is_one_of(r->name, texts, CP_ARRAY_LEN(texts)))
		check_text(p, b->len);
	if (is_one_of(r->name, jsons, CP_ARRAY_LEN(jsons)))
		check_json(p, b->len);
}

static void
render(const struct cp_renderer *r, const struct cp_report *rep)
{
	const struct cp_render_options options = { .tool = "fuzz-report" };
	static struct cp_out out;
	struct cp_left left = { 0 };
	struct cp_buf b;

	cp_buf_init(&b, MAX_OUTPUT);
	cp_out_init(&out, cp_out_to_buf, &b);
	if (cp_renderer_can(r, rep) &&
	    cp_render(r, rep, &options, &out, &left) == CP_OK)
		check(r, &b);
	cp_left_free(&left);
	cp_buf_free(&b);
}

static void
report(struct cp_run *run, struct cp_report *rep)
{
	cp_run_label(run, rep);
	if (cp_run_finish(run, rep) != CP_OK)
		return;
	cp_run_label_line(run, rep);
	for (size_t i = 0; i < cp_renderer_count(); i++)
		render(cp_renderer_at(i), rep);
}

static int
add_all(struct cp_run *run)
{
	for (const struct cp_analysis *const *a = cp_analyses; *a != NULL; a++)
		if ((*a)->captures < 2 && cp_run_add(run, *a) != CP_OK)
			return CP_FAIL;
	return CP_OK;
}

static void
analyse(const struct cp_run_options *options, const char *path)
{
	struct cp_diags diags;
	struct cp_run run = { 0 };
	struct cp_report rep;

	cp_diags_init(&diags);
	cp_report_init(&rep, "report");
	if (cp_run_open(&run, options, &diags, path) == CP_OK &&
	    add_all(&run) == CP_OK && cp_run_read(&run) == CP_OK)
		report(&run, &rep);
	cp_report_free(&rep);
	cp_run_close(&run);
}

static int
read_side(struct cp_run *run, uint32_t side, struct cp_report *rep)
{
	return cp_run_read(run) == CP_OK ? cp_run_captured(run, side, rep)
					 : CP_FAIL;
}

static void
compare(const struct cp_run_options *options, const char *path)
{
	struct cp_diags diags;
	struct cp_run run = { 0 };
	struct cp_report rep;

	cp_diags_init(&diags);
	cp_report_init(&rep, "diff");
	if (cp_run_open(&run, options, &diags, path) == CP_OK &&
	    cp_run_add(&run, cp_analysis_find("diff")) == CP_OK &&
	    read_side(&run, 0, &rep) == CP_OK &&
	    cp_run_next(&run, path) == CP_OK &&
	    read_side(&run, 1, &rep) == CP_OK)
		report(&run, &rep);
	cp_report_free(&rep);
	cp_run_close(&run);
}

static void
read_capture(const char *path)
{
	const struct cp_run_options options = { .capture = path,
		.analysis = "report",
		.cache = "",
		.debuginfod = CP_DEBUGINFOD_OFF,
		.inlines = CP_INLINE_NO,
		.no_cache = true,
		.tables = true,
		.jobs = 1 };

	analyse(&options, path);
	compare(&options, path);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd;

	if (size > MAX_INPUT)
		return 0;
	fd = fuzz_file(data, size);
	read_capture(fuzz_path(fd).text);
	close(fd);
	return 0;
}
