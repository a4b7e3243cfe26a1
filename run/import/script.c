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
	bool open;          /* a sample was begun */
	uint64_t at, bytes; /* the line of a weak head, until frames prove it */
	bool proved;        /* such heads have frames in this text */
	bool record;        /* lines of a record that is no sample follow */
	bool guess;         /* the frame is of the head's own line */
	bool flat;          /* a line with an address is a sample */
	bool tabs;          /* frames begin with a tab, other lines do not */
	cp_frame_id frame[MAX_FRAMES]; /* the innermost first */
	size_t frames;
	struct cp_import_frame *place;           /* of the line being read */
	struct cp_text inlined[CP_IMPORT_LINES]; /* not placed yet */
	size_t n_inlined;
	struct cp_buf held;    /* a frame whose next line may say "inlined" */
	struct cp_buf texts;   /* of the head */
	uint64_t lost;         /* by PERF_RECORD_LOST */
	struct cp_map64 lines; /* hash of a line -> index + 1 of of_line */
	CP_VEC(cp_frame_id) of_line;
	bool times, threads, cpus, stacks, periods; /* are there any? */
	uint64_t deep; /* frames beyond the limit */
};

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
	cp_text_cut_offset(&name);
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

/* Adds a frame whose line ended without an object. */
static void
add_held(struct script *x)
{
	struct cp_text name = { cp_buf_text(&x->held), x->held.len };
	uint64_t addr;

	if (name.n == 0 || !cp_script_take_address(&name, &addr))
		return;
	cp_text_cut_offset(&name);
	add_frame(x, place(x, name, CP_LITERAL(""), addr));
	cp_buf_reset(&x->held);
}

/*
 * Reads "addr name+0x1 (object)"; false: it is no frame.  Most lines were there
 * before, and are known by their hash.
 */
static bool
read_frame(struct script *x, struct cp_text line)
{
	struct cp_text name = cp_text_trimmed(line), object = { "", 0 }, text;
	uint64_t key = cp_hash_bytes(name.s, name.n), addr;
	uint32_t known;
	struct cp_script_head h;
	bool alone;

	add_held(x);
	alone = x->n_inlined == 0;
	known = alone ? cp_map64_get(&x->lines, key) : 0;
	if (known != 0) {
		add_frame(x, x->of_line.data[known - 1]);
		return true;
	}
	text = name;
	if (!cp_script_take_address(&name, &addr) ||
	    (!cp_script_take_object(&name, &object) && line.s[0] != '\t' &&
		cp_script_head(line, &h) &&
		(h.tid != CP_NO_ID || h.time != CP_NO_TIME)))
		return false;
	if (cp_text_is(object, "inlined")) {
		keep_inlined(x, name);
		return true;
	}
	if (object.n == 0) {
		cp_buf_add(&x->held, text.s, text.n);
		return true;
	}
	cp_text_cut_offset(&name);
	add_frame(x, place(x, name, object, addr));
	if (alone && x->frames < MAX_FRAMES) {
		*cp_vec_push(&x->of_line) = x->frame[x->frames - 1];
		*cp_map64_put(&x->lines, key) = (uint32_t)x->of_line.len;
	}
	return true;
}

/* A source line, which follows its frame and may say that it is inlined. */
static bool
read_source_line(struct script *x, struct cp_text line)
{
	struct cp_text name = { cp_buf_text(&x->held), x->held.len };
	bool inlined = false;
	uint64_t addr;

	if (!cp_script_is_source(line, &inlined))
		return false;
	if (inlined && name.n != 0 && cp_script_take_address(&name, &addr)) {
		keep_inlined(x, name);
		cp_buf_reset(&x->held);
	}
	return true;
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
	add_held(x);
	x->open = false;
	x->n_inlined = 0;
	if (h->weak && x->frames == 0 && !x->proved) {
		cp_import_skip(x->im, x->at, x->bytes);
		return CP_OK;
	}
	x->proved |= h->weak;
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
	x->guess = x->record = x->tabs = false;
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

/* Lines of --show-*-events: "PERF_RECORD_LOST lost 12" */
static void
read_record(struct script *x, struct cp_text t)
{
	static const char word[] = " lost ";
	uint64_t n = 0;

	x->record = true;
	if (!cp_text_begins(t, "PERF_RECORD_LOST"))
		return;
	while (t.n != 0 && !cp_text_begins(t, word))
		t = (struct cp_text){ t.s + 1, t.n - 1 };
	for (size_t i = strlen(word);
	     i < t.n && t.s[i] >= '0' && t.s[i] <= '9' && n < UINT64_MAX / 20;
	     i++)
		n = n * 10 + (unsigned)(t.s[i] - '0');
	x->lost += CP_MIN(n, UINT64_MAX - x->lost);
}

/*
 * Lines that belong to a sample or a record, and have no frame: source lines,
 * registers, bytes of BPF, pages, branches.
 */
static bool
is_more(struct script *x, struct cp_text line)
{
	struct cp_text t = cp_text_trimmed(line);

	/* "|12   code" of -F srccode */
	if (cp_script_is_branches(line) ||
	    (line.n > 1 && line.s[0] == '|' && line.s[1] >= '0' &&
		line.s[1] <= '9'))
		return true;
	if (line.s[0] != ' ' && line.s[0] != '\t')
		return false;
	return x->record || cp_text_begins(t, "insn: ") ||
	       cp_text_begins(t, "ilen: ") || cp_text_begins(t, "ABI:") ||
	       cp_text_begins(t, "BPF output: ") ||
	       (t.n > 8 && memcmp(t.s + 4, ": ", 2) == 0 && t.s[8] == ' ' &&
		   cp_hex_digit(t.s[6]) >= 0) ||
	       read_source_line(x, line) ||
	       (x->open && x->tabs && line.s[0] == ' ');
}

/* Only frames: -F ip,sym,dso */
static bool
begin_bare(struct script *x, struct cp_text line)
{
	const struct cp_script_head h = { .comm = CP_LITERAL(""),
		.event = CP_LITERAL(""),
		.pid = CP_NO_ID,
		.tid = CP_NO_ID,
		.cpu = CP_NO_ID,
		.time = CP_NO_TIME,
		.period = 1 };

	if (x->open || (line.s[0] != ' ' && line.s[0] != '\t'))
		return false;
	begin_sample(x, &h);
	x->open = read_frame(x, line);
	return x->open;
}

static bool
is_strong(struct cp_text line)
{
	struct cp_script_head h;

	return cp_script_head(line, &h) && !h.weak && h.comm.n != 0 &&
	       h.time != CP_NO_TIME;
}

/* Reads a frame of the sample that is open. */
static bool
read_chain(struct script *x, struct cp_text line)
{
	bool blank = line.s[0] == ' ' || line.s[0] == '\t';
	bool whole = cp_text_ends(cp_text_trimmed(line), ")");

	if (!x->open)
		return false;
	/* A command may be a hexadecimal number; it has no blank before it. */
	if (!blank && (x->head.weak || !whole || is_strong(line)))
		return false;
	if (x->frames != 0 && !x->guess && x->tabs && line.s[0] != '\t' &&
	    !whole)
		return false;
	if (x->guess) {
		struct cp_text t = cp_text_trimmed(line);
		uint64_t addr;

		if (line.s[0] != '\t' &&
		    (is_strong(line) || !cp_script_take_address(&t, &addr)))
			return false;
		x->frames = 0;
		cp_buf_reset(&x->held);
		x->guess = false;
	}
	if (!read_frame(x, line))
		return false;
	x->tabs = line.s[0] == '\t';
	return true;
}

/* Reads a line that is a whole sample. */
static int
read_flat(
    struct script *x, const struct cp_script_head *h, struct cp_text frame)
{
	int status = end_sample(x);

	begin_sample(x, h);
	x->head.weak = false;
	x->guess = read_frame(x, frame);
	return status;
}

static int
read_line(struct script *x, struct cp_text line, uint64_t at)
{
	struct cp_script_head h;
	struct cp_text frame;
	int status;

	if (cp_text_trimmed(line).n == 0) {
		x->record = false;
		return end_sample(x);
	}
	if (line.s[0] == '#' && !x->open) {
		read_comment(x, line);
		return CP_OK;
	}
	if (x->flat && cp_script_flat(line, &h, &frame))
		return read_flat(x, &h, frame);
	if ((!x->flat || line.s[0] == '\t') && read_chain(x, line))
		return CP_OK;
	if (!is_strong(line) && is_more(x, line))
		return CP_OK;
	if (!cp_script_head(line, &h) || (h.weak && x->open && !x->flat)) {
		if (!begin_bare(x, line))
			cp_import_skip(x->im, at, line.n + 1);
		return CP_OK;
	}
	if (!x->open && (h.weak || h.comm.n == 0) && !h.has_period &&
	    begin_bare(x, line))
		return CP_OK;
	status = end_sample(x);
	if (h.record) {
		read_record(x, h.rest);
		return status;
	}
	/* Other samples have addresses: a line that is cut has none. */
	h.weak |= x->flat && h.time == CP_NO_TIME && h.event.n == 0;
	begin_sample(x, &h);
	x->at = at;
	x->bytes = line.n + 1;
	h.rest = cp_script_own_frame(h.rest);
	x->guess = h.rest.n != 0 && read_frame(x, h.rest);
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
	cp_buf_init(&x->held, SIZE_MAX / 2);
	x->flat = cp_script_is_flat(&im->run->capture.in);
	cp_lines_begin(&lines, &im->run->capture.in);
	while (status == CP_OK && cp_lines_next(&lines, &line))
		status = read_line(x, line, lines.at);
	/* stackcollapse-perf.pl leaves that sample out, inferno does not. */
	if (x->open && x->frames != 0 && !x->guess)
		cp_import_say(im, "no empty line after the last sample: it may "
				  "lack callers");
	if (status == CP_OK)
		status = end_sample(x);
	cp_lines_end(&lines);
	say_lacks(x);
	if (x->lost != 0)
		cp_import_say(
		    im, "%" PRIu64 " records were lost, it says", x->lost);
	if (x->deep != 0)
		cp_diag(im->run->diags, CP_D_LIMIT,
		    "%d frames of a sample: %" PRIu64 " frames are left out",
		    MAX_FRAMES, x->deep);
	cp_buf_free(&x->texts);
	cp_buf_free(&x->held);
	cp_map64_free(&x->lines);
	cp_vec_free(&x->of_line);
	free(x->place);
	free(x);
	return status;
}
