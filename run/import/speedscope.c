/* SPDX-License-Identifier: MIT */
/*
 * Reads speedscope's JSON: profiles that share frames, each with samples and
 * weights, or with events that open and close frames at a time.
 */
#include "run/import/json.h"
#include "run/import/parsers.h"

#include <math.h>

enum { MAX_DEPTH = 4096 };

struct speedscope {
	struct cp_import *im;
	struct cp_json *j;
	CP_VEC(cp_frame_id) frame; /* of "shared" */
	CP_VEC(double) stack;      /* open frames, of events */
	double scale;              /* of weights; 0: they are no times */
	double parts;              /* of those, in one unit; 1, 10, 100 ... */
	bool own;                  /* our export, which names events */
	uint64_t no_weight, no_sample, bad_weight, small, no_frame, cut,
	    unbalanced, back;
	struct cp_tables_row row;
	struct cp_import_frame place;
};

static const struct {
	const char *unit;
	double ns;
} times[] = { { "nanoseconds", 1 }, { "microseconds", 1e3 },
	{ "milliseconds", 1e6 }, { "seconds", 1e9 } };

static double
scale_of(struct cp_text unit)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(times); i++)
		if (cp_text_is(unit, times[i].unit))
			return times[i].ns;
	return 0;
}

/* The units that are told apart. */
static struct cp_text
unit_of(struct cp_json *j, uint32_t profile)
{
	struct cp_text unit =
	    cp_json_string(j, cp_json_member(j, profile, "unit"));

	if (cp_text_is(unit, "bytes"))
		return CP_LITERAL("bytes");
	if (cp_text_is(unit, "none"))
		return CP_LITERAL("none");
	for (size_t i = 0; i < CP_ARRAY_LEN(times); i++)
		if (cp_text_is(unit, times[i].unit))
			return (struct cp_text){ times[i].unit, unit.n };
	return CP_LITERAL("");
}

static void
read_frames(struct speedscope *x)
{
	struct cp_json *j = x->j;
	uint32_t all = cp_json_path(j, 0, "shared/frames");
	struct cp_import_frame *f = &x->place;

	f->level = CP_LEVEL_USER;
	f->lines = 1;
	if (all == 0)
		return;
	for (uint32_t v = cp_json_first(j, all); v != 0;
	     v = cp_json_after(j, all, v)) {
		struct cp_text name, file;
		int64_t line = 0;
		char *kept;

		file = cp_json_string(j, cp_json_member(j, v, "file"));
		kept = cp_arena_strndup(&x->im->to->arena, file.s, file.n);
		name = cp_json_string(j, cp_json_member(j, v, "name"));
		(void)cp_json_int(j, cp_json_member(j, v, "line"), &line);
		f->object = 0;
		f->line[0] = (struct cp_import_line){ .name = name,
			.file = { kept, file.n },
			.line = (uint32_t)CP_MAX(line, 0) };
		/* Without a line it is the object, as in our export. */
		if (line <= 0 && x->own) {
			f->line[0].file.n = 0;
			f->object = cp_import_object(
			    x->im, (struct cp_text){ kept, file.n });
		}
		if (x->own && name.n > 2 && name.s[0] == '[' &&
		    name.s[name.n - 1] == ']')
			f->line[0].name.n = 0;
		f->level = cp_import_is_kernel((struct cp_text){ kept, file.n })
			       ? CP_LEVEL_KERNEL
			       : CP_LEVEL_USER;
		*cp_vec_push(&x->frame) = cp_import_frame(x->im, f);
	}
}

/* A number of a frame in the file; 0: it does not exist. */
static cp_frame_id
frame_at(struct speedscope *x, double number)
{
	if (number >= 0 && number < (double)x->frame.len)
		return x->frame.data[(size_t)number];
	x->no_frame++;
	return 0;
}

static int
add(struct speedscope *x, double weight)
{
	double w = weight * (x->scale != 0 ? x->scale : x->parts);

	x->row.times = 1;
	x->row.weight = w > 0 && w < 9e18 ? (uint64_t)(w + 0.5) : 0;
	x->small += w > 0 && x->row.weight == 0;
	x->bad_weight += w < 0 || w >= 9e18;
	return x->row.weight != 0 ? cp_import_sample(x->im, &x->row) : CP_OK;
}

static void
set_time(struct speedscope *x, double at)
{
	double ns = at * x->scale;

	x->row.time = x->scale != 0 && ns >= 0 && ns < 9e18
			  ? (uint64_t)(ns + 0.5)
			  : CP_NO_TIME;
}

static int
read_sampled(struct speedscope *x, uint32_t profile, double start)
{
	struct cp_json *j = x->j;
	uint32_t samples = cp_json_member(j, profile, "samples");
	size_t n, i = 0;
	double *weight =
	    cp_json_numbers(j, cp_json_member(j, profile, "weights"), -1, &n);
	int status = CP_OK;

	if (samples != 0 && !cp_json_is_array(j, samples))
		samples = 0;
	for (uint32_t v = samples != 0 ? cp_json_first(j, samples) : 0;
	     v != 0 && status == CP_OK; v = cp_json_after(j, samples, v), i++) {
		size_t depth = 0;

		if (i >= n || cp_json_is_cut(j, v)) {
			x->no_weight += i >= n;
			x->cut += i < n;
			continue;
		}

		x->row.stack = 0;
		for (uint32_t f = cp_json_first(j, v);
		     f != 0 && depth < MAX_DEPTH;
		     f = cp_json_after(j, v, f), depth++) {
			double number = -1;

			(void)cp_json_double(j, f, &number);
			x->row.stack = cp_import_push(x->im,
			    (cp_stack_id)x->row.stack, frame_at(x, number));
		}
		set_time(x, start);
		start += CP_MAX(weight[i], 0);
		/* An empty stack is a gap. */
		if (depth != 0)
			status = add(x, weight[i]);
	}
	x->no_sample += n > i ? n - i : 0;
	free(weight);
	return status;
}

static void
stack_now(struct speedscope *x)
{
	x->row.stack = 0;
	for (size_t i = 0; i < x->stack.len; i++)
		x->row.stack = cp_import_push(x->im, (cp_stack_id)x->row.stack,
		    frame_at(x, x->stack.data[i]));
}

/* Closes a frame with what it called; one that is not open closes none. */
static void
close_frame(struct speedscope *x, double frame)
{
	size_t n = x->stack.len;

	while (n > 0 && frame >= 0 && x->stack.data[n - 1] != frame)
		n--;
	x->unbalanced += n != x->stack.len || n == 0;
	if (n != 0)
		x->stack.len = n - 1;
}

static int
read_evented(struct speedscope *x, uint32_t profile, double start)
{
	struct cp_json *j = x->j;
	uint32_t events = cp_json_member(j, profile, "events");
	int status = CP_OK;

	x->stack.len = 0;
	if (events == 0)
		return CP_OK;
	for (uint32_t v = cp_json_first(j, events); v != 0 && status == CP_OK;
	     v = cp_json_after(j, events, v)) {
		double at = start, frame = -1;

		(void)cp_json_double(j, cp_json_member(j, v, "at"), &at);
		(void)cp_json_double(j, cp_json_member(j, v, "frame"), &frame);
		if (x->stack.len != 0 && at > start) {
			stack_now(x);
			set_time(x, start);
			status = add(x, at - start);
		}
		x->back += at < start;
		start = at;
		if (cp_text_is(
			cp_json_string(j, cp_json_member(j, v, "type")), "C"))
			close_frame(x, frame);
		else if (x->stack.len < MAX_DEPTH)
			*cp_vec_push(&x->stack) = frame;
	}
	if (!cp_json_is_cut(j, events))
		x->unbalanced += x->stack.len;
	return status;
}

/* Returns the event that our export's profile is of; NULL: not known. */
static const struct cp_import_own *
own_event(const struct speedscope *x, struct cp_text name)
{
	const struct cp_import_own *best = NULL;

	for (size_t i = 0; x->own && i < x->im->own.len; i++) {
		const struct cp_import_own *o = &x->im->own.data[i];
		struct cp_text rest = { name.s + o->name.n,
			name.n - o->name.n };

		if (name.n < o->name.n ||
		    memcmp(name.s, o->name.s, o->name.n) != 0 ||
		    (rest.n != 0 && !cp_text_begins(rest, ": ") &&
			!cp_text_begins(rest, " (")))
			continue;
		if (best == NULL || best->name.n < o->name.n)
			best = o;
	}
	return best;
}

/* Our export calls a profile "event: thread (unit)". */
static void
read_own_name(struct speedscope *x, struct cp_text name, struct cp_text unit)
{
	const struct cp_import_own *own = own_event(x, name);
	struct cp_text event = name;

	/* Exports whose unit has no name of speedscope's say theirs. */
	if (cp_text_is(unit, "none") && cp_text_ends(name, ")"))
		while (name.n > 0 && name.s[--name.n] != '(')
			;
	while (name.n > 0 && name.s[name.n - 1] == ' ')
		name.n--;
	for (size_t i = 0; own == NULL && i + 2 <= name.n; i++)
		if (name.s[i] == ':' && name.s[i + 1] == ' ') {
			event.n = i;
			break;
		}
	event.n = own != NULL ? own->name.n : CP_MIN(event.n, name.n);
	name.s += CP_MIN(event.n + 2, name.n);
	name.n -= CP_MIN(event.n + 2, name.n);
	x->row.event = cp_import_event(x->im, event,
	    x->scale != 0 ? "ns"
	    : own != NULL ? own->unit
			  : NULL,
	    true);
	x->row.thread = cp_import_thread(x->im, CP_NO_ID, CP_NO_ID, name);
}

/* A profile of another unit is of another event. */
static void
read_name(struct speedscope *x, uint32_t profile, struct cp_text unit)
{
	static const char *const part[] = { "events", "tenths", "hundredths",
		"thousandths", "ten-thousandths", "hundred-thousandths",
		"millionths" };
	struct cp_text name =
	    cp_json_string(x->j, cp_json_member(x->j, profile, "name"));
	bool bytes = cp_text_is(unit, "bytes");
	size_t k = 0;

	if (x->own) {
		read_own_name(x, name, unit);
		return;
	}
	while (name.n > 0 && name.s[name.n - 1] == ' ')
		name.n--;
	for (double p = x->parts; p > 1; p /= 10)
		k++;
	x->row.event = cp_import_event(x->im,
	    x->scale != 0 ? CP_LITERAL("time")
	    : bytes       ? CP_LITERAL("bytes")
			  : CP_LITERAL("samples"),
	    x->scale != 0 ? "ns"
	    : bytes       ? "bytes"
			  : part[k],
	    true);
	x->row.thread = cp_import_thread(x->im, CP_NO_ID, CP_NO_ID, name);
}

static int
read_profile(struct speedscope *x, uint32_t profile)
{
	struct cp_json *j = x->j;
	struct cp_text unit = unit_of(j, profile);
	double start = 0;

	x->scale = scale_of(unit);
	x->row = (struct cp_tables_row){ .time = CP_NO_TIME, .cpu = CP_NO_ID };
	read_name(x, profile, unit);
	(void)cp_json_double(
	    j, cp_json_member(j, profile, "startValue"), &start);
	if (cp_text_is(cp_json_string(j, cp_json_member(j, profile, "type")),
		"evented"))
		return read_evented(x, profile, start);
	return read_sampled(x, profile, start);
}

/* "event cycles: 4 samples, ..." of our exports: are these all, each by itself?
 */
static bool
are_single(const struct speedscope *x)
{
	struct cp_text t =
	    cp_json_string(x->j, cp_json_member(x->j, 0, "about"));
	uint64_t said = 0, n = 0;

	for (; t.n != 0; t = (struct cp_text){ t.s + 1, t.n - 1 }) {
		if (t.s[0] >= '0' && t.s[0] <= '9' && n < UINT64_MAX / 20)
			n = n * 10 + (unsigned)(t.s[0] - '0');
		else if (cp_text_begins(t, " samples, ") ||
			 cp_text_begins(t, " sample, "))
			said += CP_MIN(n, UINT32_MAX);
		else
			n = 0;
	}
	return x->own && said == x->im->to->rows.len;
}

/* Weights with fractions that are no times are counted in parts of a unit. */
static void
find_parts(struct speedscope *x, uint32_t profiles)
{
	struct cp_json *j = x->j;
	double sum = 0;

	x->parts = 1;
	for (uint32_t v = cp_json_first(j, profiles); v != 0;
	     v = cp_json_after(j, profiles, v)) {
		size_t n;
		double *weight =
		    cp_json_numbers(j, cp_json_member(j, v, "weights"), 0, &n);

		for (size_t i = 0; scale_of(unit_of(j, v)) == 0 && i < n; i++) {
			double w = weight[i] * x->parts;

			sum += fabs(weight[i]);
			for (; x->parts < 1e6 && fabs(w - rint(w)) > 1e-6;
			     w = weight[i] * x->parts)
				x->parts *= 10;
		}
		free(weight);
	}
	while (x->parts > 1 && sum * x->parts > 9e15)
		x->parts /= 10;
	if (x->parts > 1)
		cp_import_say(x->im,
		    "weights have fractions and are counted "
		    "in parts of 1/%.0f",
		    x->parts);
}

static void
put_faults(const struct speedscope *x)
{
	cp_import_fault(x->im, x->no_weight, "sample", "without a weight");
	cp_import_fault(x->im, x->no_sample, "weight", "without a sample");
	cp_import_fault(x->im, x->cut, "sample", "cut in its stack");
	cp_import_fault(x->im, x->bad_weight, "weight",
	    "that cannot be: below 0, or no number");
	cp_import_fault(
	    x->im, x->small, "weight", "below half a unit, left out");
	cp_import_fault(x->im, x->no_frame, "frame",
	    "of stacks by a number that the table of frames does not have");
	cp_import_fault(x->im, x->unbalanced, "frame",
	    "opened and not closed, or closed and not open");
	cp_import_fault(x->im, x->back, "event", "earlier than the one before");
}

int
cp_speedscope_read(struct cp_import *im, struct cp_json *j)
{
	struct speedscope *x = cp_xcalloc(1, sizeof(*x));
	uint32_t profiles = cp_json_member(j, 0, "profiles");
	int status = CP_OK;

	x->im = im;
	x->j = j;
	x->own = cp_text_begins(
	    cp_json_string(j, cp_json_member(j, 0, "exporter")), "coldperf");
	if (x->own)
		cp_import_learn_own(
		    im, cp_json_string(j, cp_json_member(j, 0, "about")));
	find_parts(x, profiles);
	read_frames(x);
	for (uint32_t v = cp_json_first(j, profiles); v != 0 && status == CP_OK;
	     v = cp_json_after(j, profiles, v))
		status = read_profile(x, v);
	if (!are_single(x))
		cp_import_divide(im, false);
	put_faults(x);
	cp_import_say(im, "%s", "no CPUs and no numbers of threads");
	cp_vec_free(&x->frame);
	cp_vec_free(&x->stack);
	free(x);
	return status;
}
