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
#include "run/import/json.h"
#include "run/import/parsers.h"

struct column {
	double *data;
	size_t n;
};

struct tables {
	struct column stack_frame, prefix, offset, func, depth, line, category,
	    address, func_name, resource, func_file, source, source_name,
	    resource_lib, resource_name, frame_lib;
	CP_VEC(const char *) string;
	CP_VEC(cp_stack_id) stack; /* + 1, by row of the table of stacks */
};

struct firefox {
	struct cp_import *im;
	struct cp_json *j;
	CP_VEC(uint32_t) lib; /* ids of objects */
	double kernel;        /* number of the category; -1: none */
	bool times;
	struct cp_import_frame place;
};

/* Returns -1 where there is nothing. */
static double
cell(const struct column *c, double i)
{
	return i >= 0 && i < (double)c->n ? c->data[(size_t)i] : -1;
}

static struct cp_text
string(const struct tables *t, double i)
{
	const char *s = i >= 0 && i < (double)t->string.len
			    ? t->string.data[(size_t)i]
			    : "";

	return (struct cp_text){ s, strlen(s) };
}

/* ------------------------------------------------------------------- tables */

static void
read_strings(struct firefox *x, uint32_t from, struct tables *t)
{
	struct cp_json *j = x->j;
	uint32_t all = cp_json_member(j, from, "stringArray");

	if (all == 0)
		all = cp_json_member(j, from, "stringTable");
	if (all == 0 || !cp_json_is_array(j, all))
		return;
	for (uint32_t v = cp_json_first(j, all); v != 0;
	     v = cp_json_after(j, all, v)) {
		struct cp_text s = cp_json_string(j, v);

		*cp_vec_push(&t->string) =
		    cp_arena_strndup(&x->im->to->arena, s.s, s.n);
	}
}

static const struct {
	const char *path;
	size_t at;
} columns[] = {
#define COLUMN(path, field)                                                    \
	{                                                                      \
		path, offsetof(struct tables, field)                           \
	}
	COLUMN("stackTable/frame", stack_frame),
	COLUMN("stackTable/prefix", prefix),
	COLUMN("stackTable/prefixOffset", offset),
	COLUMN("frameTable/func", func),
	COLUMN("frameTable/inlineDepth", depth),
	COLUMN("frameTable/line", line),
	COLUMN("frameTable/category", category),
	COLUMN("frameTable/address", address),
	COLUMN("frameTable/lib", frame_lib),
	COLUMN("funcTable/name", func_name),
	COLUMN("funcTable/resource", resource),
	COLUMN("funcTable/fileName", func_file),
	COLUMN("funcTable/source", source),
	COLUMN("sources/filename", source_name),
	COLUMN("resourceTable/lib", resource_lib),
	COLUMN("resourceTable/name", resource_name),
#undef COLUMN
};

static struct column *
column_at(struct tables *t, size_t i)
{
	return (struct column *)(void *)((char *)t + columns[i].at);
}

/* A column of a table {"schema": {"stack": 0}, "data": [[7, 1.5]]}. */
static struct column
column_of_rows(const struct cp_json *j, uint32_t table, const char *name)
{
	uint32_t data = cp_json_member(j, table, "data"),
		 schema = cp_json_member(j, table, "schema");
	CP_VEC(double) cells = { 0 };
	int64_t at = -1;

	if (schema == 0 || data == 0 || !cp_json_is_array(j, data) ||
	    !cp_json_int(j, cp_json_member(j, schema, name), &at) || at < 0)
		return (struct column){ NULL, 0 };
	for (uint32_t row = cp_json_first(j, data); row != 0;
	     row = cp_json_after(j, data, row)) {
		uint32_t v =
		    cp_json_is_array(j, row) ? cp_json_first(j, row) : 0;
		double *cell = cp_vec_push(&cells);

		for (int64_t i = 0; i < at && v != 0; i++)
			v = cp_json_after(j, row, v);
		if (v == 0 || !cp_json_double(j, v, cell))
			*cell = -1;
	}
	return (struct column){ cells.data, cells.len };
}

/* A frame of the browser's own tables has its function's name: "location". */
static void
read_rows(struct firefox *x, uint32_t from, struct tables *t)
{
	uint32_t stacks = cp_json_member(x->j, from, "stackTable"),
		 frames = cp_json_member(x->j, from, "frameTable");

	*t = (struct tables){ 0 };
	read_strings(x, from, t);
	t->stack_frame = column_of_rows(x->j, stacks, "frame");
	t->prefix = column_of_rows(x->j, stacks, "prefix");
	t->func_name = column_of_rows(x->j, frames, "location");
	t->line = column_of_rows(x->j, frames, "line");
	t->func =
	    (struct column){ cp_xcalloc(t->func_name.n + 1, sizeof(double)),
		    t->func_name.n };
	for (size_t i = 0; i < t->func.n; i++)
		t->func.data[i] = (double)i;
	for (size_t i = 0; i < t->stack_frame.n; i++)
		*cp_vec_push(&t->stack) = 0;
}

static void
read_tables(struct firefox *x, uint32_t from, struct tables *t)
{
	if (cp_json_path(x->j, from, "stackTable/schema") != 0) {
		read_rows(x, from, t);
		return;
	}
	*t = (struct tables){ 0 };
	read_strings(x, from, t);
	for (size_t i = 0; i < CP_ARRAY_LEN(columns); i++) {
		struct column *c = column_at(t, i);

		c->data = cp_json_numbers(
		    x->j, cp_json_path(x->j, from, columns[i].path), -1, &c->n);
	}
	for (size_t i = 0; i < t->stack_frame.n; i++)
		*cp_vec_push(&t->stack) = 0;
}

static void
free_tables(struct tables *t)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(columns); i++)
		free(column_at(t, i)->data);
	cp_vec_free(&t->string);
	cp_vec_free(&t->stack);
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
object_of(struct firefox *x, const struct tables *t, double frame, double func)
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
line_of(struct firefox *x, const struct tables *t, double frame)
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
caller_of(const struct tables *t, double row)
{
	double by = cell(&t->offset, row);

	if (t->offset.n != 0)
		return by > 0 && by <= row ? row - by : -1;
	return cell(&t->prefix, row);
}

/* The row's frame with what it is inlined in; *outer: the caller of all. */
static cp_frame_id
frame_of(struct firefox *x, const struct tables *t, double row, double *outer)
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
make_stacks(struct firefox *x, struct tables *t)
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
read_samples(struct firefox *x, const struct tables *t, uint32_t samples,
    struct cp_tables_row *row, bool ms)
{
	struct column rows = column_of_rows(x->j, samples, "stack"), times;
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
		times = column_of_rows(x->j, samples, "time");
		stack = rows.data, n = rows.n;
		time = times.data, n_times = times.n;
	}

	for (size_t i = 0; i < n && status == CP_OK; i++) {
		/* Without a stack it is not of this event, or idle. */
		if (stack[i] < 0 || stack[i] >= (double)t->stack.len)
			continue;
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

/* "name (event)" of our export, if there are several events. */
static struct cp_text
event_of(struct cp_text *name, bool ms)
{
	size_t i = name->n;
	struct cp_text event;

	if (!cp_text_ends(*name, ")"))
		return ms ? CP_LITERAL("time") : CP_LITERAL("samples");
	while (i > 0 && name->s[i - 1] != '(')
		i--;
	if (i < 3)
		return CP_LITERAL("samples");
	event = (struct cp_text){ name->s + i, name->n - i - 1 };
	name->n = i - 2;
	return event;
}

static int
read_thread(struct firefox *x, uint32_t thread, struct tables *shared, bool own)
{
	uint32_t samples = cp_json_member(x->j, thread, "samples");
	struct cp_tables_row row = { .cpu = CP_NO_ID, .times = 1 };
	struct cp_text name, event;
	struct tables mine;
	bool ms;
	int status;

	if (samples == 0)
		return CP_OK;
	ms = cp_text_is(
	    cp_json_string(x->j, cp_json_member(x->j, samples, "weightType")),
	    "tracing-ms");
	row.thread = id_member(x, thread, "pid");
	row.stack = id_member(x, thread, "tid");
	name = cp_json_string(x->j, cp_json_member(x->j, thread, "name"));
	event = own ? event_of(&name, ms)
		    : (ms ? CP_LITERAL("time") : CP_LITERAL("samples"));
	row.event = cp_import_event(x->im, event,
	    ms    ? "ns"
	    : own ? NULL
		  : "events",
	    true);
	row.thread = cp_import_thread(
	    x->im, (uint32_t)row.thread, (uint32_t)row.stack, name);
	if (shared != NULL)
		return read_samples(x, shared, samples, &row, ms);
	read_tables(x, thread, &mine);
	make_stacks(x, &mine);
	status = read_samples(x, &mine, samples, &row, ms);
	free_tables(&mine);
	return status;
}

static int
read_threads(
    struct firefox *x, uint32_t process, struct tables *shared, bool own)
{
	uint32_t threads = cp_json_member(x->j, process, "threads");
	int status = CP_OK;

	for (uint32_t v = threads != 0 ? cp_json_first(x->j, threads) : 0;
	     v != 0 && status == CP_OK; v = cp_json_after(x->j, threads, v))
		status = read_thread(x, v, shared, own);
	return status;
}

int
cp_firefox_read(struct cp_import *im, struct cp_json *j)
{
	struct firefox *x = cp_xcalloc(1, sizeof(*x));
	uint32_t more = cp_json_member(j, 0, "processes"),
		 together = cp_json_member(j, 0, "shared");
	bool own = cp_text_begins(
	    cp_json_string(j, cp_json_path(j, 0, "meta/importedFrom")),
	    "coldperf");
	struct tables shared = { 0 };
	bool is_shared =
	    cp_json_path(j, together, "stackTable/frame") != 0 && together != 0;
	int status;

	x->im = im;
	x->j = j;
	read_libs(x);
	read_categories(x);
	if (is_shared) {
		read_tables(x, together, &shared);
		make_stacks(x, &shared);
	}
	status = read_threads(x, 0, is_shared ? &shared : NULL, own);
	for (uint32_t v = more != 0 ? cp_json_first(j, more) : 0;
	     v != 0 && status == CP_OK; v = cp_json_after(j, more, v))
		status = read_threads(x, v, NULL, own);
	cp_import_say(im, "%s", x->times ? "no CPUs" : "no times and no CPUs");
	free_tables(&shared);
	cp_vec_free(&x->lib);
	free(x);
	return status;
}
