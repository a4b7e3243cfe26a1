/* SPDX-License-Identifier: MIT */
/*
 * Reads pprof's profile.proto, whose fields come in any order: first all
 * messages are noted by their number, then samples are read.
 *
 * If the first value of a sample is a number of samples, the others are what
 * these weigh: each is an event.
 */
#include "run/import/parsers.h"

#include "base/limits.h"
#include "run/import/proto.h"

enum { MAX_VALUES = 64, MAX_DEPTH = 4096 };

enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_LAST = 15,
};

struct pprof {
	struct cp_import *im;
	struct cp_text all;
	cp_text_vec strings, types, mappings, locations, functions;
	/* Id of a message to its index + 1; the frame of a location + 1. */
	struct cp_map64 mapping, location, function;
	CP_VEC(cp_frame_id) frame;
	uint32_t event[MAX_VALUES];
	bool counted; /* the first value is a number of samples */
	bool times, cpus, threads;
	struct cp_import_frame place;
};

bool
cp_pprof_is(struct cp_text all)
{
	struct cp_proto_in p = cp_proto_of(all);
	struct cp_proto_field f;
	bool seen[PROFILE_LAST + 1] = { false };

	while (cp_proto_next(&p, &f)) {
		if (f.number > PROFILE_LAST)
			return false;
		seen[f.number] = true;
	}
	return (seen[PROFILE_SAMPLE_TYPE] && seen[PROFILE_STRING]) ||
	       (seen[PROFILE_SAMPLE] && seen[PROFILE_LOCATION]);
}

static uint64_t
id_of(struct cp_text message)
{
	struct cp_proto_in p = cp_proto_of(message);
	struct cp_proto_field f;

	while (cp_proto_next(&p, &f))
		if (f.number == 1)
			return f.value;
	return 0;
}

static void
note(cp_text_vec *all, struct cp_map64 *by_id, struct cp_text message)
{
	uint64_t id = id_of(message);

	if (id == 0)
		return;
	*cp_vec_push(all) = message;
	*cp_map64_put(by_id, id) = (uint32_t)all->len;
}

static struct cp_text
by_id(const cp_text_vec *all, const struct cp_map64 *ids, uint64_t id)
{
	uint32_t i = id != 0 ? cp_map64_get(ids, id) : 0;

	return i != 0 ? all->data[i - 1] : CP_LITERAL("");
}

static void
note_all(struct pprof *x)
{
	struct cp_proto_in p = cp_proto_of(x->all);
	struct cp_proto_field f;

	while (cp_proto_next(&p, &f))
		switch (f.number) {
		case PROFILE_SAMPLE_TYPE:
			*cp_vec_push(&x->types) = f.text;
			break;
		case PROFILE_STRING: *cp_vec_push(&x->strings) = f.text; break;
		case PROFILE_MAPPING:
			note(&x->mappings, &x->mapping, f.text);
			break;
		case PROFILE_LOCATION:
			note(&x->locations, &x->location, f.text);
			break;
		case PROFILE_FUNCTION:
			note(&x->functions, &x->function, f.text);
			break;
		default: break;
		}
	if (p.damaged)
		cp_import_skip(x->im, x->all.n - (size_t)(p.end - p.at),
		    (uint64_t)(p.end - p.at));
}

/* ---------------------------------------------------------------- locations */

static struct cp_text
text(const struct pprof *x, uint64_t i)
{
	return cp_text_at(&x->strings, i);
}

static uint32_t
object_of(struct pprof *x, uint64_t id)
{
	struct cp_proto_in p =
	    cp_proto_of(by_id(&x->mappings, &x->mapping, id));
	struct cp_text name = { "", 0 }, build_id = { "", 0 };
	struct cp_proto_field f;

	while (cp_proto_next(&p, &f)) {
		if (f.number == 5)
			name = text(x, f.value);
		else if (f.number == 6)
			build_id = text(x, f.value);
	}
	x->place.level =
	    cp_import_is_kernel(name) ? CP_LEVEL_KERNEL : CP_LEVEL_USER;
	return cp_import_object_id(x->im, name, build_id);
}

static void
read_line(struct pprof *x, struct cp_text message)
{
	struct cp_import_line *to = &x->place.line[x->place.lines];
	struct cp_text raw = { "", 0 };
	uint64_t function = cp_proto_line(message, to);
	struct cp_proto_field f;
	struct cp_proto_in p;

	p = cp_proto_of(by_id(&x->functions, &x->function, function));
	while (cp_proto_next(&p, &f)) {
		if (f.number == 2)
			to->name = text(x, f.value);
		else if (f.number == 3)
			raw = text(x, f.value);
		else if (f.number == 4)
			to->file = text(x, f.value);
	}
	/* The mangled name, so that it is shown as the user asks. */
	if (cp_text_begins(raw, "_Z") || cp_text_begins(raw, "_R"))
		to->name = raw;
	x->place.lines++;
}

/* The file has the innermost function first. */
static void
reverse(struct cp_import_frame *f)
{
	for (size_t i = 0; i < f->lines / 2; i++) {
		struct cp_import_line other = f->line[f->lines - 1 - i];

		f->line[f->lines - 1 - i] = f->line[i];
		f->line[i] = other;
	}
}

static cp_frame_id
frame_of(struct pprof *x, uint64_t location)
{
	uint32_t i = cp_map64_get(&x->location, location);
	struct cp_proto_field f;
	struct cp_proto_in p;

	if (i == 0)
		return 0;
	if (x->frame.data[i - 1] != 0)
		return x->frame.data[i - 1] - 1;
	x->place.lines = 0;
	x->place.addr = 0;
	x->place.object = 0;
	x->place.level = CP_LEVEL_USER;
	p = cp_proto_of(x->locations.data[i - 1]);
	while (cp_proto_next(&p, &f)) {
		if (f.number == 2)
			x->place.object = object_of(x, f.value);
		else if (f.number == 3)
			x->place.addr = f.value;
		else if (f.number == 4 && x->place.lines < CP_IMPORT_LINES)
			read_line(x, f.text);
	}
	if (x->place.lines == 0) {
		x->place.line[0] =
		    (struct cp_import_line){ .name = CP_LITERAL("") };
		x->place.lines = 1;
	}
	reverse(&x->place);
	x->frame.data[i - 1] = cp_import_frame(x->im, &x->place) + 1;
	return x->frame.data[i - 1] - 1;
}

/* ------------------------------------------------------------------ samples */

struct labels {
	struct cp_text comm;
	uint32_t pid, tid;
};

static uint32_t
number_of(struct cp_text digits, uint64_t num)
{
	uint64_t n = 0;

	if (digits.n == 0)
		return num < CP_NO_ID ? (uint32_t)num : CP_NO_ID;
	for (size_t i = 0; i < digits.n && i < 11; i++) {
		if (digits.s[i] < '0' || digits.s[i] > '9')
			return CP_NO_ID;
		n = n * 10 + (unsigned)(digits.s[i] - '0');
	}
	return n < CP_NO_ID ? (uint32_t)n : CP_NO_ID;
}

static void
read_label(struct pprof *x, struct cp_text message, struct labels *l,
    struct cp_tables_row *row)
{
	struct cp_proto_in p = cp_proto_of(message);
	struct cp_text key = { "", 0 }, value = { "", 0 };
	struct cp_proto_field f;
	uint64_t num = 0;

	while (cp_proto_next(&p, &f)) {
		if (f.number == 1)
			key = text(x, f.value);
		else if (f.number == 2)
			value = text(x, f.value);
		else if (f.number == 3)
			num = f.value;
	}
	if (cp_text_is(key, "pid") || cp_text_is(key, "process_id"))
		l->pid = number_of(value, num);
	else if (cp_text_is(key, "tid") || cp_text_is(key, "thread_id"))
		l->tid = number_of(value, num);
	else if (cp_text_is(key, "comm") || cp_text_is(key, "thread_comm") ||
		 (l->comm.n == 0 && cp_text_is(key, "thread")))
		l->comm = value;
	else if (cp_text_is(key, "cpu"))
		row->cpu = number_of(value, num);
	else if (cp_text_is(key, "timestamp_ns"))
		row->time = num;
}

static size_t
read_list(const struct cp_proto_field *f, uint64_t *to, size_t n, size_t max)
{
	size_t at = 0;

	for (uint64_t v; cp_proto_item(f, &at, &v);)
		if (n < max)
			to[n++] = v;
	return n;
}

static int
read_sample(struct pprof *x, struct cp_text message, uint64_t *location)
{
	struct cp_proto_in p = cp_proto_of(message);
	struct cp_tables_row row = { .time = CP_NO_TIME, .cpu = CP_NO_ID };
	struct labels l = {
		.comm = { "", 0 }, .pid = CP_NO_ID, .tid = CP_NO_ID
	};
	uint64_t value[MAX_VALUES] = { 0 };
	size_t depth = 0, values = 0;
	struct cp_proto_field f;
	int status = CP_OK;

	while (cp_proto_next(&p, &f)) {
		if (f.number == 1)
			depth = read_list(&f, location, depth, MAX_DEPTH);
		else if (f.number == 2)
			values = read_list(&f, value, values, MAX_VALUES);
		else if (f.number == 3)
			read_label(x, f.text, &l, &row);
	}
	x->times |= row.time != CP_NO_TIME;
	x->cpus |= row.cpu != CP_NO_ID;
	x->threads |= l.tid != CP_NO_ID || l.comm.n != 0;
	while (depth-- > 0)
		row.stack = cp_import_push(x->im, (cp_stack_id)row.stack,
		    frame_of(x, location[depth]));
	row.thread = cp_import_thread(x->im, l.pid, l.tid, l.comm);
	values = CP_MIN(values, x->types.len);
	for (size_t i = x->counted; i < values && status == CP_OK; i++) {
		row.event = x->event[i];
		if (value[i] != 0 && (int64_t)value[i] > 0)
			status = cp_proto_samples(
			    x->im, &row, x->counted ? value[0] : 1, value[i]);
	}
	return status;
}

/* Sums the numbers of samples; those beyond the limit are weights alone. */
static bool
can_count(struct pprof *x)
{
	struct cp_proto_in p = cp_proto_of(x->all);
	struct cp_proto_field f, v;
	uint64_t sum = 0;

	while (cp_proto_next(&p, &f)) {
		struct cp_proto_in s = cp_proto_of(f.text);
		size_t at = 0;
		uint64_t n;

		if (f.number != PROFILE_SAMPLE)
			continue;
		while (cp_proto_next(&s, &v) && v.number != 2)
			;
		if (v.number == 2 && cp_proto_item(&v, &at, &n))
			sum += CP_MIN(n, CP_MAX_IMPORTED);
	}
	return sum <= CP_MAX_FOLDED_SAMPLES;
}

static void
read_types(struct pprof *x)
{
	size_t n = CP_MIN(x->types.len, MAX_VALUES);

	x->types.len = n;
	for (size_t i = 0; i < n; i++) {
		struct cp_proto_type t = cp_proto_type(x->types.data[i]);
		struct cp_text type = text(x, t.type), unit = text(x, t.unit);

		if (i == 0 && n > 1 && cp_text_is(type, "samples") &&
		    cp_text_is(unit, "count") && can_count(x)) {
			x->counted = true;
			continue;
		}
		x->event[i] = cp_proto_event(x->im, type, unit);
	}
}

static int
read_samples(struct pprof *x)
{
	uint64_t *location = cp_xcalloc(MAX_DEPTH, sizeof(*location));
	struct cp_proto_in p = cp_proto_of(x->all);
	struct cp_proto_field f;
	int status = CP_OK;

	while (status == CP_OK && cp_proto_next(&p, &f))
		if (f.number == PROFILE_SAMPLE)
			status = read_sample(x, f.text, location);
	free(location);
	return status;
}

int
cp_pprof_read(struct cp_import *im, struct cp_text all)
{
	struct pprof *x = cp_xcalloc(1, sizeof(*x));
	char lacks[64];
	int status;

	x->im = im;
	x->all = all;
	note_all(x);
	for (size_t i = 0; i < x->locations.len; i++)
		*cp_vec_push(&x->frame) = 0;
	read_types(x);
	status = read_samples(x);
	snprintf(lacks, sizeof(lacks), "%s%s%s", x->times ? "" : "no times, ",
	    x->cpus ? "" : "no CPUs, ", x->threads ? "" : "no threads, ");
	lacks[CP_MAX(strlen(lacks), 2) - 2] = '\0';
	if (lacks[0] != '\0')
		cp_import_say(im, "%s", lacks);
	cp_vec_free(&x->strings);
	cp_vec_free(&x->types);
	cp_vec_free(&x->mappings);
	cp_vec_free(&x->locations);
	cp_vec_free(&x->functions);
	cp_vec_free(&x->frame);
	cp_map64_free(&x->mapping);
	cp_map64_free(&x->location);
	cp_map64_free(&x->function);
	free(x);
	return status;
}
