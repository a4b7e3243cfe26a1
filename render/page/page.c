/* SPDX-License-Identifier: MIT */
#include "render/page/page.h"

#include "base/digest.h"
#include "render/common/json-report.h"
#include "render/page/static.h"

/* Who reads version 1 would add several captures up. */
#define FORMAT_VERSION 1
#define FORMAT_VERSION_SEVERAL 2
#define SAMPLES 2000000u

static const char *const style[] = {
#include "render/page/page.css.inc"
};
/* The page's script, which stands packed among the data. */
static const char *const script[] = {
	"(function () {\n'use strict';\n",
#include "render/page/page.js.inc"
	"})();\n",
};
/* The script that runs it. */
static const char *const unpack[] = {
#include "render/page/unpack.js.inc"
};

static void
put_lines(struct cp_out *out, const char *const *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cp_out_str(out, line[i]);
}

static void
put_checksum(struct cp_out *out, const char *const *line, size_t n)
{
	struct cp_sha256 sum;
	uint8_t digest[32];

	cp_sha256_init(&sum);
	for (size_t i = 0; i < n; i++)
		cp_sha256_add(&sum, line[i], strlen(line[i]));
	cp_sha256_end(&sum, digest);
	cp_out_str(out, "'sha256-");
	cp_page_base64(out, digest, sizeof(digest));
	cp_out_char(out, '\'');
}

static void
put_policy(struct cp_out *out)
{
	cp_out_str(out, "<meta http-equiv=\"Content-Security-Policy\" "
			"content=\"default-src 'none'; script-src ");
	put_checksum(out, unpack, CP_ARRAY_LEN(unpack));
	cp_out_char(out, ' ');
	put_checksum(out, script, CP_ARRAY_LEN(script));
	cp_out_str(out, "; style-src ");
	put_checksum(out, style, CP_ARRAY_LEN(style));
	cp_out_str(out, "; img-src data: blob:; base-uri 'none'; "
			"form-action 'none'\">\n");
}

static void
put_head(const struct cp_report *r, struct cp_out *out)
{
	cp_out_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			"<meta charset=\"utf-8\">\n");
	put_policy(out);
	cp_out_str(out, "<meta name=\"viewport\" "
			"content=\"width=device-width\">\n<title>");
	cp_page_text(out, *r->title != '\0' ? r->title : r->analysis);
	cp_out_str(out, "</title>\n<style>");
	put_lines(out, style, CP_ARRAY_LEN(style));
	cp_out_str(out, "</style>\n</head>\n");
}

static void
put_static(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out)
{
	cp_out_str(out, "<main id=\"cp-static\">\n<h1>");
	cp_page_text(out, *r->title != '\0' ? r->title : r->analysis);
	cp_out_str(out, "</h1>\n");
	cp_page_subtitle(r, opt, out);
	cp_page_sections(r, opt, out);
	cp_out_str(out, "</main>\n");
}

/* A JSON text, written by parts; it is sent off by end_json(). */
struct json {
	struct cp_out out;
	struct cp_buf text;
};

static void
begin_json(struct json *j)
{
	cp_buf_init(&j->text, SIZE_MAX / 2);
	cp_out_init(&j->out, cp_out_to_buf, &j->text);
}

static void
end_json(struct json *j, struct cp_page_columns *c, const char *name)
{
	if (cp_out_end(&j->out) == CP_OK)
		cp_page_bytes(
		    c, name, "json", cp_buf_text(&j->text), j->text.len);
	cp_buf_free(&j->text);
}

struct span {
	uint64_t first, last;
};

static void
widen(struct span *s, uint64_t time)
{
	if (time >= CP_PAGE_NO_TIME)
		return;
	s->first = CP_MIN(s->first, time);
	s->last = CP_MAX(s->last, time);
}

/* The moment that times of the selection count from. */
static uint64_t
origin_of(const struct cp_report *r, const struct cp_profile *p)
{
	return p->captures.len == 0 ? r->start : cp_profile_start(p);
}

/*
 * The first and the last moment that a page speaks of.  Threads may begin long
 * before there is something to show: with a delay, or while perf started.
 */
static struct span
span_of(const struct cp_report *r, const struct cp_profile *p)
{
	struct span s = { CP_NO_TIME, 0 };
	uint64_t first;

	widen(&s, origin_of(r, p));
	for (size_t i = 0; i < p->time.len; i++)
		widen(&s, p->time.data[i]);
	for (size_t i = 0; i < p->states.len; i++) {
		widen(&s, p->states.data[i].from);
		widen(&s, p->states.data[i].to);
	}
	first = s.first;
	for (size_t i = 0; i < p->marks.len; i++)
		widen(&s, p->marks.data[i].time);
	for (size_t i = 0; i < p->threads.len; i++) {
		widen(&s, p->threads.data[i].start);
		widen(&s, p->threads.data[i].end);
	}
	if (first != CP_NO_TIME)
		s.first = first;
	else if (s.first == CP_NO_TIME)
		s.first = 0;
	return s;
}

static void
put_options(struct cp_out *out, const struct cp_render_word *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		cp_out_printf(
		    out, "%s[\"--%s\"", i != 0 ? ", " : "", words[i].name);
		if (words[i].value != NULL) {
			cp_out_str(out, ", ");
			cp_json_text(out, words[i].value);
		}
		cp_out_char(out, ']');
	}
}

/* The captures, the options that they were read with, and the others. */
static void
put_command(struct cp_out *out, const struct cp_render_command *command)
{
	if (command->capture_count == 0)
		return;
	for (size_t i = 0; i < command->capture_count; i++) {
		cp_out_str(out, i != 0 ? ", " : ", \"captures\": [");
		cp_json_text(out, command->captures[i]);
	}
	cp_out_str(out, "], \"options\": [");
	put_options(out, command->words, command->word_count);
	cp_out_str(out, "], \"given\": [");
	put_options(out, command->own, command->own_count);
	cp_out_char(out, ']');
}

static void
put_meta(struct cp_page_columns *c, const struct cp_report *r,
    const struct cp_profile *p, const struct span *span,
    const struct cp_page_samples *samples,
    const struct cp_render_command *command)
{
	uint64_t origin = origin_of(r, p);
	struct json j;

	begin_json(&j);
	cp_out_printf(&j.out,
	    "{\"format\": \"coldperf-page\", \"version\": %d, \"label\": ",
	    p->captures.len == 0 ? FORMAT_VERSION : FORMAT_VERSION_SEVERAL);
	cp_json_text(&j.out, r->label);
	cp_out_printf(&j.out,
	    ", \"start\": %" PRIu64 ", \"startText\": \"%" PRIu64
	    "\", \"end\": %" PRIu64 ", \"origin\": ",
	    span->first, span->first, span->last);
	/* --time counts from the start of each capture of a sum. */
	if (origin < CP_PAGE_NO_TIME && r->origins.len <= 1)
		cp_out_u64(&j.out, origin - span->first);
	else
		cp_out_str(&j.out, "null");
	cp_out_str(&j.out, ", \"binned\": ");
	if (samples->width != 0)
		cp_out_printf(&j.out, "{\"ns\": %" PRIu64 "}", samples->width);
	else
		cp_out_str(&j.out, "null");
	put_command(&j.out, command);
	cp_out_str(&j.out, "}\n");
	end_json(&j, c, "meta");
}

static void
put_report(struct cp_page_columns *c, const struct cp_report *r,
    const struct cp_render_options *opt)
{
	struct json j;

	begin_json(&j);
	cp_json_report(r, opt->tool, CP_JSON_PAGE, &j.out);
	end_json(&j, c, "report");
}

static void
put_script(struct cp_page_columns *c)
{
	struct cp_buf text;

	cp_buf_init(&text, SIZE_MAX / 2);
	for (size_t i = 0; i < CP_ARRAY_LEN(script); i++)
		cp_buf_str(&text, script[i]);
	cp_page_bytes(c, "script", "script", cp_buf_text(&text), text.len);
	cp_buf_free(&text);
}

static void
put_data(const struct cp_report *r, const struct cp_profile *p,
    const struct cp_render_options *opt, struct cp_out *out)
{
	size_t most = opt->samples != 0 ? opt->samples : SAMPLES;
	struct cp_page_samples samples = cp_page_bin(p, most);
	struct span span = span_of(r, p);
	struct cp_page_columns c = { 0 };

	put_meta(&c, r, p, &span, &samples, &opt->command);
	put_report(&c, r, opt);
	put_script(&c);
	cp_page_tables(&c, p, &samples, span.first);
	cp_page_columns_put(&c, opt->jobs, out);
	cp_page_bin_free(&samples);
}

void
cp_page_write(const struct cp_report *r, const struct cp_profile *p,
    const struct cp_render_options *opt, struct cp_out *out)
{
	put_head(r, out);
	cp_out_str(out, "<body>\n");
	put_static(r, opt, out);
	put_data(r, p, opt, out);
	cp_out_str(out, "<script>");
	put_lines(out, unpack, CP_ARRAY_LEN(unpack));
	cp_out_str(out, "</script>\n</body>\n</html>\n");
}
