/* SPDX-License-Identifier: MIT */
/*
 * Reads Firefox Profiler's processed profile: tables of stacks, frames,
 * functions and texts, in "shared" or (before version 60) in each thread.
 *
 * A row of the table of stacks whose frame has an inline depth is a part of the
 * frame of its caller: together they are one frame.
 *
 * What the browser writes itself, before the page processes it, has the same
 * tables by rows, with a "schema", and one process in another.
 */
#include "run/import/gecko.h"
#include "run/import/parsers.h"

struct firefox {
	struct cp_import *im;
	struct cp_json *j;
	CP_VEC(uint32_t) lib; /* ids of objects */
	double kernel;        /* number of the category; -1: none */
	bool times;
	uint64_t no_stack, no_weight, negative; /* samples */
	struct cp_import_frame place;
};

/* Returns -1 where there is nothing. */
static double
cell(const struct cp_gecko_column *c, double i)
{
	return i >= 0 && i < (double)c->n ? c->data[(size_t)i] : -1;
}

static struct cp_text
string(const struct cp_gecko_tables *t, double i)
{
	const char *s = i >= 0 && i < (double)t->string.len
			    ? t->string.data[(size_t)i]
			    : "";

	return (struct cp_text){ s, strlen(s) };
}

static void
read_libs(struct firefox *x)
{
	struct cp_json *j = x->j;
	uint32_t libs = cp_json_member(j, 0, "libs");

	for (uint32_t v = libs != 0 ? cp_json_first(j, libs) : 0; v != 0;
	     v = cp_json_after(j, libs, v)) {
		struct cp_text id =
		    cp_json_string(j, cp_json_member(j, v, "codeId"));
		char *kept = cp_arena_strndup(&x->im->to->arena, id.s, id.n);
		struct cp_text path =
		    cp_json_string(j, cp_json_member(j, v, "path"));

		if (path.n == 0)
			path = cp_json_string(j, cp_json_member(j, v, "name"));
		*cp_vec_push(&x->lib) = cp_import_object_id(
		    x->im, path, (struct cp_text){ kept, id.n });
	}
}

static void
read_categories(struct firefox *x)
{
	struct cp_json *j = x->j;
	uint32_t all = cp_json_path(j, 0, "meta/categories");
	double n = 0;

	x->kernel = -1;
	for (uint32_t v = all != 0 ? cp_json_first(j, all) : 0; v != 0;
	     v = cp_json_after(j, all, v), n++)
		if (cp_text_is(cp_json_string(j, cp_json_member(j, v, "name")),
			"Kernel"))
			x->kernel = n;
}

/* ------------------------------------------------------------------- stacks */

static uint32_t
object_of(struct firefox *x, const struct cp_gecko_tables *t, double frame,
    double func)
{
	double resource = cell(&t->resource, func),
	       lib = cell(&t->resource_lib, resource);

	if (lib < 0)
		lib = cell(&t->frame_lib, frame);
	if (lib >= 0 && lib < (double)x->lib.len)
		return x->lib.data[(size_t)lib];
	if (resource < 0)
		return 0;
	return cp_import_object(
	    x->im, string(t, cell(&t->resource_name, resource)));
}

/* A function without a name is called by its object or address. */
static struct cp_import_line
line_of(struct firefox *x, const struct cp_gecko_tables *t, double frame)
{
	double func = cell(&t->func, frame), line = cell(&t->line, frame),
	       file = cell(&t->func_file, func);
	struct cp_text name = string(t, cell(&t->func_name, func));

	(void)x;
	if (file < 0)
		file = cell(&t->source_name, cell(&t->source, func));
	if (cp_text_begins(name, "0x") ||
	    (cp_text_begins(name, "[") && cp_text_ends(name, "]")))
		name.n = 0;
	return (struct cp_import_line){ .name = name,
		.file = string(t, file),
		.line = line > 0 && line < 1e9 ? (uint32_t)line : 0 };
}

static double
caller_of(const struct cp_gecko_tables *t, double row)
{
	double by = cell(&t->offset, row);

	if (t->offset.n != 0)
		return by > 0 && by <= row ? row - by : -1;
	return cell(&t->prefix, row);
}

/* The row's frame with what it is inlined in; *outer: the caller of all. */
static cp_frame_id
frame_of(struct firefox *x, const struct cp_gecko_tables *t, double row,
    double *outer)
{
	struct cp_import_frame *f = &x->place;
	double frame = cell(&t->stack_frame, row), up = row, address;
	size_t n = 0;

	for (double at = row; at >= 0 && n < CP_IMPORT_LINES;
	     at = caller_of(t, at)) {
		frame = cell(&t->stack_frame, at);
		f->line[n++] = line_of(x, t, frame);
		up = at;
		if (cell(&t->depth, frame) <= 0)
			break;
	}
	f->lines = n;
	for (size_t k = 0; k < n / 2; k++) {
		struct cp_import_line other = f->line[n - 1 - k];

		f->line[n - 1 - k] = f->line[k];
		f->line[k] = other;
	}
	*outer = caller_of(t, up);
	f->object = object_of(x, t, frame, cell(&t->func, frame));
	f->level = x->kernel >= 0 && cell(&t->category, frame) == x->kernel
		       ? CP_LEVEL_KERNEL
		       : CP_LEVEL_USER;
	address = cell(&t->address, frame);
	f->addr = address > 0 && address < 9e15 ? (uint64_t)address : 0;
	return n != 0 ? cp_import_frame(x->im, f) : 0;
}

/* Callers come before what they call. */
static void
make_stacks(struct firefox *x, struct cp_gecko_tables *t)
{
	for (size_t i = 0; i < t->stack.len; i++) {
		double outer;
		cp_frame_id frame = frame_of(x, t, (double)i, &outer);
		cp_stack_id stack = outer >= 0 && outer < (double)i
					? t->stack.data[(size_t)outer]
					: 0;

		t->stack.data[i] = cp_import_push(x->im, stack, frame);
	}
}

/* ------------------------------------------------------------------ threads */

static uint32_t
id_member(struct firefox *x, uint32_t v, const char *name)
{
	uint32_t at = cp_json_member(x->j, v, name);
	struct cp_text digits = cp_json_string(x->j, at);
	int64_t n = 0;

	if (at == 0 || digits.n == 0) {
		(void)cp_json_int(x->j, at, &n);
	} else {
		for (size_t i = 0; i < digits.n && i < 10; i++) {
			if (digits.s[i] < '0' || digits.s[i] > '9')
				return CP_NO_ID;
			n = n * 10 + (digits.s[i] - '0');
		}
	}
	return n > 0 && n < CP_NO_ID ? (uint32_t)n : CP_NO_ID;
}

static double *
times_of(struct firefox *x, uint32_t samples, size_t *n)
{
	double *time =
	    cp_json_numbers(x->j, cp_json_member(x->j, samples, "time"), -1, n);

	if (time != NULL)
		return time;
	time = cp_json_numbers(
	    x->j, cp_json_member(x->j, samples, "timeDeltas"), 0, n);
	for (size_t i = 1; i < *n; i++)
		time[i] += time[i - 1];
	return time;
}

static uint64_t
scaled(double v, double by)
{
	return v > 0 && v * by < 9e18 ? (uint64_t)(v * by + 0.5) : 0;
}

static int
read_samples(struct firefox *x, const struct cp_gecko_tables *t,
    uint32_t samples, struct cp_tables_row *row, bool ms)
{
	struct cp_gecko_column rows = cp_gecko_rows(x->j, samples, "stack"),
			       times;
	size_t n, n_times, n_weights;
	double *stack = cp_json_numbers(
	    x->j, cp_json_member(x->j, samples, "stack"), -1, &n);
	double *weight = cp_json_numbers(
	    x->j, cp_json_member(x->j, samples, "weight"), 1, &n_weights);
	double *time = times_of(x, samples, &n_times);
	int status = CP_OK;

	if (rows.data != NULL) {
		free(stack);
		free(time);
		times = cp_gecko_rows(x->j, samples, "time");
		stack = rows.data, n = rows.n;
		time = times.data, n_times = times.n;
	}

	for (size_t i = 0; i < n && status == CP_OK; i++) {
		/* Without a stack it is not of this event, or idle. */
		if (stack[i] < 0)
			continue;
		if (stack[i] >= (double)t->stack.len) {
			x->no_stack++;
			continue;
		}
		if (weight != NULL && (i >= n_weights || weight[i] < 0)) {
			x->no_weight += i >= n_weights;
			x->negative += i < n_weights;
			continue;
		}
		row->stack = t->stack.data[(size_t)stack[i]];
		row->time = i < n_times && time[i] >= 0 ? scaled(time[i], 1e6)
							: CP_NO_TIME;
		x->times |= row->time != CP_NO_TIME;
		row->weight =
		    i < n_weights ? scaled(weight[i], ms ? 1e6 : 1) : 1;
		status =
		    row->weight != 0 ? cp_import_sample(x->im, row) : CP_OK;
	}
	free(stack);
	free(weight);
	free(time);
	return status;
}

/*
 * Our export calls a thread "name (event)" if there are several events, which
 * it names among what it says of itself.
 */
static const struct cp_import_own *
event_of(const struct firefox *x, struct cp_text *name)
{
	const struct cp_import_own *best = NULL;

	if (x->im->own.len == 1)
		return &x->im->own.data[0];
	for (size_t i = 0; i < x->im->own.len; i++) {
		const struct cp_import_own *o = &x->im->own.data[i];
		size_t n = o->name.n + strlen(" ()");

		if (name->n < n || !cp_text_ends(*name, ")") ||
		    memcmp(name->s + name->n - n, " (", 2) != 0 ||
		    memcmp(name->s + name->n - n + 2, o->name.s, n - 3) != 0)
			continue;
		if (best == NULL || best->name.n < o->name.n)
			best = o;
	}
	if (best != NULL)
		name->n -= best->name.n + strlen(" ()");
	return best;
}

/* Samples of different units are different events. */
static uint32_t
add_event(struct firefox *x, struct cp_text type, struct cp_text *name)
{
	const struct cp_import_own *own = event_of(x, name);
	bool ms = cp_text_is(type, "tracing-ms"),
	     bytes = cp_text_is(type, "bytes");

	if (own != NULL)
		return cp_import_event(
		    x->im, own->name, ms ? "ns" : own->unit, true);
	return cp_import_event(x->im,
	    ms      ? CP_LITERAL("time")
	    : bytes ? CP_LITERAL("bytes")
		    : CP_LITERAL("samples"),
	    ms      ? "ns"
	    : bytes ? "bytes"
		    : "events",
	    true);
}

/* What our export says of itself is the first of the lists of "extra". */
static void
learn_own(struct firefox *x)
{
	struct cp_json *j = x->j;
	uint32_t extra = cp_json_path(j, 0, "meta/extra"), list;

	if (extra == 0 ||
	    !cp_text_begins(
		cp_json_string(j, cp_json_path(j, 0, "meta/importedFrom")),
		"coldperf"))
		return;
	list = cp_json_member(j, cp_json_first(j, extra), "entries");
	for (uint32_t v = list != 0 ? cp_json_first(j, list) : 0; v != 0;
	     v = cp_json_after(j, list, v))
		cp_import_learn_own(
		    x->im, cp_json_string(j, cp_json_member(j, v, "value")));
}

static int
read_thread(struct firefox *x, uint32_t thread, struct cp_gecko_tables *shared)
{
	uint32_t samples = cp_json_member(x->j, thread, "samples");
	struct cp_tables_row row = { .cpu = CP_NO_ID, .times = 1 };
	struct cp_text name, type;
	char *kept;
	struct cp_gecko_tables mine;
	bool ms;
	int status;

	if (samples == 0)
		return CP_OK;
	row.thread = id_member(x, thread, "pid");
	row.stack = id_member(x, thread, "tid");
	name = cp_json_string(x->j, cp_json_member(x->j, thread, "name"));
	kept = cp_arena_strndup(&x->im->to->arena, name.s, name.n);
	name = (struct cp_text){ kept, strlen(kept) };
	type =
	    cp_json_string(x->j, cp_json_member(x->j, samples, "weightType"));
	ms = cp_text_is(type, "tracing-ms");
	row.event = add_event(x, type, &name);
	row.thread = cp_import_thread(
	    x->im, (uint32_t)row.thread, (uint32_t)row.stack, name);
	if (shared != NULL)
		return read_samples(x, shared, samples, &row, ms);
	cp_gecko_read(x->im, x->j, thread, &mine);
	make_stacks(x, &mine);
	status = read_samples(x, &mine, samples, &row, ms);
	cp_gecko_free(&mine);
	return status;
}

static int
read_threads(
    struct firefox *x, uint32_t process, struct cp_gecko_tables *shared)
{
	uint32_t threads = cp_json_member(x->j, process, "threads");
	int status = CP_OK;

	for (uint32_t v = threads != 0 ? cp_json_first(x->j, threads) : 0;
	     v != 0 && status == CP_OK; v = cp_json_after(x->j, threads, v))
		status = read_thread(x, v, shared);
	return status;
}

static void
put_faults(struct firefox *x)
{
	cp_import_fault(x->im, x->no_stack, "sample",
	    "of stacks that are not in the profile");
	cp_import_fault(x->im, x->no_weight, "sample", "without a weight");
	cp_import_fault(
	    x->im, x->negative, "sample", "of weights below 0, left out");
}

int
cp_firefox_read(struct cp_import *im, struct cp_json *j)
{
	struct firefox *x = cp_xcalloc(1, sizeof(*x));
	uint32_t more = cp_json_member(j, 0, "processes"),
		 together = cp_json_member(j, 0, "shared");
	struct cp_gecko_tables shared = { 0 };
	bool is_shared =
	    cp_json_path(j, together, "stackTable/frame") != 0 && together != 0;
	int status;

	x->im = im;
	x->j = j;
	learn_own(x);
	read_libs(x);
	read_categories(x);
	if (is_shared) {
		cp_gecko_read(x->im, x->j, together, &shared);
		make_stacks(x, &shared);
	}
	status = read_threads(x, 0, is_shared ? &shared : NULL);
	for (uint32_t v = more != 0 ? cp_json_first(j, more) : 0;
	     v != 0 && status == CP_OK; v = cp_json_after(j, more, v))
		status = read_threads(x, v, NULL);
	put_faults(x);
	cp_import_say(im, "%s", x->times ? "no CPUs" : "no times and no CPUs");
	cp_gecko_free(&shared);
	cp_vec_free(&x->lib);
	free(x);
	return status;
}
