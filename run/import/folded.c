/* SPDX-License-Identifier: MIT */
/*
 * Reads folded stacks, a line for each stack from its outermost frame:
 *
 *	java-12/13;start_thread;JavaMain_[j];sys_write_[k] 31
 *
 * The first part is the command, as the scripts that fold perf's output write
 * it, perhaps with numbers; if all look like frames, it is one.  Two numbers at
 * the end of each line are the counts before and after of a difference: they
 * become two events.
 *
 * Counts are samples, unless they have a large common divisor, which is then
 * the weight of each, or are too large to be that.  With fractions they are
 * counted in parts; Austin's are microseconds.
 */
#include "run/import/folded.h"

#include "base/limits.h"
#include "run/import/input.h"
#include "run/import/parsers.h"
#include "run/import/script-head.h"

struct folded {
	struct cp_import *im;
	struct cp_folded is;
	uint32_t event[2];
	bool numbered; /* each command ends with "-pid" */
};

static cp_frame_id
frame_of(struct folded *f, struct cp_text name)
{
	struct cp_import_frame frame = { .level = CP_LEVEL_USER, .lines = 1 };

	if (cp_text_ends(name, "_[k]")) {
		frame.level = CP_LEVEL_KERNEL;
		frame.object =
		    cp_import_object(f->im, CP_LITERAL("[kernel.kallsyms]"));
	} else if (cp_text_ends(name, "_[j]")) {
		frame.object = cp_import_object(f->im, CP_LITERAL("[JIT]"));
	}
	if (frame.object != 0 || cp_text_ends(name, "_[i]") ||
	    cp_text_ends(name, "_[w]"))
		name.n -= 4;
	cp_text_cut_offset(&name);
	frame.line[0].name = name;
	if (name.n > 2 && name.s[0] == '[' && name.s[name.n - 1] == ']') {
		frame.line[0].name.n = 0;
		if (frame.object == 0 && !cp_text_is(name, "[unknown]"))
			frame.object = cp_import_object(f->im,
			    cp_text_begins(name, "[kernel")
				? name
				: (struct cp_text){ name.s + 1, name.n - 2 });
	}
	if (cp_text_begins(name, "[kernel"))
		frame.level = CP_LEVEL_KERNEL;
	return cp_import_frame(f->im, &frame);
}

static struct cp_text
part(struct cp_text *rest)
{
	const char *end = memchr(rest->s, ';', rest->n);
	struct cp_text p = { rest->s,
		end != NULL ? (size_t)(end - rest->s) : rest->n };
	size_t used = p.n + (end != NULL);

	*rest = (struct cp_text){ rest->s + used, rest->n - used };
	return p;
}

/* "java-12/13", "java-?/13", "java-12" */
static bool
numbers_of(struct cp_text *comm, uint32_t *pid, uint32_t *tid)
{
	size_t i = comm->n;
	uint64_t n[2] = { 0, 0 };
	unsigned parts = 0;

	*pid = *tid = CP_NO_ID;
	for (size_t end = i; i > 0; end = --i) {
		uint64_t unit = 1;

		while (i > 0 && comm->s[i - 1] >= '0' &&
		       comm->s[i - 1] <= '9' && end - i < 10) {
			n[parts] += (uint64_t)(comm->s[--i] - '0') * unit;
			unit *= 10;
		}
		if (i == end && i > 0 && comm->s[i - 1] == '?')
			n[parts] = CP_NO_ID, i--;
		if (i == end || i < 2 || parts++ == 1 || comm->s[i - 1] != '/')
			break;
	}
	if (parts == 0 || i < 2 || comm->s[i - 1] != '-')
		return false;
	*tid = parts == 2 ? (uint32_t)n[0] : CP_NO_ID;
	*pid = (uint32_t)n[parts - 1];
	comm->n = i - 1;
	return true;
}

/* The row of the command's thread, which gets its numbers at the end. */
static uint32_t
thread_of(struct folded *f, struct cp_text comm)
{
	struct cp_text bare = comm;
	uint32_t pid, tid;

	f->numbered = f->numbered && numbers_of(&bare, &pid, &tid);
	return cp_import_thread(f->im, CP_NO_ID, CP_NO_ID, comm);
}

static int
read_line(struct folded *f, struct cp_text line, const uint64_t *count,
    unsigned counts)
{
	struct cp_tables_row row = {
		.time = CP_NO_TIME, .cpu = CP_NO_ID, .context = 0, .times = 1
	};
	int status = CP_OK;

	row.thread = thread_of(f, f->is.frames ? CP_LITERAL("") : part(&line));
	while (line.n != 0) {
		struct cp_text name = part(&line);

		if (name.n != 0)
			row.stack = cp_import_push(
			    f->im, (cp_stack_id)row.stack, frame_of(f, name));
	}
	for (unsigned i = 0; i < counts && status == CP_OK; i++) {
		row.event = f->event[i];
		row.weight = count[i];
		if (count[i] != 0)
			status = cp_import_sample(f->im, &row);
	}
	return status;
}

static void
number_threads(struct folded *f)
{
	struct cp_tables *t = f->im->to;

	for (size_t i = 0; i < t->thread.len && f->numbered; i++) {
		struct cp_tables_thread *at = &t->thread.data[i];
		const char *comm = cp_run_string(f->im->run, at->comm);
		struct cp_text bare = { comm, strlen(comm) };

		if (!numbers_of(&bare, &at->pid, &at->tid))
			continue;
		at->comm = cp_strings_addn(
		    &f->im->run->session.strings, bare.s, bare.n);
		f->im->run->session.thread.data[i].pid = at->pid;
		f->im->run->session.thread.data[i].tid = at->tid;
		f->im->run->session.thread.data[i].comm = at->comm;
	}
}

/* Says how the counts and the first parts were read. */
static void
say_how(const struct folded *f, uint64_t rounded)
{
	static const char *const parts[] = { "", "tenths", "hundredths",
		"thousandths", "ten-thousandths", "hundred-thousandths",
		"millionths" };

	if (f->is.places != 0)
		cp_import_say(f->im, "counts have fractions and are in %s",
		    parts[f->is.places]);
	if (f->is.mode != NULL)
		cp_import_say(f->im, "of Austin, %s%s", f->is.mode,
		    f->is.full ? ": the first of three numbers" : "");
	if (f->is.frames)
		cp_import_say(f->im, "no commands");
	else if (f->is.alone != 0)
		cp_import_say(f->im,
		    "%" PRIu64 " stack%s without a frame: the first part is "
		    "taken for a command",
		    f->is.alone, cp_s(f->is.alone));
	if (rounded != 0)
		cp_import_say(
		    f->im, "counts of %" PRIu64 " stacks are rounded", rounded);
	cp_import_say(f->im, "%s",
	    f->numbered ? "no times, no CPUs, few objects"
			: "no times, no CPUs, no threads, few objects");
}

/* Reads a line; rounded: of those with a count that is not whole. */
static int
read_counted(
    struct folded *f, struct cp_text line, uint64_t at, uint64_t *rounded)
{
	struct cp_count count[2];
	struct cp_text stack = line;
	bool time = f->is.mode != NULL && strcmp(f->is.mode, "memory") != 0;
	bool whole = true;
	uint64_t value[2];
	unsigned counts;

	if (line.n == 0 || cp_folded_is_comment(line))
		return CP_OK;
	counts = cp_folded_split(&f->is, &stack, count);
	for (unsigned i = 0; i < counts; i++) {
		value[i] = cp_count_value(count[i], f->is.places, &whole);
		if (time)
			value[i] = CP_MIN(value[i], UINT64_MAX / 16000) * 1000;
	}
	*rounded += !whole;
	if (counts != 0)
		return read_line(f, stack, value, counts);
	if (line.s[0] != '#')
		cp_import_skip(f->im, at, line.n + 1);
	return CP_OK;
}

int
cp_folded_read(struct cp_import *im)
{
	struct folded f = { .im = im, .numbered = true };
	const char *why = cp_folded_look(&im->run->capture.in, &f.is);
	struct cp_text name = CP_LITERAL("samples");
	struct cp_lines lines;
	struct cp_text line;
	uint64_t rounded = 0; /* lines */
	int status = CP_OK;
	bool time;

	if (why != NULL) {
		cp_diag(im->run->diags, CP_D_NOT_PERF, "%s", why);
		return CP_FAIL;
	}
	f.numbered = !f.is.frames;
	time = f.is.mode != NULL && strcmp(f.is.mode, "memory") != 0;
	if (f.is.mode != NULL)
		name = (struct cp_text){ f.is.mode, strlen(f.is.mode) };
	f.event[0] = cp_import_event(im, name, time ? "ns" : "events", true);
	if (f.is.pairs)
		f.event[1] =
		    cp_import_event(im, CP_LITERAL("after"), "events", true);
	cp_lines_begin(&lines, &im->run->capture.in);
	while (status == CP_OK && cp_lines_next(&lines, &line))
		status = read_counted(&f, line, lines.at, &rounded);
	cp_lines_end(&lines);
	if (status == CP_OK)
		cp_import_divide(im, true);
	if (f.is.pairs)
		cp_evsels_rename(&im->run->rec.evsels,
		    im->run->rec.evsels.all.data[f.event[0]], "before");
	number_threads(&f);
	say_how(&f, rounded);
	return status;
}
