/* SPDX-License-Identifier: MIT */
/*
 * speedscope: the JSON of speedscope.app, a profile for each event and each
 * name of threads.  Samples are in order of time; time that no sample stands
 * for is a gap, an empty stack.  Of many samples, or without times, stacks are
 * added up over the whole time, as in its left-heavy view.
 *
 * A frame is a function; its line is the first of its lines with samples.
 */
#include "base/match/short-name.h"
#include "base/strings.h"
#include "render/export/common/about.h"
#include "render/export/common/functions.h"
#include "render/export/common/json-text.h"

/* More are joined: people choose from a list. */
enum { MAX_PROFILES = 200 };

/* A browser holds some hundred MB of text: 250 bytes are usual for a sample. */
enum { MAX_IN_TIME = 400000 };

/* A sample that is written; row UINT32_MAX: a gap. */
struct shown {
	uint32_t row;
	uint64_t weight;
};

/* The rows of one event and one name of threads. */
struct part {
	uint32_t event;
	cp_string_id name;
	uint64_t samples, weight;
	size_t first, n; /* of order; counted, then filled */
};

struct speedscope {
	const struct cp_export *x;
	const struct cp_profile *p;
	struct cp_out *out;
	struct cp_strings names;
	struct cp_functions functions;
	struct cp_map64 at; /* event and name to part + 1 */
	CP_VEC(struct part) parts;
	uint32_t *part_of; /* by row */
	uint32_t *order;   /* rows by part */
	CP_VEC(uint32_t) stack;
	CP_VEC(struct shown) shown; /* of the profile being written */
};

static cp_string_id
name_of(struct speedscope *w, const struct cp_export_row *row)
{
	if (row->thread == CP_NO_ID)
		return 0;
	return cp_strings_add(&w->names, w->p->threads.data[row->thread].name);
}

static uint32_t
part_for(struct speedscope *w, uint32_t event, cp_string_id name)
{
	uint32_t *slot = cp_map64_put(&w->at, (uint64_t)event << 32 | name);

	if (*slot == 0) {
		*cp_vec_push(&w->parts) =
		    (struct part){ .event = event, .name = name };
		*slot = (uint32_t)w->parts.len;
	}
	return *slot - 1;
}

static void
split(struct speedscope *w)
{
	const struct cp_export_row *rows = w->x->rows.data;
	size_t at = 0;

	for (size_t i = 0; i < w->x->rows.len; i++) {
		uint32_t k = part_for(w, rows[i].event, name_of(w, &rows[i]));

		w->part_of[i] = k;
		w->parts.data[k].n++;
		w->parts.data[k].samples += rows[i].samples;
		w->parts.data[k].weight += rows[i].weight;
	}
	for (size_t k = 0; k < w->parts.len; k++) {
		w->parts.data[k].first = at;
		at += w->parts.data[k].n;
		w->parts.data[k].n = 0;
	}
	for (size_t i = 0; i < w->x->rows.len; i++) {
		struct part *part = &w->parts.data[w->part_of[i]];

		w->order[part->first + part->n++] = (uint32_t)i;
	}
}

/* The event to show first, then by event; the heaviest first. */
struct place {
	bool first;
	struct part part;
};

static int
place_cmp(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;
	const struct part *x = &a->part, *y = &b->part;

	if (a->first != b->first)
		return b->first - a->first;
	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

static struct place *
places(const struct speedscope *w)
{
	struct place *all = cp_xcalloc(w->parts.len + 1, sizeof(*all));

	for (size_t i = 0; i < w->parts.len; i++) {
		all[i].part = w->parts.data[i];
		all[i].first = w->parts.data[i].event == w->x->event;
	}
	qsort(all, w->parts.len, sizeof(*all), place_cmp);
	return all;
}

/* ---------------------------------------------------------------- frames */

/* All functions are numbered before they are written. */
static void
number_functions(struct speedscope *w)
{
	for (uint32_t i = 0; i < w->p->frames.len; i++)
		for (size_t k = 0; k < cp_export_lines(w->p, i); k++) {
			struct cp_export_line line = cp_export_line(w->p, i, k);

			(void)cp_functions_of(&w->functions, &line);
		}
}

static void
put_frame(struct speedscope *w, const struct cp_export_function *f)
{
	const char *object = cp_function_object(w->p, f);
	struct cp_buf name, brief;

	cp_buf_init(&name, SIZE_MAX / 2);
	cp_buf_init(&brief, SIZE_MAX / 2);
	cp_function_name(&name, w->p, f->symbol, f->object);
	cp_brief_name(&brief, cp_buf_text(&name));
	cp_out_char(w->out, '{');
	cp_put_pair(w->out, "name", cp_buf_text(&brief));
	cp_buf_free(&name);
	cp_buf_free(&brief);
	if (f->file != NULL || *object != '\0') {
		cp_out_char(w->out, ',');
		cp_put_pair(w->out, "file", f->file != NULL ? f->file : object);
	}
	if (f->file != NULL && f->line != 0) {
		cp_out_char(w->out, ',');
		cp_put_number(w->out, "line", f->line);
	}
	cp_out_char(w->out, '}');
}

/* ---------------------------------------------------------------- samples */

/* Functions of a stack, the outermost first. */
static void
put_stack(struct speedscope *w, uint32_t stack)
{
	w->stack.len = 0;
	do {
		uint32_t frame = w->p->stacks.data[stack].frame;

		for (size_t i = cp_export_lines(w->p, frame); i-- > 0;) {
			struct cp_export_line line =
			    cp_export_line(w->p, frame, i);

			*cp_vec_push(&w->stack) =
			    cp_functions_of(&w->functions, &line);
		}
		stack = w->p->stacks.data[stack].parent;
	} while (stack != 0);
	cp_out_char(w->out, '[');
	for (size_t i = w->stack.len; i-- > 0;) {
		cp_out_u64(w->out, w->stack.data[i]);
		if (i != 0)
			cp_out_char(w->out, ',');
	}
	cp_out_char(w->out, ']');
}

/* A sample of a clock stands for the time before it. */
static void
show_rows(struct speedscope *w, const struct part *part, bool ns)
{
	uint64_t end = CP_NO_TIME;

	for (size_t i = 0; i < part->n; i++) {
		uint32_t at = w->order[part->first + i];
		const struct cp_export_row *row = &w->x->rows.data[at];
		uint64_t from = row->time - CP_MIN(row->weight, row->time);

		if (ns && row->time != CP_NO_TIME && end != CP_NO_TIME &&
		    from > end)
			*cp_vec_push(&w->shown) =
			    (struct shown){ UINT32_MAX, from - end };
		*cp_vec_push(&w->shown) = (struct shown){ at, row->weight };
		end = row->time;
	}
}

static void
put_samples(struct speedscope *w)
{
	cp_put_key(w->out, "samples");
	cp_out_char(w->out, '[');
	for (size_t i = 0; i < w->shown.len; i++) {
		uint32_t row = w->shown.data[i].row;

		cp_out_str(w->out, i != 0 ? ",\n" : "\n");
		if (row == UINT32_MAX)
			cp_out_str(w->out, "[]");
		else
			put_stack(w, w->x->rows.data[row].stack);
	}
	cp_out_str(w->out, "],\n");
	cp_put_key(w->out, "weights");
	cp_out_char(w->out, '[');
	for (size_t i = 0; i < w->shown.len; i++) {
		if (i != 0)
			cp_out_char(w->out, ',');
		cp_out_u64(w->out, w->shown.data[i].weight);
	}
	cp_out_char(w->out, ']');
}

static const char *
unit_name(const struct cp_profile_event *e)
{
	const char *unit = cp_export_unit(e);

	if (strcmp(unit, "nanoseconds") == 0 || strcmp(unit, "bytes") == 0)
		return unit;
	return "none";
}

static void
put_name(struct speedscope *w, const struct part *part, size_t joined)
{
	const struct cp_profile_event *e = &w->p->events.data[part->event];
	struct cp_buf name;

	cp_buf_init(&name, SIZE_MAX / 2);
	cp_buf_str(&name, e->name);
	if (joined > 1)
		cp_buf_printf(&name, ": %zu more names of threads", joined);
	else if (part->name != 0)
		cp_buf_printf(
		    &name, ": %s", cp_strings_get(&w->names, part->name));
	if (strcmp(unit_name(e), "none") == 0 && e->unit != NULL)
		cp_buf_printf(&name, " (%s)", e->unit);
	cp_put_pair(w->out, "name", cp_buf_text(&name));
	cp_buf_free(&name);
}

/* A profile of n parts, which are of one event. */
static void
put_profile(struct speedscope *w, const struct part *parts, size_t n)
{
	const struct cp_profile_event *e = &w->p->events.data[parts->event];
	bool ns = strcmp(unit_name(e), "nanoseconds") == 0;
	uint64_t weight = 0;

	w->shown.len = 0;
	for (size_t k = 0; k < n; k++)
		show_rows(w, &parts[k], ns);
	for (size_t i = 0; i < w->shown.len; i++)
		weight += w->shown.data[i].weight;
	cp_out_str(w->out, "{\"type\":\"sampled\",");
	put_name(w, parts, n);
	cp_out_char(w->out, ',');
	cp_put_pair(w->out, "unit", unit_name(e));
	cp_out_str(w->out, ",\"startValue\":0,");
	cp_put_number(w->out, "endValue", weight);
	cp_out_str(w->out, ",\n");
	put_samples(w);
	cp_out_char(w->out, '}');
}

/* Returns how many parts from `at` on make the next profile. */
static size_t
joined_at(const struct place *all, size_t at, size_t n, size_t written)
{
	size_t end = at + 1;

	if (written < MAX_PROFILES)
		return 1;
	while (end < n && all[end].part.event == all[at].part.event)
		end++;
	return end - at;
}

static void
put_profiles(struct speedscope *w)
{
	struct place *all = places(w);
	struct part *run = cp_xcalloc(w->parts.len + 1, sizeof(*run));
	size_t written = 0;

	for (size_t at = 0, n; at < w->parts.len; at += n) {
		n = joined_at(all, at, w->parts.len, written);
		for (size_t k = 0; k < n; k++)
			run[k] = all[at + k].part;
		cp_out_str(w->out, written++ != 0 ? ",\n" : "\n");
		put_profile(w, run, n);
	}
	free(run);
	free(all);
}

static void
put_about(void *ctx, const char *line)
{
	struct cp_buf *b = ctx;

	if (b->len != 0)
		cp_buf_char(b, '\n');
	cp_buf_str(b, line);
}

static void
put_all(struct speedscope *w, const struct cp_render_options *opt)
{
	struct cp_out *out = w->out;
	struct cp_buf about;

	cp_buf_init(&about, SIZE_MAX / 2);
	cp_export_about(w->x, opt, put_about, &about);
	cp_out_str(out, "{\"$schema\":\"https://www.speedscope.app/"
			"file-format-schema.json\",\n");
	cp_put_pair(out, "exporter", opt->tool != NULL ? opt->tool : "");
	cp_out_str(out, ",\n");
	cp_put_pair(out, "name", w->x->report->title);
	cp_out_str(out, ",\n");
	/* Readers ignore this key; people find the losses there. */
	cp_put_pair(out, "about", cp_buf_text(&about));
	cp_buf_free(&about);
	cp_out_str(out, ",\n\"activeProfileIndex\":0,\n");
	cp_out_str(out, "\"shared\":{\"frames\":[");
	for (size_t i = 0; i < w->functions.all.len; i++) {
		cp_out_str(out, i != 0 ? ",\n" : "\n");
		put_frame(w, &w->functions.all.data[i]);
	}
	cp_out_str(out, "]},\n\"profiles\":[");
	put_profiles(w);
	cp_out_str(out, "]}\n");
}

static void
speedscope_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	const struct cp_profile *of = cp_profile_of(r);
	unsigned apart = of != NULL && cp_profile_samples(of) <= MAX_IN_TIME
			     ? CP_EXPORT_TIMES
			     : CP_EXPORT_THREADS;
	struct cp_export x;
	struct speedscope w = { .x = &x, .out = out };

	if (!cp_export_begin(&x, r, apart, left))
		return;
	w.p = x.profile;
	w.part_of = cp_xcalloc(x.rows.len + 1, sizeof(*w.part_of));
	w.order = cp_xcalloc(x.rows.len + 1, sizeof(*w.order));
	number_functions(&w);
	split(&w);
	put_all(&w, opt);
	free(w.part_of);
	free(w.order);
	cp_vec_free(&w.stack);
	cp_vec_free(&w.shown);
	cp_vec_free(&w.parts);
	cp_map64_free(&w.at);
	cp_strings_free(&w.names);
	cp_functions_free(&w.functions);
	cp_export_end(&x);
}

const struct cp_renderer cp_renderer_speedscope = {
	.name = "speedscope",
	.suffix = ".speedscope.json",
	.shows = CP_SHOWS(CP_SECTION_PROFILE) | CP_SHOWS(CP_SECTION_TREE),
	.write = speedscope_write,
};
