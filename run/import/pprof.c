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
#include "base/pprof.h"
#include "run/import/proto.h"

enum { MAX_VALUES = 64, MAX_DEPTH = 4096, MAX_LABELS = 64, MAX_KEPT = 4096 };

enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_DEFAULT_SAMPLE_TYPE = 14,
	PROFILE_LAST = 15,
};

/* Labels of a name that have no place in our tables. */
struct label {
	struct cp_text name;
	uint64_t n;
};

struct pprof {
	struct cp_import *im;
	struct cp_text all;
	struct cp_proto_code code;
	cp_text_vec types;
	uint32_t event[MAX_VALUES];
	bool counted; /* the first value is a number of samples */
	bool times, cpus, threads;
	uint64_t negative; /* values */
	uint64_t no_name;  /* types */
	struct label left[MAX_LABELS];
	size_t labels;                     /* of these */
	uint64_t more;                     /* labels of other names */
	uint64_t fields[PROFILE_LAST + 1]; /* how many of each there are */
	uint64_t number[PROFILE_LAST + 1]; /* the last of each */
	struct cp_text period_type;
	bool again; /* what begins a profile comes after its texts */
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

static void
note_all(struct pprof *x)
{
	struct cp_proto_code *c = &x->code;
	struct cp_proto_in p = cp_proto_of(x->all);
	struct cp_proto_field f;

	while (cp_proto_next(&p, &f)) {
		if (f.number <= PROFILE_LAST) {
			x->fields[f.number]++;
			x->number[f.number] = f.value;
		}
		switch (f.number) {
		case PROFILE_SAMPLE_TYPE:
			x->again |= x->fields[PROFILE_STRING] != 0;
			*cp_vec_push(&x->types) = f.text;
			break;
		case PROFILE_PERIOD_TYPE: x->period_type = f.text; break;
		case PROFILE_STRING: *cp_vec_push(&c->strings) = f.text; break;
		case PROFILE_MAPPING:
			cp_proto_note(&c->mappings, &c->mapping, f.text);
			break;
		case PROFILE_LOCATION:
			cp_proto_note(&c->locations, &c->location, f.text);
			break;
		case PROFILE_FUNCTION:
			cp_proto_note(&c->functions, &c->function, f.text);
			break;
		default: break;
		}
	}
	if (p.damaged)
		cp_import_skip(x->im, x->all.n - (size_t)(p.end - p.at),
		    (uint64_t)(p.end - p.at));
}

static uint32_t
object_of(struct cp_proto_code *c, struct cp_text mapping)
{
	struct cp_proto_in p = cp_proto_of(mapping);
	struct cp_text name = { "", 0 }, build_id = { "", 0 };
	struct cp_proto_field f;

	while (cp_proto_next(&p, &f)) {
		if (f.number == 5)
			name = cp_proto_string(c, f.value);
		else if (f.number == 6)
			build_id = cp_proto_string(c, f.value);
	}
	c->place.level =
	    cp_import_is_kernel(name) ? CP_LEVEL_KERNEL : CP_LEVEL_USER;
	return cp_import_object_id(c->im, name, build_id);
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

/* Counts a label by its name; what our export derives is there anyway. */
static void
leave_label(struct pprof *x, struct cp_text key)
{
	if (key.n == 0 || cp_text_is(key, "execution_mode") ||
	    cp_text_is(key, "thread_type") || cp_text_is(key, "process"))
		return;
	for (size_t i = 0; i < x->labels; i++)
		if (x->left[i].name.n == key.n &&
		    memcmp(x->left[i].name.s, key.s, key.n) == 0) {
			x->left[i].n++;
			return;
		}
	if (x->labels < MAX_LABELS)
		x->left[x->labels++] = (struct label){ key, 1 };
	else
		x->more++;
}

static void
say_labels(struct pprof *x)
{
	struct cp_buf b;

	if (x->labels == 0)
		return;
	cp_buf_init(&b, 512);
	for (size_t i = 0; i < x->labels; i++) {
		const struct label *l = &x->left[i];

		if (b.len > 200) {
			x->more += l->n;
			continue;
		}
		cp_buf_str(&b, b.len != 0 ? ", " : "");
		cp_buf_add(&b, l->name.s, CP_MIN(l->name.n, 40));
		cp_buf_printf(&b, " (%" PRIu64 ")", l->n);
	}
	if (x->more != 0)
		cp_buf_printf(&b, " and %" PRIu64 " others", x->more);
	cp_import_say(
	    x->im, "without its labels on samples: %s", cp_buf_text(&b));
	cp_buf_free(&b);
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
			key = cp_proto_string(&x->code, f.value);
		else if (f.number == 2)
			value = cp_proto_string(&x->code, f.value);
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
	else
		leave_label(x, key);
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
			depth = cp_proto_list(&f, location, depth, MAX_DEPTH);
		else if (f.number == 2)
			values = cp_proto_list(&f, value, values, MAX_VALUES);
		else if (f.number == 3)
			read_label(x, f.text, &l, &row);
	}
	x->times |= row.time != CP_NO_TIME;
	x->cpus |= row.cpu != CP_NO_ID;
	x->threads |= l.tid != CP_NO_ID || l.comm.n != 0;
	row.stack = cp_proto_stack(&x->code, location, depth);
	row.thread = cp_import_thread(x->im, l.pid, l.tid, l.comm);
	values = CP_MIN(values, x->types.len);
	for (size_t i = 0; i < values; i++)
		x->negative += (int64_t)value[i] < 0;
	for (size_t i = x->counted; i < values && status == CP_OK; i++) {
		row.event = x->event[i];
		if ((int64_t)value[i] > 0 && (int64_t)value[0] >= 0)
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

/* Types whose names are lost, or that have one name, are told apart. */
static uint32_t
event_of(struct pprof *x, size_t i, struct cp_text type, struct cp_text unit)
{
	struct cp_proto_type of = cp_proto_type(x->types.data[i]);
	char name[128];
	int n;

	if (type.n == 0 && (x->types.len > 1 || of.type != 0)) {
		n = snprintf(name, sizeof(name), "type %zu", i);
		x->no_name++;
		return cp_proto_event(
		    x->im, (struct cp_text){ name, (size_t)n }, unit);
	}
	for (size_t k = x->counted; k < i; k++) {
		struct cp_proto_type other = cp_proto_type(x->types.data[k]);

		if (other.type != of.type || other.unit == of.unit)
			continue;
		n = snprintf(name, sizeof(name), "%.*s (%.*s)",
		    (int)CP_MIN(type.n, 60), type.s, (int)CP_MIN(unit.n, 60),
		    unit.s);
		return cp_proto_event(
		    x->im, (struct cp_text){ name, (size_t)n }, unit);
	}
	return cp_proto_event(x->im, type, unit);
}

static void
read_types(struct pprof *x)
{
	size_t n = CP_MIN(x->types.len, MAX_VALUES);

	x->types.len = n;
	for (size_t i = 0; i < n; i++) {
		struct cp_proto_type t = cp_proto_type(x->types.data[i]);
		struct cp_text type = cp_proto_string(&x->code, t.type),
			       unit = cp_proto_string(&x->code, t.unit);

		if (i == 0 && n > 1 && cp_text_is(type, "samples") &&
		    cp_text_is(unit, "count") && can_count(x)) {
			x->counted = true;
			continue;
		}
		x->event[i] = event_of(x, i, type, unit);
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

/* What a profile has once; a text that is empty is the first of them. */
static bool
are_two(const struct pprof *x)
{
	static const uint8_t once[] = { PROFILE_TIME_NANOS,
		PROFILE_DURATION_NANOS, PROFILE_PERIOD_TYPE, PROFILE_PERIOD,
		PROFILE_DEFAULT_SAMPLE_TYPE };
	size_t empty = 0;

	for (size_t i = 0; i < CP_ARRAY_LEN(once); i++)
		if (x->fields[once[i]] > 1)
			return true;
	for (size_t i = 0; i < x->code.strings.len; i++)
		empty += x->code.strings.data[i].n == 0;
	return x->again && empty > 1;
}

static int
read_all(struct pprof *x)
{
	struct cp_diags *diags = x->im->run->diags;
	int status;

	note_all(x);
	if (are_two(x)) {
		cp_diag(diags, CP_D_NOT_PERF,
		    "pprof profiles one after the other in one file, whose "
		    "numbers of functions and texts mix: give each as a file");
		return CP_FAIL;
	}
	read_types(x);
	cp_import_fault(
	    x->im, x->no_name, "type", "of samples whose name is lost");
	status = read_samples(x);
	if (status == CP_OK && x->negative != 0) {
		cp_diag(diags, CP_D_NOT_PERF,
		    "pprof, but with %" PRIu64 " value%s below 0: a difference "
		    "of two profiles.  Give coldperf diff the two",
		    x->negative, cp_s(x->negative));
		return CP_FAIL;
	}
	return status;
}

static const char *
kept_text(struct pprof *x, uint64_t number)
{
	struct cp_text t = cp_proto_string(&x->code, number);

	return cp_arena_strndup(&x->im->to->arena, t.s, CP_MIN(t.n, MAX_KEPT));
}

static struct cp_report_type
kept_type(struct pprof *x, struct cp_text message)
{
	struct cp_proto_type t = cp_proto_type(message);

	return (struct cp_report_type){ .name = kept_text(x, t.type),
		.unit = kept_text(x, t.unit) };
}

/* Keeps what an export is to say again, if it is all known. */
static void
keep(struct pprof *x)
{
	struct cp_arena *arena = &x->im->to->arena;
	size_t n = x->types.len;
	struct cp_report_type *types =
	    cp_arena_alloc(arena, (n + 1) * sizeof(*types));
	struct cp_report_pprof *to = cp_arena_alloc(arena, sizeof(*to));

	if (n == 0 || x->no_name != 0 ||
	    x->im->run->rec.evsels.all.len + x->counted < n)
		return;
	for (size_t i = 0; i < n; i++) {
		types[i] = kept_type(x, x->types.data[i]);
		if (i != 0 || !x->counted)
			types[i].event =
			    x->im->run->rec.evsels.all.data[x->event[i]]
				->pub.name;
	}
	*to = (struct cp_report_pprof){ .types = types,
		.n = n,
		.period = x->number[PROFILE_PERIOD],
		.time = x->number[PROFILE_TIME_NANOS],
		.duration = x->number[PROFILE_DURATION_NANOS] };
	if (x->period_type.n != 0)
		to->period_type = kept_type(x, x->period_type);
	if (x->number[PROFILE_DEFAULT_SAMPLE_TYPE] != 0)
		to->shown =
		    kept_text(x, x->number[PROFILE_DEFAULT_SAMPLE_TYPE]);
	x->im->to->pprof = to;
}

int
cp_pprof_read(struct cp_import *im, struct cp_text all)
{
	struct pprof *x = cp_xcalloc(1, sizeof(*x));
	char lacks[64];
	int status;

	x->im = im;
	x->all = all;
	x->code.im = im;
	x->code.shift = 1;
	x->code.object = object_of;
	status = read_all(x);
	say_labels(x);
	if (status == CP_OK)
		keep(x);
	snprintf(lacks, sizeof(lacks), "%s%s%s", x->times ? "" : "no times, ",
	    x->cpus ? "" : "no CPUs, ", x->threads ? "" : "no threads, ");
	lacks[CP_MAX(strlen(lacks), 2) - 2] = '\0';
	if (lacks[0] != '\0')
		cp_import_say(im, "%s", lacks);
	cp_proto_code_free(&x->code);
	cp_vec_free(&x->types);
	free(x);
	return status;
}
