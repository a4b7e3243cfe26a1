/* SPDX-License-Identifier: MIT */
/*
 * Reads folded stacks, a line for each stack from its outermost frame:
 *
 *	java-12/13;start_thread;JavaMain_[j];sys_write_[k] 31
 *
 * The first part is the command, as the scripts that fold perf's output write
 * it, perhaps with numbers.  Two numbers at the end are the counts before and
 * after of a difference: they become two events.
 *
 * Counts are samples, unless they have a large common divisor, which is then
 * the weight of each, or are too large to be that.
 */
#include "run/import/parsers.h"

#include "base/limits.h"
#include "run/import/input.h"
#include "run/import/script-head.h"

struct folded {
	struct cp_import *im;
	uint32_t event[2];
	bool second;   /* there are lines with two counts */
	bool numbered; /* each command ends with "-pid" */
};

/*
 * Takes a number of blank-separated digits off the end; one with a fraction is
 * rounded, and whole is cleared.
 */
static bool
take_count(struct cp_text *t, uint64_t *v, bool *whole)
{
	size_t i = t->n, k, end;
	uint64_t n = 0;

	while (i > 0 && t->s[i - 1] == ' ')
		i--;
	end = i;
	while (i > 0 && ((t->s[i - 1] >= '0' && t->s[i - 1] <= '9') ||
			    t->s[i - 1] == '.'))
		i--;
	if (i == end || i == 0 || (t->s[i - 1] != ' ' && t->s[i - 1] != '\t') ||
	    t->s[i] == '.')
		return false;
	for (k = i; k < end && t->s[k] != '.'; k++) {
		if (n > (UINT64_MAX >> 4) / 10)
			return false;
		n = n * 10 + (unsigned)(t->s[k] - '0');
	}
	n += k + 1 < end && t->s[k + 1] >= '5';
	for (k++; k < end; k++)
		*whole = *whole && t->s[k] == '0';
	while (i > 0 && (t->s[i - 1] == ' ' || t->s[i - 1] == '\t'))
		i--;
	t->n = i;
	*v = n;
	return true;
}

/* Splits "a;b 1" or "a;b 1 2" into the stack and its counts; 0: it is none. */
static unsigned
split(struct cp_text *line, uint64_t count[2], bool *whole)
{
	struct cp_text once;

	if (!take_count(line, &count[0], whole) || line->n == 0)
		return 0;
	once = *line;
	if (take_count(&once, &count[1], whole) && once.n != 0) {
		uint64_t after = count[0];

		*line = once;
		count[0] = count[1];
		count[1] = after;
		return 2;
	}
	return 1;
}

bool
cp_folded_is(struct cp_text line)
{
	uint64_t count[2];
	bool whole = true;

	return split(&line, count, &whole) != 0 && line.s[0] != '#';
}

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

	row.thread = thread_of(f, part(&line));
	while (line.n != 0) {
		struct cp_text name = part(&line);

		if (name.n != 0)
			row.stack = cp_import_push(
			    f->im, (cp_stack_id)row.stack, frame_of(f, name));
	}
	if (counts == 2 && !f->second)
		f->event[1] =
		    cp_import_event(f->im, CP_LITERAL("after"), "events", true);
	f->second |= counts == 2;
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

int
cp_folded_read(struct cp_import *im)
{
	struct folded f = { .im = im, .numbered = true };
	struct cp_lines lines;
	struct cp_text line;
	uint64_t rounded = 0; /* lines */
	int status = CP_OK;

	f.event[0] = cp_import_event(im, CP_LITERAL("samples"), "events", true);
	cp_lines_begin(&lines, &im->run->capture.in);
	while (status == CP_OK && cp_lines_next(&lines, &line)) {
		uint64_t count[2];
		struct cp_text stack = line;
		bool whole = true;
		unsigned counts = split(&stack, count, &whole);

		rounded += !whole;

		if (counts != 0)
			status = read_line(&f, stack, count, counts);
		else if (line.n != 0 && line.s[0] != '#')
			cp_import_skip(im, lines.at, line.n + 1);
	}
	cp_lines_end(&lines);
	if (status == CP_OK)
		cp_import_divide(im, true);
	if (f.second)
		cp_evsels_rename(&im->run->rec.evsels,
		    im->run->rec.evsels.all.data[f.event[0]], "before");
	number_threads(&f);
	if (rounded != 0)
		cp_import_say(
		    im, "counts of %" PRIu64 " stacks are rounded", rounded);
	cp_import_say(im, "%s",
	    f.numbered ? "no times, no CPUs, few objects"
		       : "no times, no CPUs, no threads, few objects");
	return status;
}
