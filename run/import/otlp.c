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
};

struct otlp {
	struct cp_proto_code code; /* the first member: `object' gets it */
	struct cp_import *im;
	cp_text_vec attributes, stacks;
	CP_VEC(cp_stack_id) stack;         /* + 1, by stack */
	bool threads, cpus, counts, times; /* are there any? */
	uint64_t no_name;                  /* profiles */
	uint64_t no_stack;                 /* samples */
	struct cp_text service;            /* of the resource, its name */
};

bool
cp_otlp_is(struct cp_text all)
{
	struct cp_proto_in p = cp_proto_cut(all);
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

struct value {
	struct cp_text key, text;
	uint64_t number;
};

static struct value
attribute(const struct otlp *x, uint64_t i)
{
	struct cp_proto_in p = cp_proto_of(cp_text_at(&x->attributes, i));
	struct value v = { .key = { "", 0 }, .text = { "", 0 } };
	struct cp_proto_field f, of;

	while (cp_proto_next(&p, &f)) {
		struct cp_proto_in any = cp_proto_of(f.text);

		if (f.number == 1)
			v.key = cp_proto_string(&x->code, f.value);
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
object_of(struct cp_proto_code *c, struct cp_text mapping)
{
	const struct otlp *x = (const struct otlp *)c;
	struct cp_proto_in p = cp_proto_of(mapping);
	struct cp_text name = { "", 0 }, id = { "", 0 };
	struct cp_proto_field f;

	while (cp_proto_next(&p, &f)) {
		size_t at = 0;

		if (f.number == 4)
			name = cp_proto_string(&x->code, f.value);
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
read_frame_type(struct cp_proto_code *c, const struct cp_proto_field *f)
{
	size_t at = 0;

	for (uint64_t n; cp_proto_item(f, &at, &n);) {
		struct value v = attribute((const struct otlp *)c, n);

		if (cp_text_is(v.key, "profile.frame.type") &&
		    cp_text_is(v.text, "kernel"))
			c->place.level = CP_LEVEL_KERNEL;
	}
}

static cp_stack_id
stack_of(struct otlp *x, uint64_t i)
{
	uint64_t *location;
	struct cp_proto_field f;
	struct cp_proto_in p;
	size_t n = 0;

	x->no_stack += i >= x->stack.len && i != 0;
	if (i == 0 || i >= x->stack.len)
		return 0;
	if (x->stack.data[i] != 0)
		return x->stack.data[i] - 1;
	location = cp_xcalloc(MAX_DEPTH, sizeof(*location));
	p = cp_proto_of(x->stacks.data[i]);
	while (cp_proto_next(&p, &f))
		if (f.number == 1)
			n = cp_proto_list(&f, location, n, MAX_DEPTH);
	x->stack.data[i] = cp_proto_stack(&x->code, location, n) + 1;
	free(location);
	return x->stack.data[i] - 1;
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
	else if (cp_text_is(v->key, "perf.samples"))
		row->times = n;
	x->cpus |= row->cpu != CP_NO_ID;
	x->threads |= *tid != CP_NO_ID || comm->n != 0;
}

static bool
are_as_many(const struct cp_proto_field *f, uint64_t n)
{
	size_t at = 0;

	for (uint64_t v; cp_proto_item(f, &at, &v) && n != UINT64_MAX;)
		n--;
	return n == 0;
}

/* Each time is that of one sample, which has a value, or weighs 1. */
static int
read_times(struct otlp *x, struct cp_tables_row *row, struct cp_text times,
    const struct cp_proto_field *values)
{
	int status = CP_OK;
	size_t at = 0;

	x->times = true;
	row->times = 1;
	for (size_t i = 0; i + 8 <= times.n && status == CP_OK; i += 8) {
		row->time = 0;
		for (size_t k = 8; k-- > 0;)
			row->time = row->time << 8 | (uint8_t)times.s[i + k];
		row->weight = 1;
		if (values != NULL && !cp_proto_item(values, &at, &row->weight))
			break;
		status = cp_import_sample(x->im, row);
	}
	return status;
}

static int
read_sample(struct otlp *x, struct cp_text message, uint32_t event)
{
	struct cp_proto_in p = cp_proto_of(message);
	struct cp_tables_row row = {
		.time = CP_NO_TIME, .cpu = CP_NO_ID, .event = event, .times = 0
	};
	uint32_t pid = CP_NO_ID, tid = CP_NO_ID;
	struct cp_text comm = { "", 0 }, times = { "", 0 };
	struct cp_proto_field values = { 0 };
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
		values = f.number == 4 ? f : values;
		/* Times of single samples: eight bytes each. */
		if (f.number == 5 && f.text.s != NULL) {
			stamps += f.text.n / 8;
			times = f.text;
		}
	}
	if (comm.n == 0 && pid == CP_NO_ID && tid == CP_NO_ID)
		comm = x->service;
	row.thread = cp_import_thread(x->im, pid, tid, comm);
	if (stamps != 0 && stamps == times.n / 8 && row.times == 0 &&
	    (!weighted || are_as_many(&values, stamps)))
		return read_times(x, &row, times, weighted ? &values : NULL);
	if (!weighted)
		weight = CP_MAX(stamps, 1);
	x->counts |= row.times != 0;
	return cp_proto_samples(
	    x->im, &row, CP_MAX(stamps, CP_MAX(row.times, 1)), weight);
}

static int
read_profile(struct otlp *x, struct cp_text message)
{
	struct cp_proto_in p = cp_proto_of(message);
	struct cp_proto_type t = { 0, 0 };
	struct cp_text type;
	char name[32];
	struct cp_proto_field f;
	uint32_t event;
	int status = CP_OK;

	while (cp_proto_next(&p, &f))
		if (f.number == 1)
			t = cp_proto_type(f.text);
	type = cp_proto_string(&x->code, t.type);
	if (type.n == 0 && t.type != 0) {
		snprintf(name, sizeof(name), "type %" PRIu64, t.type);
		type = (struct cp_text){ name, strlen(name) };
		x->no_name++;
	}
	event = cp_proto_event(x->im, type, cp_proto_string(&x->code, t.unit));
	p = cp_proto_of(message);
	while (status == CP_OK && cp_proto_next(&p, &f))
		if (f.number == 2)
			status = read_sample(x, f.text, event);
	return status;
}

/* Programs that say no threads are called by the name of their service. */
static void
read_service(struct otlp *x, struct cp_text message)
{
	struct cp_proto_in p = cp_proto_of(message), of, pair, any;
	struct cp_proto_field r, a, f, v;

	x->service = CP_LITERAL("");
	while (cp_proto_next(&p, &r)) {
		of = cp_proto_of(r.text);
		while (r.number == 1 && cp_proto_next(&of, &a)) {
			struct cp_text key = { "", 0 }, value = { "", 0 };

			pair = cp_proto_of(a.text);
			while (a.number == 1 && cp_proto_next(&pair, &f)) {
				any = cp_proto_of(f.text);
				if (f.number == 1)
					key = f.text;
				while (f.number == 2 && cp_proto_next(&any, &v))
					if (v.number == 1)
						value = v.text;
			}
			if (cp_text_is(key, "service.name") && value.s != NULL)
				x->service = value;
		}
	}
}

/* Resources have scopes, which have profiles: field 2 of each. */
static int
read_profiles(struct otlp *x, struct cp_text all)
{
	struct cp_proto_in data = cp_proto_cut(all), resource, scope;
	struct cp_proto_field d, r, s;
	int status = CP_OK;

	while (cp_proto_next(&data, &d)) {
		if (d.number != DATA_RESOURCE_PROFILES)
			continue;
		resource = cp_proto_cut(d.text);
		read_service(x, d.text);
		while (cp_proto_next(&resource, &r)) {
			if (r.number != 2)
				continue;
			scope = cp_proto_cut(r.text);
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
	cp_text_vec *const table[] = { [TABLE_MAPPING] = &x->code.mappings,
		[TABLE_LOCATION] = &x->code.locations,
		[TABLE_FUNCTION] = &x->code.functions,
		[TABLE_STRING] = &x->code.strings,
		[TABLE_ATTRIBUTE] = &x->attributes,
		[TABLE_STACK] = &x->stacks };
	struct cp_proto_in data = cp_proto_cut(all), p;
	struct cp_proto_field d, f;

	while (cp_proto_next(&data, &d)) {
		if (d.number != DATA_DICTIONARY)
			continue;
		p = cp_proto_of(d.text);
		while (cp_proto_next(&p, &f))
			if (f.number < CP_ARRAY_LEN(table) &&
			    table[f.number] != NULL && f.text.s != NULL)
				*cp_vec_push(table[f.number]) = f.text;
	}
	x->im->cut = data.damaged;
	for (size_t i = 0; i < x->stacks.len; i++)
		*cp_vec_push(&x->stack) = 0;
}

int
cp_otlp_read(struct cp_import *im, struct cp_text all)
{
	struct otlp *x = cp_xcalloc(1, sizeof(*x));
	int status;

	x->im = x->code.im = im;
	x->code.object = object_of;
	x->code.attributes = read_frame_type;
	read_dictionary(x, all);
	status = read_profiles(x, all);
	if (!x->counts)
		cp_import_divide(im, false);
	cp_import_fault(im, x->no_name, "profile", "whose type's name is lost");
	cp_import_fault(
	    im, x->no_stack, "sample", "of stacks that are not in the profile");
	if (status == CP_OK && im->cut &&
	    x->no_stack >= im->run->quality.samples) {
		cp_diag(im->run->diags, CP_D_NOT_PERF,
		    "OpenTelemetry profiles that are cut before their stacks: "
		    "get the whole file");
		status = CP_FAIL;
	}
	if (x->times)
		cp_import_say(im, "%s",
		    x->threads ? "no CPUs" : "no CPUs and no threads");
	else
		cp_import_say(im, "%s",
		    x->threads ? x->cpus ? "no times" : "no times and no CPUs"
			       : "no times, no CPUs and no threads");
	cp_proto_code_free(&x->code);
	cp_vec_free(&x->attributes);
	cp_vec_free(&x->stacks);
	cp_vec_free(&x->stack);
	free(x);
	return status;
}
