/* SPDX-License-Identifier: MIT */
/*
 * render/text/lanes.c: spans of time as rows of characters, one row a lane.
 *
 * A character stands for a piece of time and shows the kind that filled most
 * of it.  Of a kind with levels it shows how full it was.
 */
#include "render/text/text.h"

#include <math.h>

#include "base/limits.h"
#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/text/style.h"

struct strip {
	const struct cp_lanes *lanes;
	uint64_t from, to;
	uint32_t columns;
	size_t label;
	double *share; /* of a character's time: column * kinds + kind */
};

/*
 * Returns a kind's character: that of its tone if it is the first of it, else a
 * letter.
 */
static void
kind_mark(const struct cp_lanes *l, size_t kind, double share, char out[8])
{
	static const char *const full[] = { "░", "▒", "▓", "█" };
	static const char *const mark[] = { [CP_TONE_PLAIN] = "▪",
		[CP_TONE_WAIT] = "-",
		[CP_TONE_BLOCK] = "·",
		[CP_TONE_IDLE] = " ",
		[CP_TONE_UNKNOWN] = "?" };
	enum cp_tone tone = l->kinds.data[kind].tone;
	size_t before = 0;

	for (size_t i = 0; i < kind; i++)
		before += l->kinds.data[i].tone == tone;
	if (before == 0 && tone == CP_TONE_RUN)
		snprintf(out, 8, "%s", full[(int)(fmin(share, 0.99) * 4)]);
	else if (before == 0)
		snprintf(out, 8, "%s", mark[tone]);
	else
		snprintf(out, 8, "%c", (int)('a' + (kind - 1) % 26));
}

static void
strip_measure(
    struct strip *s, const struct cp_render_options *opt, struct cp_buf *b)
{
	const struct cp_lanes *l = s->lanes;

	s->from = UINT64_MAX;
	for (size_t i = 0; i < l->spans.len; i++) {
		s->from = CP_MIN(s->from, l->spans.data[i].start);
		s->to = CP_MAX(s->to, l->spans.data[i].end);
	}
	for (size_t i = 0; i < l->lanes.len; i++) {
		cp_buf_reset(b);
		cp_escape_terminal(b, l->lanes.data[i]);
		s->label = CP_MAX(s->label, cp_text_columns(cp_buf_text(b)));
	}
	s->label = CP_MIN(s->label, (size_t)30);
	s->columns = cp_text_room(opt, s->label + 5);
	s->share = cp_xcalloc(
	    (size_t)s->columns * (l->kinds.len + 1), sizeof(*s->share));
}

/* Adds a span to the characters that it touches. */
static void
strip_add(struct strip *s, const struct cp_lane_span *span)
{
	double scale = s->columns / (double)CP_MAX(s->to - s->from, 1u);
	double a = (double)(span->start - s->from) * scale;
	double b = (double)(span->end - s->from) * scale;
	uint32_t last = (uint32_t)CP_MIN(b, (double)(s->columns - 1));

	for (uint32_t c = (uint32_t)a; c <= last; c++) {
		double part = fmin(b, c + 1.0) - fmax(a, c);

		s->share[(size_t)c * s->lanes->kinds.len + span->kind] +=
		    (part > 0 ? part : 0) * (double)span->level + 1e-9;
	}
}

static void
put_strip(const struct strip *s, struct cp_out *out)
{
	size_t kinds = s->lanes->kinds.len;

	for (uint32_t c = 0; c < s->columns; c++) {
		const double *share = &s->share[(size_t)c * kinds];
		size_t best = kinds;
		char mark[8] = " ";

		for (size_t k = 0; k < kinds; k++)
			if (share[k] > (best < kinds ? share[best] : 0))
				best = k;
		if (best < kinds)
			kind_mark(s->lanes, best, share[best], mark);
		cp_out_str(out, mark);
	}
	cp_out_char(out, '\n');
	memset(s->share, 0, (size_t)s->columns * kinds * sizeof(*s->share));
}

/* Adds a kind to the line that begins at *line, or begins a new line. */
static void
add_kind(const struct cp_lanes *l, size_t k, unsigned width, struct cp_buf *b,
    size_t *line)
{
	struct cp_buf kind;
	char mark[8];

	kind_mark(l, k, 1, mark);
	cp_buf_init(&kind, SIZE_MAX / 2);
	cp_buf_printf(&kind, "  %s ", strcmp(mark, " ") == 0 ? "blank" : mark);
	cp_escape_terminal(&kind, l->kinds.data[k].name);
	cp_buf_str(b, k == 0 ? ":" : ",");
	if (width != 0 && cp_text_columns(cp_buf_text(b) + *line) +
				  cp_text_columns(cp_buf_text(&kind)) >=
			      width) {
		cp_buf_str(b, "\n  ");
		*line = b->len - 2;
	}
	cp_buf_str(b, cp_buf_text(&kind));
	cp_buf_free(&kind);
}

static void
put_kinds(const struct strip *s, const struct cp_report *r,
    const struct cp_render_options *opt, struct cp_out *out, struct cp_buf *b)
{
	size_t line = 0;

	cp_buf_reset(b);
	cp_buf_str(b, "  ");
	cp_format_axis(b, r, CP_COL_CLOCK, s->from);
	cp_buf_str(b, " … ");
	cp_format_axis(b, r, CP_COL_CLOCK, s->to);
	for (size_t k = 0; k < s->lanes->kinds.len; k++)
		add_kind(s->lanes, k, opt->width, b, &line);
	cp_buf_char(b, '\n');
	cp_out_add(out, cp_buf_text(b), b->len);
}

static void
put_lane(struct strip *s, size_t lane, size_t *span, struct cp_out *out,
    struct cp_buf *b)
{
	const struct cp_lanes *l = s->lanes;

	cp_buf_reset(b);
	cp_escape_terminal(b, l->lanes.data[lane]);
	if (cp_text_columns(cp_buf_text(b)) > s->label) {
		b->len = cp_text_fit(cp_buf_text(b), s->label - 1);
		cp_buf_str(b, "…");
	}
	cp_out_str(out, "  ");
	cp_text_right(out, b, s->label);
	cp_out_str(out, " │");
	for (; *span < l->spans.len && l->spans.data[*span].lane == lane;
	     ++*span)
		strip_add(s, &l->spans.data[*span]);
	put_strip(s, out);
}

void
cp_text_lanes(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, const struct cp_lanes *l)
{
	struct strip s = { .lanes = l };
	size_t span = 0, lane = 0;
	struct cp_buf b;

	if (l->spans.len == 0) {
		cp_out_str(out, "  (nothing)\n");
		return;
	}
	cp_buf_init(&b, SIZE_MAX / 2);
	strip_measure(&s, opt, &b);
	put_kinds(&s, r, opt, out, &b);
	for (; lane < l->lanes.len && lane < CP_MAX_TEXT_LINES; lane++)
		put_lane(&s, lane, &span, out, &b);
	if (lane < l->lanes.len)
		cp_out_printf(out, "  … and %zu more\n", l->lanes.len - lane);
	free(s.share);
	cp_buf_free(&b);
}
