/* SPDX-License-Identifier: MIT */
/*
 * pprof: profile.proto of github.com/google/pprof, compressed.
 *
 * A sample has a value for each sample type: `samples', and one for each event.
 * Addresses are offsets in the object's file and mappings begin at 0, so that
 * pprof can name them anew.  Labels are texts, since pprof drops the number 0.
 * With --with-time samples are not added up, and each has its time as a label.
 */
#include "base/strings.h"
#include "render/export/common/about.h"
#include "render/export/common/flat.h"
#include "render/export/common/functions.h"
#include "render/export/common/gzip.h"
#include "render/export/common/proto.h"
#include "render/export/pprof-format.h"
#include "render/export/pprof-was.h"

/* What an object's frames have or lack: names, files, inlined functions. */
struct named {
	bool some_unnamed, files, inlines;
	uint64_t samples; /* that fell in it */
	uint64_t program; /* of processes that are called like it */
};

struct pprof {
	const struct cp_export *x;
	const struct cp_profile *p;
	struct cp_out *out;
	struct cp_strings strings;
	struct cp_functions functions;
	struct cp_buf field, part, line;
	uint32_t *column; /* of an event, among the values; CP_NO_ID: none */
	uint32_t columns;
	const struct cp_report_pprof *was; /* an imported one; NULL */
	bool counted;        /* the first value is a number of samples */
	struct named *named; /* by object */
	bool *leaf;          /* by frame: a sample fell there */
};

static uint32_t
text(struct pprof *w, const char *s)
{
	return cp_strings_add(&w->strings, s != NULL ? s : "");
}

static void
put_type(struct pprof *w, unsigned field, const char *type, const char *unit)
{
	cp_proto_u64(&w->field, VALUE_TYPE, text(w, type));
	cp_proto_u64(&w->field, VALUE_UNIT, text(w, unit));
	cp_proto_out(w->out, field, &w->field);
}

/* A field that is a number. */
static void
put_number(struct pprof *w, unsigned field, uint64_t v)
{
	cp_proto_u64(&w->field, field, v);
	cp_out_add(w->out, cp_buf_text(&w->field), w->field.len);
	cp_buf_reset(&w->field);
}

static void
put_types_was(struct pprof *w)
{
	for (size_t i = 0; i < w->p->events.len; i++)
		w->column[i] =
		    cp_pprof_column(w->was, w->p->events.data[i].name);
	w->columns = (uint32_t)w->was->n;
	w->counted = w->was->types[0].event == NULL;
	for (size_t i = 0; i < w->was->n; i++)
		put_type(w, PROFILE_SAMPLE_TYPE, w->was->types[i].name,
		    w->was->types[i].unit);
	if (w->was->period_type.name != NULL)
		put_type(w, PROFILE_PERIOD_TYPE, w->was->period_type.name,
		    w->was->period_type.unit);
	if (w->was->shown != NULL)
		put_number(
		    w, PROFILE_DEFAULT_SAMPLE_TYPE, text(w, w->was->shown));
	if (w->was->period != 0)
		put_number(w, PROFILE_PERIOD, w->was->period);
	if (w->was->time != 0)
		put_number(w, PROFILE_TIME_NANOS, w->was->time);
}

static void
put_types(struct pprof *w)
{
	w->was = cp_pprof_was(w->x);
	if (w->was != NULL) {
		put_types_was(w);
		return;
	}
	put_type(w, PROFILE_SAMPLE_TYPE, "samples", "count");
	w->columns = 1;
	w->counted = true;
	for (size_t i = 0; i < w->p->events.len; i++) {
		const struct cp_profile_event *e = &w->p->events.data[i];

		w->column[i] = CP_NO_ID;
		if (e->samples == 0 && e->weight == 0)
			continue;
		w->column[i] = w->columns++;
		put_type(w, PROFILE_SAMPLE_TYPE, e->name, cp_export_unit(e));
	}
}

static void
put_period(struct pprof *w)
{
	const struct cp_profile_event *e;

	if (w->x->event == CP_NO_ID || w->was != NULL)
		return;
	e = &w->p->events.data[w->x->event];
	put_number(w, PROFILE_DEFAULT_SAMPLE_TYPE, text(w, e->name));
	if (e->period == 0 || e->freq)
		return;
	put_type(w, PROFILE_PERIOD_TYPE, e->name, cp_export_unit(e));
	put_number(w, PROFILE_PERIOD, e->period);
}

static void
put_duration(struct pprof *w)
{
	uint64_t from = CP_NO_TIME, to = 0;

	for (size_t i = 0; i < cp_profile_samples(w->p); i++)
		if (w->p->time.data[i] != CP_NO_TIME) {
			from = CP_MIN(from, w->p->time.data[i]);
			to = CP_MAX(to, w->p->time.data[i]);
		}
	if (w->was != NULL && w->was->duration != 0)
		put_number(w, PROFILE_DURATION_NANOS, w->was->duration);
	else if (from < to)
		put_number(w, PROFILE_DURATION_NANOS, to - from);
}

static void
put_comment(void *ctx, const char *line)
{
	struct pprof *w = ctx;

	put_number(w, PROFILE_COMMENT, text(w, line));
}

/* ---------------------------------------------------- objects and places */

static void
learn_objects(struct pprof *w)
{
	const struct cp_profile *p = w->p;

	for (size_t i = 1; i < p->frames.len; i++) {
		const struct cp_profile_frame *f = &p->frames.data[i];
		struct named *n = &w->named[f->object];

		n->some_unnamed |=
		    f->spots == 0 &&
		    cp_export_line(p, (uint32_t)i, 0).symbol == 0;
		n->files |= f->spots != 0;
		n->inlines |= f->spots > 1;
	}
	for (size_t i = 0; i < w->x->rows.len; i++) {
		const struct cp_export_row *row = &w->x->rows.data[i];
		uint32_t frame = p->stacks.data[row->stack].frame;

		w->named[p->frames.data[frame].object].samples += row->samples;
		w->leaf[frame] = true;
	}
}

/* Is the object the file of a program that is called so?  15 bytes are kept. */
static bool
is_program(const struct cp_profile_object *o, const char *comm)
{
	const char *base = cp_basename(o->name);
	size_t n = strlen(comm);

	return o->kind == CP_DSO_FILE && n != 0 &&
	       (n < 15 ? strcmp(base, comm) == 0
		       : strncmp(base, comm, 15) == 0);
}

/* Counts the samples of processes that are called like an object. */
static void
learn_programs(struct pprof *w)
{
	const struct cp_profile *p = w->p;
	uint64_t *samples = cp_xcalloc(p->threads.len + 1, sizeof(*samples));

	for (size_t i = 0; i < w->x->rows.len; i++)
		if (w->x->rows.data[i].thread != CP_NO_ID)
			samples[w->x->rows.data[i].thread] +=
			    w->x->rows.data[i].samples;
	for (size_t t = 0; t < p->threads.len; t++) {
		const struct cp_profile_thread *row = &p->threads.data[t];
		const char *comm = row->process != NULL ? row->process
				   : row->name != NULL  ? row->name
							: "";

		for (uint32_t i = 1; samples[t] != 0 && i < p->objects.len; i++)
			if (is_program(&p->objects.data[i], comm))
				w->named[i].program += samples[t];
	}
	free(samples);
}

/*
 * pprof takes the first mapping for the program: the one whose processes have
 * most samples, else the file with most of them.
 */
static uint32_t
main_object(const struct pprof *w)
{
	uint32_t best = 1;

	for (uint32_t i = 1; i < w->p->objects.len; i++) {
		const struct named *a = &w->named[i], *b = &w->named[best];
		bool file = w->p->objects.data[i].kind == CP_DSO_FILE,
		     best_file = w->p->objects.data[best].kind == CP_DSO_FILE;

		if (a->program != b->program ? a->program > b->program
		    : file != best_file      ? file
					     : a->samples > b->samples)
			best = i;
	}
	return best;
}

static void
put_mapping(struct pprof *w, uint32_t i)
{
	const struct cp_profile_object *o = &w->p->objects.data[i];
	const struct named *n = &w->named[i];
	char id[2 * sizeof(o->build_id) + 1];

	cp_hex_of(id, o->build_id, o->build_id_size);
	cp_proto_u64(&w->field, MAPPING_ID, i);
	cp_proto_u64(&w->field, MAPPING_LIMIT, UINT64_MAX);
	cp_proto_u64(&w->field, MAPPING_FILENAME, text(w, o->name));
	cp_proto_u64(&w->field, MAPPING_BUILD_ID, text(w, id));
	cp_proto_u64(&w->field, MAPPING_HAS_FUNCTIONS, !n->some_unnamed);
	cp_proto_u64(&w->field, MAPPING_HAS_FILENAMES, n->files);
	cp_proto_u64(&w->field, MAPPING_HAS_LINES, n->files);
	cp_proto_u64(&w->field, MAPPING_HAS_INLINES, n->inlines);
	cp_proto_out(w->out, PROFILE_MAPPING, &w->field);
}

static void
put_mappings(struct pprof *w)
{
	uint32_t first;

	if (w->p->objects.len < 2)
		return;
	first = main_object(w);
	put_mapping(w, first);
	for (uint32_t i = 1; i < w->p->objects.len; i++)
		if (i != first)
			put_mapping(w, i);
}

static void
put_line(struct pprof *w, const struct cp_export_line *line)
{
	uint32_t function = cp_functions_of(&w->functions, line);

	cp_proto_u64(&w->part, LINE_FUNCTION, function + 1);
	cp_proto_u64(&w->part, LINE_LINE, line->line);
	cp_proto_u64(&w->part, LINE_COLUMN, line->column);
	cp_proto_take(&w->field, LOCATION_LINE, &w->part);
}

/*
 * Is a frame no code: a word of a chain of frame pointers that is in no
 * mapping, or in one of data?  pprof takes seconds for thousands of them.
 */
static bool
is_no_code(const struct pprof *w, uint32_t frame)
{
	const struct cp_profile_frame *f = &w->p->frames.data[frame];

	if (f->spots != 0 || cp_export_line(w->p, frame, 0).symbol != 0)
		return false;
	return f->object == 0 ||
	       (w->p->objects.data[f->object].found & CP_PROFILE_DATA) != 0;
}

/* A frame without a name has no line: pprof shows the object. */
static void
put_location(struct pprof *w, uint32_t frame)
{
	const struct cp_profile_frame *f = &w->p->frames.data[frame];

	cp_proto_u64(&w->field, LOCATION_ID, frame + 1);
	cp_proto_u64(&w->field, LOCATION_MAPPING, f->object);
	cp_proto_u64(&w->field, LOCATION_ADDRESS, f->addr);
	for (size_t i = cp_export_lines(w->p, frame); i-- > 0;) {
		struct cp_export_line line = cp_export_line(w->p, frame, i);

		if (line.symbol != 0 || f->object == 0)
			put_line(w, &line);
	}
	cp_proto_out(w->out, PROFILE_LOCATION, &w->field);
}

static void
put_functions(struct pprof *w)
{
	struct cp_buf name;

	cp_buf_init(&name, SIZE_MAX / 2);
	for (uint32_t i = 0; i < w->functions.all.len; i++) {
		const struct cp_export_function *f = &w->functions.all.data[i];

		cp_buf_reset(&name);
		cp_function_bare_name(&name, w->p, f->symbol, f->object);
		cp_proto_u64(&w->field, FUNCTION_ID, i + 1);
		cp_proto_u64(
		    &w->field, FUNCTION_NAME, text(w, cp_buf_text(&name)));
		cp_proto_u64(&w->field, FUNCTION_SYSTEM_NAME,
		    text(w, w->p->symbols.data[f->symbol].raw));
		cp_proto_u64(&w->field, FUNCTION_FILENAME, text(w, f->file));
		cp_proto_out(w->out, PROFILE_FUNCTION, &w->field);
	}
	cp_buf_free(&name);
}

/* ---------------------------------------------------------------- samples */

static void
put_label(struct pprof *w, const char *key, const char *value)
{
	if (value == NULL || *value == '\0')
		return;
	cp_proto_u64(&w->part, LABEL_KEY, text(w, key));
	cp_proto_u64(&w->part, LABEL_STR, text(w, value));
	cp_proto_take(&w->field, SAMPLE_LABEL, &w->part);
}

static void
put_id_label(struct pprof *w, const char *key, uint32_t id)
{
	char digits[16];

	if (id == CP_NO_ID)
		return;
	snprintf(digits, sizeof(digits), "%" PRIu32, id);
	put_label(w, key, digits);
}

static void
put_time(struct pprof *w, uint64_t time)
{
	if (time == CP_NO_TIME)
		return;
	cp_proto_u64(&w->part, LABEL_KEY, text(w, "timestamp_ns"));
	cp_proto_u64(&w->part, LABEL_NUM, time);
	cp_proto_u64(&w->part, LABEL_NUM_UNIT, text(w, "nanoseconds"));
	cp_proto_take(&w->field, SAMPLE_LABEL, &w->part);
}

static void
put_labels(struct pprof *w, const struct cp_export_row *row)
{
	const struct cp_profile *p = w->p;
	uint32_t frame = p->stacks.data[row->stack].frame;
	const char *labels = p->contexts.data[row->group].labels, *key, *value;

	if (row->thread != CP_NO_ID) {
		const struct cp_profile_thread *t =
		    &p->threads.data[row->thread];

		put_id_label(w, "pid", t->pid);
		put_id_label(w, "tid", t->tid);
		if (t->pid != CP_NO_ID && t->tid != CP_NO_ID)
			put_label(w, "thread_type",
			    t->pid == t->tid ? "main" : "other");
		put_label(w, "comm", t->name);
		put_label(w, "process", t->process);
	}
	put_id_label(w, "cpu", row->cpu);
	if (row->group != 0)
		put_label(w, "cgroup", p->contexts.data[row->group].cgroup);
	while (cp_export_label(&labels, &w->line, &key, &value))
		put_label(w, key, value);
	put_label(
	    w, "execution_mode", cp_level_name(p->frames.data[frame].level));
	put_time(w, row->time);
}

static void
put_values(struct pprof *w, const struct cp_export_row *row)
{
	if (w->counted)
		cp_proto_varint(&w->part, row->samples);
	for (uint32_t c = w->counted; c < w->columns; c++)
		cp_proto_varint(
		    &w->part, c == w->column[row->event] ? row->weight : 0);
	cp_proto_take(&w->field, SAMPLE_VALUE, &w->part);
}

static void
put_sample(struct pprof *w, const struct cp_export_row *row)
{
	const struct cp_profile *p = w->p;
	uint32_t stack = row->stack;

	do {
		uint32_t frame = p->stacks.data[stack].frame;

		if (stack == row->stack || !is_no_code(w, frame))
			cp_proto_varint(&w->part, frame + 1);
		stack = p->stacks.data[stack].parent;
	} while (stack != 0);
	cp_proto_take(&w->field, SAMPLE_LOCATION, &w->part);
	put_values(w, row);
	put_labels(w, row);
	cp_proto_out(w->out, PROFILE_SAMPLE, &w->field);
}

static void
put_strings(struct pprof *w)
{
	cp_proto_out(w->out, PROFILE_STRING, &w->field); /* number 0 is "" */
	for (cp_string_id i = 1; i < w->strings.text.len; i++) {
		cp_proto_text(
		    &w->field, PROFILE_STRING, cp_strings_get(&w->strings, i));
		cp_out_add(w->out, cp_buf_text(&w->field), w->field.len);
		cp_buf_reset(&w->field);
	}
}

static void
put_all(struct pprof *w, const struct cp_render_options *opt)
{
	learn_objects(w);
	learn_programs(w);
	put_types(w);
	put_period(w);
	put_duration(w);
	cp_export_about(w->x, opt, put_comment, w);
	put_mappings(w);
	for (uint32_t i = 0; i < w->p->frames.len; i++)
		if (i == 0 || w->leaf[i] || !is_no_code(w, i))
			put_location(w, i);
	put_functions(w);
	for (size_t i = 0; i < w->x->rows.len; i++)
		put_sample(w, &w->x->rows.data[i]);
	put_strings(w);
}

static void
pprof_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	unsigned apart = CP_EXPORT_THREADS | CP_EXPORT_CPUS | CP_EXPORT_GROUPS |
			 (opt->with_time ? CP_EXPORT_TIMES : 0);
	struct cp_export x;
	struct cp_gzip z;
	struct pprof w = { .x = &x, .out = &z.out };

	if (!cp_export_begin(&x, r, apart, left))
		return;
	cp_gzip_begin(&z, out);
	w.p = x.profile;
	w.column = cp_xcalloc(w.p->events.len + 1, sizeof(*w.column));
	w.leaf = cp_xcalloc(w.p->frames.len + 1, sizeof(*w.leaf));
	w.named = cp_xcalloc(w.p->objects.len, sizeof(*w.named));
	cp_buf_init(&w.field, SIZE_MAX / 2);
	cp_buf_init(&w.part, SIZE_MAX / 2);
	cp_buf_init(&w.line, SIZE_MAX / 2);
	put_all(&w, opt);
	cp_gzip_end(&z, left);
	free(w.column);
	free(w.named);
	free(w.leaf);
	cp_buf_free(&w.field);
	cp_buf_free(&w.part);
	cp_buf_free(&w.line);
	cp_strings_free(&w.strings);
	cp_functions_free(&w.functions);
	cp_export_end(&x);
}

const struct cp_renderer cp_renderer_pprof = {
	.name = "pprof",
	.suffix = ".pb.gz",
	.others = ".pprof",
	.shows = CP_SHOWS(CP_SECTION_PROFILE) | CP_SHOWS(CP_SECTION_TREE),
	.labels = true,
	.write = pprof_write,
};
