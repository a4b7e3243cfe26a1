/* SPDX-License-Identifier: MIT */
/*
 * otlp: ProfilesData of OpenTelemetry's opentelemetry.proto.profiles
 * v1development, as of 1.10 and 1.11.  That format is in development: fields
 * have changed their numbers before.
 *
 * There is a profile for each event.  Row 0 of each table means none.  A sample
 * is the sum of all samples of one stack, thread and CPU, whose number is an
 * attribute; it has no times, because times of a capture are not wall-clock
 * times.
 */
#include "base/limits.h"
#include "base/strings.h"
#include "render/common/escape.h"
#include "render/export/common/about.h"
#include "render/export/common/flat.h"
#include "render/export/common/functions.h"
#include "render/export/common/proto.h"

enum {
	DATA_RESOURCE_PROFILES = 1,
	DATA_DICTIONARY = 2,
	RESOURCE_PROFILES_RESOURCE = 1,
	RESOURCE_PROFILES_SCOPE = 2,
	RESOURCE_ATTRIBUTES = 1,
	SCOPE_PROFILES_SCOPE = 1,
	SCOPE_PROFILES_PROFILE = 2,
	SCOPE_NAME = 1,
	SCOPE_VERSION = 2,
	KEY_VALUE_KEY = 1,
	KEY_VALUE_VALUE = 2,
	ANY_STRING = 1,
	ANY_INT = 3,
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_PERIOD_TYPE = 5,
	PROFILE_PERIOD = 6,
	PROFILE_ATTRIBUTES = 11,
	VALUE_TYPE_TYPE = 1,
	VALUE_TYPE_UNIT = 2,
	SAMPLE_STACK = 1,
	SAMPLE_ATTRIBUTES = 2,
	SAMPLE_VALUES = 4,
	DICTIONARY_MAPPING = 1,
	DICTIONARY_LOCATION = 2,
	DICTIONARY_FUNCTION = 3,
	DICTIONARY_LINK = 4,
	DICTIONARY_STRING = 5,
	DICTIONARY_ATTRIBUTE = 6,
	DICTIONARY_STACK = 7,
	MAPPING_LIMIT = 2,
	MAPPING_FILENAME = 4,
	MAPPING_ATTRIBUTES = 5,
	LOCATION_MAPPING = 1,
	LOCATION_ADDRESS = 2,
	LOCATION_LINE = 3,
	LOCATION_ATTRIBUTES = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	LINE_COLUMN = 3,
	FUNCTION_NAME = 1,
	FUNCTION_SYSTEM_NAME = 2,
	FUNCTION_FILENAME = 3,
	STACK_LOCATIONS = 1,
	ATTRIBUTE_KEY = 1,
	ATTRIBUTE_VALUE = 2,
};

struct otlp {
	const struct cp_export *x;
	const struct cp_profile *p;
	struct cp_strings strings;
	struct cp_functions functions;
	struct cp_map64 cpus, counts; /* to the attribute of each */
	/* Messages being made, from the file's own to the innermost. */
	struct cp_buf dictionary, attributes, scope, profile, field, part;
	uint32_t n_attributes;
	uint32_t *thread; /* the first of its attributes, by thread */
	uint32_t *stack;  /* its row, by stack */
	struct {
		uint32_t first, n;
	} * context; /* its attributes, by context */
	uint32_t n_stacks;
};

static uint32_t
text(struct otlp *w, const char *s)
{
	return cp_strings_add(&w->strings, s != NULL ? s : "");
}

/* ------------------------------------------------------------ attributes */

/* Takes the value from `part'; returns the row. */
static uint32_t
add_attribute(struct otlp *w, const char *key)
{
	struct cp_buf row;

	cp_buf_init(&row, SIZE_MAX / 2);
	cp_proto_u64(&row, ATTRIBUTE_KEY, text(w, key));
	cp_proto_take(&row, ATTRIBUTE_VALUE, &w->part);
	cp_proto_take(&w->attributes, DICTIONARY_ATTRIBUTE, &row);
	cp_buf_free(&row);
	return ++w->n_attributes;
}

static uint32_t
add_text_attribute(struct otlp *w, const char *key, const char *value)
{
	cp_proto_text(&w->part, ANY_STRING, value != NULL ? value : "");
	return add_attribute(w, key);
}

static uint32_t
add_id_attribute(struct otlp *w, const char *key, uint32_t id)
{
	cp_proto_always(
	    &w->part, ANY_INT, id != CP_NO_ID ? id : UINT64_MAX /* -1 */);
	return add_attribute(w, key);
}

static void
add_threads(struct otlp *w)
{
	w->thread = cp_xcalloc(w->p->threads.len + 1, sizeof(*w->thread));
	for (size_t i = 0; i < w->p->threads.len; i++) {
		const struct cp_profile_thread *t = &w->p->threads.data[i];

		w->thread[i] = add_id_attribute(w, "process.pid", t->pid);
		add_id_attribute(w, "thread.id", t->tid);
		add_text_attribute(w, "thread.name", t->name);
	}
}

/* The attributes of contexts that samples have. */
static void
add_contexts(struct otlp *w)
{
	struct cp_buf line, name;

	w->context = cp_xcalloc(w->p->contexts.len, sizeof(*w->context));
	cp_buf_init(&line, SIZE_MAX / 2);
	cp_buf_init(&name, SIZE_MAX / 2);
	for (size_t i = 0; i < w->x->rows.len; i++) {
		uint32_t row = w->x->rows.data[i].group;
		const struct cp_profile_context *c = &w->p->contexts.data[row];
		const char *labels = c->labels, *key, *value;
		uint32_t before = w->n_attributes;

		if (w->context[row].n != 0)
			continue;
		if (c->cgroup != NULL)
			add_text_attribute(
			    w, "process.linux.cgroup", c->cgroup);
		while (cp_export_label(&labels, &line, &key, &value)) {
			cp_buf_reset(&name);
			cp_buf_printf(&name, "perf.%s", key);
			add_text_attribute(w, cp_buf_text(&name), value);
		}
		w->context[row].first = before + 1;
		w->context[row].n = w->n_attributes - before;
	}
	cp_buf_free(&line);
	cp_buf_free(&name);
}

/* Adds a number to the list of attributes in `part'. */
static void
put_number(struct otlp *w, struct cp_map64 *known, const char *key, uint32_t n)
{
	uint32_t *slot = cp_map64_put(known, n);

	if (*slot == 0) {
		struct cp_buf list = w->part;

		/* A new attribute is made in `part'. */
		cp_buf_init(&w->part, SIZE_MAX / 2);
		*slot = add_id_attribute(w, key, n);
		cp_buf_free(&w->part);
		w->part = list;
	}
	cp_proto_varint(&w->part, *slot);
}

/* ------------------------------------------------------------ dictionary */

static void
add_mappings(struct otlp *w)
{
	cp_proto_take(&w->dictionary, DICTIONARY_MAPPING, &w->field);
	for (size_t i = 1; i < w->p->objects.len; i++) {
		const struct cp_profile_object *o = &w->p->objects.data[i];
		char id[2 * sizeof(o->build_id) + 1];

		cp_hex_of(id, o->build_id, o->build_id_size);
		cp_proto_u64(&w->field, MAPPING_LIMIT, UINT64_MAX);
		cp_proto_u64(&w->field, MAPPING_FILENAME, text(w, o->name));
		if (o->build_id_size != 0)
			cp_proto_varint(&w->profile,
			    add_text_attribute(
				w, "process.executable.build_id.gnu", id));
		cp_proto_take(&w->field, MAPPING_ATTRIBUTES, &w->profile);
		cp_proto_take(&w->dictionary, DICTIONARY_MAPPING, &w->field);
	}
}

static void
add_location(struct otlp *w, uint32_t frame, const uint32_t *type)
{
	const struct cp_profile_frame *f = &w->p->frames.data[frame];

	cp_proto_u64(&w->field, LOCATION_MAPPING, f->object);
	cp_proto_u64(&w->field, LOCATION_ADDRESS, f->addr);
	for (size_t i = cp_export_lines(w->p, frame); i-- > 0;) {
		struct cp_export_line line = cp_export_line(w->p, frame, i);

		if (line.symbol == 0)
			continue;
		cp_proto_u64(&w->part, LINE_FUNCTION,
		    cp_functions_of(&w->functions, &line) + 1);
		cp_proto_u64(&w->part, LINE_LINE, line.line);
		cp_proto_u64(&w->part, LINE_COLUMN, line.column);
		cp_proto_take(&w->field, LOCATION_LINE, &w->part);
	}
	cp_proto_varint(&w->part, type[f->level == CP_LEVEL_KERNEL]);
	cp_proto_take(&w->field, LOCATION_ATTRIBUTES, &w->part);
	cp_proto_take(&w->dictionary, DICTIONARY_LOCATION, &w->field);
}

static void
add_locations(struct otlp *w)
{
	const uint32_t type[] = {
		add_text_attribute(w, "profile.frame.type", "native"),
		add_text_attribute(w, "profile.frame.type", "kernel"),
	};

	cp_proto_take(&w->dictionary, DICTIONARY_LOCATION, &w->field);
	for (uint32_t i = 1; i < w->p->frames.len; i++)
		add_location(w, i, type);
}

static void
add_functions(struct otlp *w)
{
	cp_proto_take(&w->dictionary, DICTIONARY_FUNCTION, &w->field);
	for (uint32_t i = 0; i < w->functions.all.len; i++) {
		const struct cp_export_function *f = &w->functions.all.data[i];
		const struct cp_profile_symbol *s =
		    &w->p->symbols.data[f->symbol];

		cp_buf_reset(&w->part);
		cp_function_bare_name(&w->part, w->p, f->symbol, f->object);
		cp_proto_u64(
		    &w->field, FUNCTION_NAME, text(w, cp_buf_text(&w->part)));
		cp_proto_u64(&w->field, FUNCTION_SYSTEM_NAME, text(w, s->raw));
		cp_proto_u64(&w->field, FUNCTION_FILENAME, text(w, f->file));
		cp_proto_take(&w->dictionary, DICTIONARY_FUNCTION, &w->field);
	}
	cp_buf_reset(&w->part);
}

/* The innermost location first. */
static void
add_stack(struct otlp *w, uint32_t stack)
{
	uint32_t at = stack;

	if (stack == 0 || w->stack[stack] != 0)
		return;
	w->stack[stack] = ++w->n_stacks;
	for (; at != 0; at = w->p->stacks.data[at].parent)
		cp_proto_varint(&w->part, w->p->stacks.data[at].frame);
	cp_proto_take(&w->field, STACK_LOCATIONS, &w->part);
	cp_proto_take(&w->dictionary, DICTIONARY_STACK, &w->field);
}

static void
add_stacks(struct otlp *w)
{
	w->stack = cp_xcalloc(w->p->stacks.len, sizeof(*w->stack));
	cp_proto_take(&w->dictionary, DICTIONARY_STACK, &w->field);
	for (size_t i = 0; i < w->x->rows.len; i++)
		add_stack(w, w->x->rows.data[i].stack);
}

/*
 * Attributes and strings come last, because writing the other tables adds to
 * them.
 */
static void
put_dictionary(struct otlp *w, struct cp_out *out)
{
	cp_proto_take(&w->dictionary, DICTIONARY_LINK, &w->field);
	cp_proto_take(&w->dictionary, DICTIONARY_ATTRIBUTE, &w->field);
	cp_buf_add(
	    &w->dictionary, cp_buf_text(&w->attributes), w->attributes.len);
	cp_proto_take(&w->dictionary, DICTIONARY_STRING, &w->field);
	for (cp_string_id i = 1; i < w->strings.text.len; i++)
		cp_proto_text(&w->dictionary, DICTIONARY_STRING,
		    cp_strings_get(&w->strings, i));
	cp_proto_out(out, DATA_DICTIONARY, &w->dictionary);
}

/* -------------------------------------------------------------- profiles */

static void
add_sample(struct otlp *w, const struct cp_export_row *row)
{
	cp_proto_u64(&w->field, SAMPLE_STACK, w->stack[row->stack]);
	if (row->thread != CP_NO_ID)
		for (uint32_t i = 0; i < 3; i++)
			cp_proto_varint(&w->part, w->thread[row->thread] + i);
	if (row->cpu != CP_NO_ID)
		put_number(w, &w->cpus, "cpu.logical_number", row->cpu);
	put_number(w, &w->counts, "perf.samples",
	    (uint32_t)CP_MIN(row->samples, CP_NO_ID - 1));
	for (uint32_t i = 0; i < w->context[row->group].n; i++)
		cp_proto_varint(&w->part, w->context[row->group].first + i);
	cp_proto_take(&w->field, SAMPLE_ATTRIBUTES, &w->part);
	cp_proto_varint(&w->part, row->weight);
	cp_proto_take(&w->field, SAMPLE_VALUES, &w->part);
	cp_proto_take(&w->profile, PROFILE_SAMPLE, &w->field);
}

static void
add_type(struct otlp *w, unsigned field, const struct cp_profile_event *e)
{
	cp_proto_u64(&w->field, VALUE_TYPE_TYPE, text(w, e->name));
	cp_proto_u64(&w->field, VALUE_TYPE_UNIT, text(w, cp_export_unit(e)));
	cp_proto_take(&w->profile, field, &w->field);
}

static void
add_profile(struct otlp *w, uint32_t event)
{
	const struct cp_profile_event *e = &w->p->events.data[event];
	struct cp_buf line;

	add_type(w, PROFILE_SAMPLE_TYPE, e);
	if (e->period != 0 && !e->freq) {
		add_type(w, PROFILE_PERIOD_TYPE, e);
		cp_proto_u64(&w->profile, PROFILE_PERIOD, e->period);
	}
	for (size_t i = 0; i < w->x->rows.len; i++)
		if (w->x->rows.data[i].event == event)
			add_sample(w, &w->x->rows.data[i]);
	cp_buf_init(&line, SIZE_MAX / 2);
	cp_export_event_line(&line, e);
	cp_proto_varint(&w->field,
	    add_text_attribute(w, "coldperf.event", cp_buf_text(&line)));
	cp_buf_free(&line);
	cp_proto_take(&w->profile, PROFILE_ATTRIBUTES, &w->field);
	cp_proto_take(&w->scope, SCOPE_PROFILES_PROFILE, &w->profile);
}

static void
add_line(void *ctx, const char *line)
{
	struct cp_buf *b = ctx;

	if (b->len != 0)
		cp_buf_char(b, '\n');
	cp_escape_terminal(b, line);
}

static void
put_profiles(
    struct otlp *w, const struct cp_render_options *opt, struct cp_out *out)
{
	struct cp_buf about;

	cp_proto_text(&w->field, SCOPE_NAME, "coldperf");
	cp_proto_text(
	    &w->field, SCOPE_VERSION, opt->tool != NULL ? opt->tool : "");
	cp_proto_take(&w->scope, SCOPE_PROFILES_SCOPE, &w->field);
	for (uint32_t i = 0; i < w->p->events.len; i++)
		if (w->p->events.data[i].samples != 0)
			add_profile(w, i);
	cp_buf_init(&about, SIZE_MAX / 2);
	cp_export_about(w->x, opt, add_line, &about);
	cp_proto_take(&w->part, ANY_STRING, &about);
	cp_buf_free(&about);
	cp_proto_text(&w->field, KEY_VALUE_KEY, "coldperf.about");
	cp_proto_take(&w->field, KEY_VALUE_VALUE, &w->part);
	cp_proto_take(&w->part, RESOURCE_ATTRIBUTES, &w->field);
	cp_proto_take(&w->field, RESOURCE_PROFILES_RESOURCE, &w->part);
	cp_proto_take(&w->field, RESOURCE_PROFILES_SCOPE, &w->scope);
	cp_proto_out(out, DATA_RESOURCE_PROFILES, &w->field);
}

static void
otlp_free(struct otlp *w)
{
	struct cp_buf *all[] = { &w->dictionary, &w->attributes, &w->scope,
		&w->profile, &w->field, &w->part };

	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++)
		cp_buf_free(all[i]);
	free(w->thread);
	free(w->stack);
	free(w->context);
	cp_map64_free(&w->cpus);
	cp_map64_free(&w->counts);
	cp_strings_free(&w->strings);
	cp_functions_free(&w->functions);
}

static void
otlp_init(struct otlp *w)
{
	struct cp_buf *all[] = { &w->dictionary, &w->attributes, &w->scope,
		&w->profile, &w->field, &w->part };

	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++)
		cp_buf_init(all[i], CP_MAX_EXPORT);
}

static bool
is_full(const struct otlp *w)
{
	return w->dictionary.full || w->attributes.full || w->scope.full ||
	       w->profile.full || w->field.full;
}

static void
otlp_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	struct cp_export x;
	struct otlp w = { .x = &x };

	if (!cp_export_begin(&x, r,
		CP_EXPORT_THREADS | CP_EXPORT_CPUS | CP_EXPORT_GROUPS, left))
		return;
	w.p = x.profile;
	otlp_init(&w);
	add_threads(&w);
	add_contexts(&w);
	add_mappings(&w);
	add_locations(&w);
	add_functions(&w);
	add_stacks(&w);
	put_profiles(&w, opt, out);
	put_dictionary(&w, out);
	left->cut = is_full(&w);
	if (left->cut)
		left->limit = "bytes of an export (CP_MAX_EXPORT)";
	otlp_free(&w);
	cp_export_end(&x);
}

const struct cp_renderer cp_renderer_otlp = {
	.name = "otlp",
	.suffix = ".otlp",
	.shows = CP_SHOWS(CP_SECTION_PROFILE) | CP_SHOWS(CP_SECTION_TREE),
	.labels = true,
	.write = otlp_write,
};
