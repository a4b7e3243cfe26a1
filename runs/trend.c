/* SPDX-License-Identifier: MIT */
/*
 * trend: a share changed at a run if its interval and the mean of the runs
 * since the last change exclude each other, and so do they at the run after it.
 * While there is none the difference has to be half as large again.  What runs
 * of one stretch differ by is part of the limit.
 */
#include "runs/trend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "render/common/escape.h"

#define WIDTH 800
#define HEIGHT 240
#define LEFT 60
#define TOP 40

/* Splits a line of CSV in place.  Returns the number of cells. */
static size_t
split(char *s, char **cell, size_t most)
{
	size_t n = 0;

	while (n < most) {
		char *to = s;
		bool quoted = *s == '"';

		cell[n++] = s;
		for (s += quoted; *s != '\0' && (quoted || *s != ','); s++) {
			if (quoted && s[0] == '"' && s[1] != '"')
				quoted = false;
			else
				*to++ = *(s += quoted && *s == '"');
		}
		quoted = *s == '\0';
		*to = '\0';
		if (quoted)
			break;
		s++;
	}
	return n;
}

static void
read_point(struct cp_trend *t, struct cp_runs *r, const char *function,
    struct cp_trend_point *p)
{
	FILE *f = fopen(cp_runs_path(r, p->run->id, "functions.csv"), "re");
	size_t size = 0, at = SIZE_MAX, name = SIZE_MAX;
	char *line = NULL, *cell[32];

	while (f != NULL && getline(&line, &size, f) > 0) {
		size_t n;

		line[strcspn(line, "\r\n")] = '\0';
		n = split(line, cell, CP_ARRAY_LEN(cell));
		if (!p->known) { /* the heads of the columns */
			p->known = true;
			for (size_t i = 0; i < n; i++) {
				if (strcmp(cell[i], "children") == 0)
					at = i;
				else if (strcmp(cell[i], "symbol") == 0)
					name = i;
			}
		} else if (at + 2 < n && name < n &&
			   strcmp(cell[name], function) == 0) {
			p->share = strtod(cell[at], NULL);
			p->lo = strtod(cell[at + 1], NULL);
			p->hi = strtod(cell[at + 2], NULL);
			t->met = true;
			break; /* the heaviest of that name */
		}
	}
	free(line);
	if (f != NULL)
		(void)fclose(f);
}

/* The stretch of runs since the last change. */
struct stretch {
	double n, sum, squares, halves;
};

static void
add(struct stretch *s, const struct cp_trend_point *p)
{
	s->n++;
	s->sum += p->share;
	s->squares += p->share * p->share;
	s->halves += (p->hi - p->lo) / 2;
}

/* sure: no run after it can say the same. */
static bool
differs(const struct stretch *s, const struct cp_trend_point *p, bool sure)
{
	double mean = s->sum / s->n, half = (p->hi - p->lo) / 2,
	       spread = sqrt(fmax(0, s->squares / s->n - mean * mean)),
	       limit = hypot(half, s->halves / s->n / sqrt(s->n));

	return fabs(p->share - mean) >
		   (sure ? 1.5 : 1) * fmax(limit, 2 * spread) &&
	       fabs(p->share - mean) > 0.001;
}

static void
find_changes(struct cp_trend *t)
{
	struct stretch s = { 0 };

	for (size_t i = 0; i < t->points.len; i++) {
		struct cp_trend_point *p = &t->points.data[i], *next = p + 1;
		bool last = i + 1 == t->points.len || !next->known;

		if (!p->known)
			continue;
		if (s.n != 0 && differs(&s, p, last) &&
		    (last || differs(&s, next, false))) {
			p->changed = true;
			s = (struct stretch){ 0 };
		}
		add(&s, p);
	}
}

void
cp_trend_read(struct cp_trend *t, struct cp_runs *r, const char *function)
{
	*t = (struct cp_trend){ .met = false };
	for (size_t i = 0; i < r->all.len; i++) {
		struct cp_trend_point p = { .run = &r->all.data[i] };

		read_point(t, r, function, &p);
		*cp_vec_push(&t->points) = p;
	}
	find_changes(t);
}

void
cp_trend_text(const struct cp_trend *t, struct cp_buf *b)
{
	cp_buf_printf(b, "%-17s  %8s  %15s  %-12s  %s\n", "Run", "Share",
	    "95 %", "Commit", "Labels");
	for (size_t i = 0; i < t->points.len; i++) {
		const struct cp_trend_point *p = &t->points.data[i];

		if (!p->known) {
			cp_buf_printf(b, "%-17s  %8s\n", p->run->id, "?");
			continue;
		}
		cp_buf_printf(b,
		    "%-17s  %7.2f%%  %6.2f-%6.2f %%  %-12.12s  %s%s\n",
		    p->run->id, p->share * 100, p->lo * 100, p->hi * 100,
		    p->run->commit, p->run->labels,
		    p->changed ? "  <- changed" : "");
	}
}

void
cp_trend_svg(const struct cp_trend *t, const char *title, struct cp_buf *b)
{
	double most = 0.01, step;
	bool first = true;

	for (size_t i = 0; i < t->points.len; i++)
		most = fmax(most, t->points.data[i].hi);
	most = fmin(1, most * 1.1);
	step = (WIDTH - LEFT - 20) / fmax(1, (double)t->points.len - 1);
	cp_buf_printf(b,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
	    "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
	    "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
	    "<text x=\"%d\" y=\"20\" font-size=\"14\">",
	    WIDTH, TOP + HEIGHT + 30, LEFT);
	cp_escape(b, CP_ESCAPE_XML, title);
	cp_buf_str(b, "</text>\n");
	for (int i = 0; i <= 4; i++) {
		double y = TOP + HEIGHT - HEIGHT * i / 4.0;

		cp_buf_printf(b,
		    "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" "
		    "y=\"%.1f\" text-anchor=\"end\">%.3g %%</text>\n",
		    LEFT, y, WIDTH - 20, LEFT - 6, y + 4, most * i * 25);
	}
	cp_buf_str(b, "<path fill=\"none\" stroke=\"#36c\" d=\"");
	for (size_t i = 0; i < t->points.len; i++) {
		const struct cp_trend_point *p = &t->points.data[i];

		if (p->known)
			cp_buf_printf(b, "%c%.1f %.1f", first ? 'M' : 'L',
			    LEFT + step * (double)i,
			    TOP + HEIGHT - HEIGHT * p->share / most);
		first &= !p->known;
	}
	cp_buf_str(b, "\"/>\n");
	for (size_t i = 0; i < t->points.len; i++) {
		const struct cp_trend_point *p = &t->points.data[i];
		double x = LEFT + step * (double)i;

		if (!p->known)
			continue;
		cp_buf_printf(b,
		    "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#36c\"/><circle "
		    "cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"><title>",
		    x, TOP + HEIGHT - HEIGHT * p->lo / most,
		    TOP + HEIGHT - HEIGHT * p->hi / most, x,
		    TOP + HEIGHT - HEIGHT * p->share / most,
		    p->changed ? "#c00" : "#36c");
		cp_escape(b, CP_ESCAPE_XML, p->run->id);
		cp_buf_printf(b, ": %.2f %% (%.2f-%.2f) ", p->share * 100,
		    p->lo * 100, p->hi * 100);
		cp_escape(b, CP_ESCAPE_XML, p->run->commit);
		cp_buf_str(b, p->changed ? " changed" : "");
		cp_buf_str(b, "</title></circle>\n");
	}
	cp_buf_str(b, "</svg>\n");
}

void
cp_trend_free(struct cp_trend *t)
{
	cp_vec_free(&t->points);
}
