/* SPDX-License-Identifier: MIT */
/*
 * Reads what `perf script` printed, with any -F, and what simpleperf's
 * report_sample.py prints in the same form:
 *
 *	prog 123/124 [001] 63435.201877: 9009009 cycles:u:
 *		aaaad1f8097c func1+0x3c (/opt/prog)
 *
 * An empty line ends a sample.  Without call chains there is none, and the line
 * of the sample goes on with its address.
 */
#include "run/import/parsers.h"

#include "base/limits.h"
#include "run/import/input.h"
#include "run/import/script-head.h"

enum { MAX_FRAMES = 1024 };

struct script {
	struct cp_import *im;
	struct cp_script_head head;
	bool open;                     /* a sample was begun */
	cp_frame_id frame[MAX_FRAMES]; /* the innermost first */
	size_t frames;
	struct cp_import_frame *place;           /* of the line being read */
	struct cp_text inlined[CP_IMPORT_LINES]; /* not placed yet */
	size_t n_inlined;
	struct cp_buf texts;   /* of those */
	struct cp_map64 lines; /* hash of a line -> index + 1 of of_line */
	CP_VEC(cp_frame_id) of_line;
	bool times, threads, cpus, stacks, periods; /* are there any? */
	uint64_t deep; /* frames beyond the limit */
};

/* Takes the hexadecimal number at the start; it ends before a blank. */
static bool
take_address(struct cp_text *t, uint64_t *v)
{
	size_t i = 0;

	for (*v = 0; i < t->n && i < 17 && cp_hex_digit(t->s[i]) >= 0; i++)
		*v = *v << 4 | (unsigned)cp_hex_digit(t->s[i]);
	if (i == 0 || i > 16 || (i < t->n && t->s[i] != ' '))
		return false;
	*t = cp_text_trimmed((struct cp_text){ t->s + i, t->n - i });
	return true;
}

bool
cp_script_is_frame(struct cp_text line)
{
	uint64_t addr;

	if (line.n == 0 || (line.s[0] != ' ' && line.s[0] != '\t'))
		return false;
	line = cp_text_trimmed(line);
	return take_address(&line, &addr) && line.n != 0;
}

/* Takes "(object)" off the end; the parentheses match. */
static bool
take_object(struct cp_text *t, struct cp_text *object)
{
	int depth = 0;
	size_t i;

	if (!cp_text_ends(*t, ")"))
		return false;
	for (i = t->n; i > 0; i--) {
		depth += t->s[i - 1] == ')';
		depth -= t->s[i - 1] == '(';
		if (depth == 0)
			break;
	}
	if (i == 0 || (i > 1 && t->s[i - 2] != ' '))
		return false;
	*object = (struct cp_text){ t->s + i, t->n - i - 1 };
	*t = cp_text_trimmed((struct cp_text){ t->s, i - 1 });
	if (cp_text_ends(*object, " (deleted)"))
		object->n -= strlen(" (deleted)");
	return true;
}

/* Takes "+0x3c" off the end. */
static void
take_offset(struct cp_text *t)
{
	size_t i = t->n;

	while (i > 0 && cp_hex_digit(t->s[i - 1]) >= 0)
		i--;
	if (i >= 3 && i != t->n && memcmp(t->s + i - 3, "+0x", 3) == 0)
		t->n = i - 3;
}

static cp_frame_id
place(
    struct script *x, struct cp_text name, struct cp_text object, uint64_t addr)
{
	struct cp_import_frame *f = x->place;
	bool named = name.n != 0 && !cp_text_is(name, "[unknown]");

	f->object = cp_import_object(x->im, object);
	f->level = cp_import_is_kernel(object) ||
			   (f->object == 0 && addr >> 47 != 0 && !named)
		       ? CP_LEVEL_KERNEL
		       : CP_LEVEL_USER;
	f->addr = named ? 0 : addr;
	f->lines = 1;
	f->line[0] =
	    (struct cp_import_line){ .name = named ? name : CP_LITERAL("") };
	/* The text has the innermost first. */
	for (size_t i = x->n_inlined; i-- > 0;)
		f->line[f->lines++] =
		    (struct cp_import_line){ .name = x->inlined[i] };
	x->n_inlined = 0;
	return cp_import_frame(x->im, f);
}

/* The functions that were inlined at an address stand before it. */
static void
keep_inlined(struct script *x, struct cp_text name)
{
	if (x->n_inlined + 1 >= CP_IMPORT_LINES || name.n == 0)
		return;
	x->inlined[x->n_inlined++] = (struct cp_text){
		cp_arena_strndup(&x->im->to->arena, name.s, name.n), name.n
	};
}

/* Adds a frame to the sample. */
static void
add_frame(struct script *x, cp_frame_id frame)
{
	if (x->frames < MAX_FRAMES)
		x->frame[x->frames++] = frame;
	else
		x->deep++;
}

/*
 * Reads "addr name+0x1 (object)"; false: it is no frame.  Most lines were there
 * before, and are known by their hash.
 */
static bool
read_frame(struct script *x, struct cp_text line)
{
	struct cp_text name = cp_text_trimmed(line), object = { "", 0 };
	uint64_t key = cp_hash_bytes(name.s, name.n), addr;
	uint32_t known = x->n_inlined == 0 ? cp_map64_get(&x->lines, key) : 0;
	bool alone = x->n_inlined == 0;
	struct cp_script_head h;

	if (known != 0) {
		add_frame(x, x->of_line.data[known - 1]);
		return true;
	}
	if (!take_address(&name, &addr) ||
	    (!take_object(&name, &object) && cp_script_head(line, &h) &&
		h.tid != CP_NO_ID))
		return false;
	if (cp_text_is(object, "inlined")) {
		keep_inlined(x, name);
		return true;
	}
	take_offset(&name);
	add_frame(x, place(x, name, object, addr));
	if (alone && x->frames < MAX_FRAMES) {
		*cp_vec_push(&x->of_line) = x->frame[x->frames - 1];
		*cp_map64_put(&x->lines, key) = (uint32_t)x->of_line.len;
	}
	return true;
}

/* "  file.c:12" of -F srcline */
static bool
is_source_line(struct cp_text t)
{
	size_t i = t.n;

	while (i > 0 && t.s[i - 1] >= '0' && t.s[i - 1] <= '9')
		i--;
	return i != t.n && i > 1 && t.s[i - 1] == ':' && t.n != 0 &&
	       (t.s[0] == ' ' || t.s[0] == '\t');
}

/* --------------------------------------------------------------- the whole */

static int
end_sample(struct script *x)
{
	struct cp_script_head *h = &x->head;
	struct cp_tables_row row = {
		.time = h->time, .weight = h->period, .cpu = h->cpu, .times = 1
	};

	if (!x->open)
		return CP_OK;
	x->open = false;
	x->n_inlined = 0;
	x->stacks |= x->frames > 1;
	x->times |= h->time != CP_NO_TIME;
	x->cpus |= h->cpu != CP_NO_ID;
	x->threads |= h->tid != CP_NO_ID;
	x->periods |= h->has_period;
	for (size_t i = x->frames; i-- > 0;)
		row.stack =
		    cp_import_push(x->im, (cp_stack_id)row.stack, x->frame[i]);
	row.thread = cp_import_thread(x->im, h->pid, h->tid, h->comm);
	row.event = cp_import_event(x->im,
	    h->event.n != 0 ? h->event : CP_LITERAL("samples"),
	    h->has_period ? NULL : "events", h->has_period);
	return cp_import_sample(x->im, &row);
}

/* Texts of the head outlive the line. */
static void
begin_sample(struct script *x, const struct cp_script_head *h)
{
	x->head = *h;
	x->open = true;
	x->frames = 0;
	cp_buf_reset(&x->texts);
	cp_buf_add(&x->texts, h->comm.s, h->comm.n);
	cp_buf_add(&x->texts, h->event.s, h->event.n);
	x->head.comm.s = cp_buf_text(&x->texts);
	x->head.event.s = cp_buf_text(&x->texts) + h->comm.n;
}

/* "# hostname : x" of --header */
static void
read_comment(struct script *x, struct cp_text line)
{
	static const char *const names[] = {
		"# hostname : ", "# os release : ", "# arch : ", "# cmdline : "
	};
	struct cp_info *info = &x->im->run->rec.info;
	const char **to[] = { &info->hostname, &info->os_release, &info->arch,
		&info->cmdline_text };

	if (x->im->run->options->redact != NULL)
		return;
	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++) {
		size_t n = strlen(names[i]);

		if (cp_text_begins(line, names[i]) && *to[i] == NULL)
			*to[i] = cp_info_text(info, line.s + n, line.n - n);
	}
}

static int
read_line(struct script *x, struct cp_text line, uint64_t at)
{
	struct cp_script_head h;
	int status;

	if (cp_text_trimmed(line).n == 0)
		return end_sample(x);
	if (line.s[0] == '#' && !x->open) {
		read_comment(x, line);
		return CP_OK;
	}
	if (x->open && read_frame(x, line))
		return CP_OK;
	if (!cp_script_head(line, &h)) {
		if (!x->open) {
			h = (struct cp_script_head){ .comm = CP_LITERAL(""),
				.event = CP_LITERAL(""),
				.pid = CP_NO_ID,
				.tid = CP_NO_ID,
				.cpu = CP_NO_ID,
				.time = CP_NO_TIME,
				.period = 1 };
			begin_sample(x, &h);
			if (read_frame(x, line))
				return CP_OK;
			x->open = false;
		} else if (is_source_line(line)) {
			return CP_OK;
		}
		cp_import_skip(x->im, at, line.n + 1);
		return CP_OK;
	}
	status = end_sample(x);
	begin_sample(x, &h);
	/* Without a call chain the address follows. */
	if (h.rest.n != 0 && cp_text_ends(h.rest, ")") &&
	    read_frame(x, h.rest) && status == CP_OK)
		status = end_sample(x);
	return status;
}

static void
say_lacks(const struct script *x)
{
	const struct {
		bool there;
		const char *what;
	} all[] = { { x->times, "times" }, { x->cpus, "CPUs" },
		{ x->threads, "threads" }, { x->stacks, "call chains" },
		{ x->periods, "periods" } };
	char text[100] = "";
	size_t n = 0;

	for (size_t i = 0; i < CP_ARRAY_LEN(all); i++)
		if (!all[i].there)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
			    "%sno %s", n != 0 ? ", " : "", all[i].what);
	if (n != 0)
		cp_import_say(x->im, "%s", text);
}

int
cp_script_read(struct cp_import *im)
{
	struct script *x = cp_xcalloc(1, sizeof(*x));
	struct cp_lines lines;
	struct cp_text line;
	int status = CP_OK;

	x->im = im;
	x->place = cp_xcalloc(1, sizeof(*x->place));
	cp_buf_init(&x->texts, SIZE_MAX / 2);
	cp_lines_begin(&lines, &im->run->capture.in);
	while (status == CP_OK && cp_lines_next(&lines, &line))
		status = read_line(x, line, lines.at);
	/* stackcollapse-perf.pl leaves that sample out, inferno does not. */
	if (x->open && x->frames != 0)
		cp_import_say(im, "no empty line after the last sample: it may "
				  "lack callers");
	if (status == CP_OK)
		status = end_sample(x);
	cp_lines_end(&lines);
	say_lacks(x);
	if (x->deep != 0)
		cp_diag(im->run->diags, CP_D_LIMIT,
		    "%d frames of a sample: %" PRIu64 " frames are left out",
		    MAX_FRAMES, x->deep);
	cp_buf_free(&x->texts);
	cp_map64_free(&x->lines);
	cp_vec_free(&x->of_line);
	free(x->place);
	free(x);
	return status;
}
