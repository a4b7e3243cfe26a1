/* SPDX-License-Identifier: MIT */
/*
 * Reads OpenTelemetry's ProfilesData, v1development as of 1.10 and 1.11, which
 * our export writes.  The dictionary has the tables that samples refer to by
 * index; row 0 of each means none.
 */
#include "run/import/parsers.h"

#include "base/limits.h"
#include "run/import/proto.h"

enum { MAX_DEPTH = 4096 };

enum {
	DATA_RESOURCE_PROFILES = 1,
	DATA_DICTIONARY = 2,
	TABLE_MAPPING = 1,
	TABLE_LOCATION = 2,
	TABLE_FUNCTION = 3,
	TABLE_STRING = 5,
	TABLE_ATTRIBUTE = 6,
	TABLE_STACK = 7,
	TABLES = 8,
};

struct otlp {
	struct cp_import *im;
	cp_text_vec table[TABLES];
	CP_VEC(cp_frame_id) frame; /* + 1, by location */
	CP_VEC(cp_stack_id) stack; /* + 1, by stack */
	bool times, threads, cpus;
	struct cp_import_frame place;
};

bool
cp_otlp_is(struct cp_text all)
{
	struct cp_proto_in p = cp_proto_of(all);
	bool dictionary = false, profiles = false;
	struct cp_proto_field f;

	while (cp_proto_next(&p, &f)) {
		if (f.number > DATA_DICTIONARY || f.text.s == NULL)
			return false;
		dictionary |= f.number == DATA_DICTIONARY;
		profiles |= f.number == DATA_RESOURCE_PROFILES;
	}
	return dictionary && profiles;
}

static struct cp_text
text(const struct otlp *x, uint64_t i)
{
	return cp_text_at(&x->table[TABLE_STRING], i);
}

struct value {
	struct cp_text key, text;
	uint64_t number;
};

static struct value
attribute(const struct otlp *x, uint64_t i)
{
	struct cp_proto_in p =
	    cp_proto_of(cp_text_at(&x->table[TABLE_ATTRIBUTE], i));
	struct value v = { .key = { "", 0 }, .text = { "", 0 } };
	struct cp_proto_field f, of;

	while (cp_proto_next(&p, &f)) {
		struct cp_proto_in any = cp_proto_of(f.text);

		if (f.number == 1)
			v.key = text(x, f.value);
		while (f.number == 2 && cp_proto_next(&any, &of)) {
			if (of.number == 1)
				v.text = of.text;
			else if (of.number == 3)
				v.number = of.value;
		}
	}
	return v;
}

/* ---------------------------------------------------------------- locations */

static uint32_t
object_of(struct otlp *x, uint64_t i)
{
	struct cp_proto_in p =
	    cp_proto_of(cp_text_at(&x->table[TABLE_MAPPING], i));
	struct cp_text name = { "", 0 }, id = { "", 0 };
	struct cp_proto_field f;

	while (cp_proto_next(&p, &f)) {
		size_t at = 0;

		if (f.number == 4)
			name = text(x, f.value);
		for (uint64_t n; f.number == 5 && cp_proto_item(&f, &at, &n);) {
			struct value v = attribute(x, n);

			if (cp_text_is(
				v.key, "process.executable.build_id.gnu"))
				id = v.text;
		}
	}
	return cp_import_object_id(x->im, name, id);
}

static void
read_line(struct otlp *x, struct cp_text message)
{
	struct cp_import_line *to = &x->place.line[x->place.lines++];
	struct cp_text raw = { "", 0 };
	uint64_t function = cp_proto_line(message, to);
	struct cp_proto_field f;
	struct cp_proto_in p;

	p = cp_proto_of(cp_text_at(&x->table[TABLE_FUNCTION], function));
	while (cp_proto_next(&p, &f)) {
		if (f.number == 1)
			to->name = text(x, f.value);
		else if (f.number == 2)
			raw = text(x, f.value);
		else if (f.number == 3)
			to->file = text(x, f.value);
	}
	if (cp_text_begins(raw, "_Z") || cp_text_begins(raw, "_R"))
		to->name = raw;
}

static void
read_frame_type(struct otlp *x, const struct cp_proto_field *f)
{
	size_t at = 0;

	for (uint64_t n; cp_proto_item(f, &at, &n);) {
		struct value v = attribute(x, n);

		if (cp_text_is(v.key, "profile.frame.type") &&
		    cp_text_is(v.text, "kernel"))
			x->place.level = CP_LEVEL_KERNEL;
	}
}

static cp_frame_id
frame_of(struct otlp *x, uint64_t i)
{
	struct cp_import_frame *to = &x->place;
	struct cp_proto_field f;
	struct cp_proto_in p;

	if (i == 0 || i >= x->frame.len)
		return 0;
	if (x->frame.data[i] != 0)
		return x->frame.data[i] - 1;
	to->lines = 0;
	to->addr = 0;
	to->object = 0;
	to->level = CP_LEVEL_USER;
	p = cp_proto_of(x->table[TABLE_LOCATION].data[i]);
	while (cp_proto_next(&p, &f)) {
		if (f.number == 1)
			to->object = object_of(x, f.value);
		else if (f.number == 2)
			to->addr = f.value;
		else if (f.number == 3 && to->lines < CP_IMPORT_LINES)
			read_line(x, f.text);
		else if (f.number == 4)
			read_frame_type(x, &f);
	}
	if (to->lines == 0) {
		to->line[0] = (struct cp_import_line){ .name = { "", 0 } };
		to->lines = 1;
	}
	/* The file has the innermost function first. */
	for (size_t k = 0; k < to->lines / 2; k++) {
		struct cp_import_line other = to->line[to->lines - 1 - k];

		to->line[to->lines - 1 - k] = to->line[k];
		to->line[k] = other;
	}
	x->frame.data[i] = cp_import_frame(x->im, to) + 1;
	return x->frame.data[i] - 1;
}

static cp_stack_id
stack_of(struct otlp *x, uint64_t i)
{
	uint64_t *location;
	cp_stack_id stack = 0;
	struct cp_proto_field f;
	struct cp_proto_in p;
	size_t n = 0;

	if (i == 0 || i >= x->stack.len)
		return 0;
	if (x->stack.data[i] != 0)
		return x->stack.data[i] - 1;
	location = cp_xcalloc(MAX_DEPTH, sizeof(*location));
	p = cp_proto_of(x->table[TABLE_STACK].data[i]);
	while (cp_proto_next(&p, &f)) {
		size_t at = 0;

		for (uint64_t v; f.number == 1 && cp_proto_item(&f, &at, &v);)
			if (n < MAX_DEPTH)
				location[n++] = v;
	}
	while (n-- > 0)
		stack = cp_import_push(x->im, stack, frame_of(x, location[n]));
	free(location);
	x->stack.data[i] = stack + 1;
	return stack;
}

/* ------------------------------------------------------------------ samples */

/* Sets what an attribute says of the sample. */
static void
set_attribute(struct otlp *x, const struct value *v, struct cp_text *comm,
    uint32_t *pid, uint32_t *tid, struct cp_tables_row *row)
{
	uint32_t n =
	    v->number < CP_NO_ID ? (uint32_t)v->number : (uint32_t)CP_NO_ID;

	if (cp_text_is(v->key, "process.pid"))
		*pid = n;
	else if (cp_text_is(v->key, "thread.id"))
		*tid = n;
	else if (cp_text_is(v->key, "thread.name"))
		*comm = v->text;
	else if (cp_text_is(v->key, "cpu.logical_number"))
		row->cpu = n;
	x->cpus |= row->cpu != CP_NO_ID;
	x->threads |= *tid != CP_NO_ID || comm->n != 0;
}

static int
read_sample(struct otlp *x, struct cp_text message, uint32_t event)
{
	struct cp_proto_in p = cp_proto_of(message);
	struct cp_tables_row row = {
		.time = CP_NO_TIME, .cpu = CP_NO_ID, .event = event, .times = 1
	};
	uint32_t pid = CP_NO_ID, tid = CP_NO_ID;
	struct cp_text comm = { "", 0 };
	uint64_t weight = 0, n, stamps = 0;
	struct cp_proto_field f;
	bool weighted = false;

	while (cp_proto_next(&p, &f)) {
		size_t at = 0;

		if (f.number == 1)
			row.stack = stack_of(x, f.value);
		while (f.number == 2 && cp_proto_item(&f, &at, &n)) {
			struct value v = attribute(x, n);

			set_attribute(x, &v, &comm, &pid, &tid, &row);
		}
		while (f.number == 4 && cp_proto_item(&f, &at, &n)) {
			weight += n;
			weighted = true;
		}
		/* Times of single samples: eight bytes each. */
		if (f.number == 5 && f.text.s != NULL)
			stamps += f.text.n / 8;
	}
	row.thread = cp_import_thread(x->im, pid, tid, comm);
	if (!weighted)
		weight = CP_MAX(stamps, 1);
	return cp_proto_samples(x->im, &row, CP_MAX(stamps, 1), weight);
}

static int
read_profile(struct otlp *x, struct cp_text message)
{
	struct cp_proto_in p = cp_proto_of(message);
	struct cp_proto_type t = { 0, 0 };
	struct cp_proto_field f;
	uint32_t event;
	int status = CP_OK;

	while (cp_proto_next(&p, &f))
		if (f.number == 1)
			t = cp_proto_type(f.text);
	event = cp_proto_event(x->im, text(x, t.type), text(x, t.unit));
	p = cp_proto_of(message);
	while (status == CP_OK && cp_proto_next(&p, &f))
		if (f.number == 2)
			status = read_sample(x, f.text, event);
	return status;
}

/* Resources have scopes, which have profiles: field 2 of each. */
static int
read_profiles(struct otlp *x, struct cp_text all)
{
	struct cp_proto_in data = cp_proto_of(all), resource, scope;
	struct cp_proto_field d, r, s;
	int status = CP_OK;

	while (cp_proto_next(&data, &d)) {
		if (d.number != DATA_RESOURCE_PROFILES)
			continue;
		resource = cp_proto_of(d.text);
		while (cp_proto_next(&resource, &r)) {
			if (r.number != 2)
				continue;
			scope = cp_proto_of(r.text);
			while (status == CP_OK && cp_proto_next(&scope, &s))
				if (s.number == 2)
					status = read_profile(x, s.text);
		}
	}
	return status;
}

static void
read_dictionary(struct otlp *x, struct cp_text all)
{
	struct cp_proto_in data = cp_proto_of(all), p;
	struct cp_proto_field d, f;

	while (cp_proto_next(&data, &d)) {
		if (d.number != DATA_DICTIONARY)
			continue;
		p = cp_proto_of(d.text);
		while (cp_proto_next(&p, &f))
			if (f.number < TABLES && f.text.s != NULL)
				*cp_vec_push(&x->table[f.number]) = f.text;
	}
	if (data.damaged)
		cp_import_skip(x->im, all.n - (size_t)(data.end - data.at),
		    (uint64_t)(data.end - data.at));
	for (size_t i = 0; i < x->table[TABLE_LOCATION].len; i++)
		*cp_vec_push(&x->frame) = 0;
	for (size_t i = 0; i < x->table[TABLE_STACK].len; i++)
		*cp_vec_push(&x->stack) = 0;
}

int
cp_otlp_read(struct cp_import *im, struct cp_text all)
{
	struct otlp *x = cp_xcalloc(1, sizeof(*x));
	int status;

	x->im = im;
	read_dictionary(x, all);
	status = read_profiles(x, all);
	cp_import_divide(im, false);
	cp_import_say(im, "%s",
	    x->threads ? x->cpus ? "no times" : "no times and no CPUs"
		       : "no times, no CPUs and no threads");
	for (size_t i = 0; i < TABLES; i++)
		cp_vec_free(&x->table[i]);
	cp_vec_free(&x->frame);
	cp_vec_free(&x->stack);
	free(x);
	return status;
}
