/* SPDX-License-Identifier: MIT */
/*
 * script: samples as `perf script` prints them, one after the other.
 *
 * The layout is that of perf 6.1; addresses of user frames in chains are the
 * recorded ones, as perf prints since 6.12.  Names are looked up once per
 * frame.  Where debug information is asked for, that takes reading the same
 * parts of it again and again unless many are asked for at once: samples are
 * held back until there are enough frames.
 */
#include "cli/command/script-columns.h"
#include "run/api.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/redact.h"
#include "cli/command/command.h"
#include "cli/status.h"
#include "render/common/escape.h"

/* X(name), in the order of the bits. */
/* clang-format off */
#define FIELDS(X) \
	X(comm) X(pid) X(tid) X(cpu) X(time) X(period) X(event) X(ip) X(sym) \
	X(symoff) X(dso) X(addr) X(cgroup) X(guess)
/* clang-format on */

enum field {
#define X(name) FIELD_##name,
	FIELDS(X)
#undef X
	    FIELD_COUNT
};

#define BIT(name) (1u << FIELD_##name)
#define USUAL_FIELDS                                                           \
	(BIT(comm) | BIT(pid) | BIT(tid) | BIT(cpu) | BIT(time) |              \
	    BIT(period) | BIT(event) | BIT(ip) | BIT(sym) | BIT(symoff) |      \
	    BIT(dso))
#define HAS(s, name) (((s)->fields >> FIELD_##name & 1) != 0)

/* The text after a frame's address, made once per frame. */
struct tail {
	const char *text; /* NULL: not yet */
	size_t len;
	struct tail *inlined; /* innermost first */
	uint32_t n;
};

/* A sample to be printed: sizes of its parts in heads and frames. */
struct held {
	uint32_t head, frames;
	bool chain;
};

struct script {
	struct cp_cli *cli;
	struct cp_output o;
	struct cp_buf line;
	struct cp_buf heads; /* heads of the samples held */
	CP_VEC(struct held) held;
	/* their frames, and the addresses printed */
	CP_VEC(cp_frame_id) frames;
	CP_VEC(uint64_t) ips;
	struct cp_buf scratch;
	struct cp_arena arena;
	CP_VEC(struct tail) tails; /* by frame id */
	uint32_t fields;
	int event_width;
};

static const char *const field_names[] = {
#define X(name) #name,
	FIELDS(X)
#undef X
};

/* ----------------------------------------------------------------- fields */

static int
field_add(struct script *s, const char *name, size_t n)
{
	for (unsigned i = 0; i < FIELD_COUNT; i++)
		if (strlen(field_names[i]) == n &&
		    memcmp(field_names[i], name, n) == 0) {
			s->fields |= 1u << i;
			return CP_OK;
		}
	cp_diag(
	    &s->cli->diags, CP_D_USAGE, "unknown field `%.*s'", (int)n, name);
	return CP_FAIL;
}

static int
fields_parse(struct script *s)
{
	const char *f = s->cli->fields, *comma;

	if (f == NULL || *f == '+')
		s->fields = USUAL_FIELDS;
	if (f == NULL)
		return CP_OK;
	f += *f == '+';
	for (; (comma = strchr(f, ',')) != NULL; f = comma + 1)
		if (field_add(s, f, (size_t)(comma - f)) != CP_OK)
			return CP_FAIL;
	return field_add(s, f, strlen(f));
}

/* ----------------------------------------------------------------- pieces */

static void
put_time(struct script *s, uint64_t t)
{
	struct cp_buf *b = &s->heads;
	size_t from = b->len;
	uint64_t part = t % 1000000000u;
	char digits[16];

	cp_column_u64(b, t / 1000000000u, 5);
	if (s->cli->ns)
		snprintf(digits, sizeof(digits), ".%09u", (unsigned)part);
	else
		snprintf(
		    digits, sizeof(digits), ".%06u", (unsigned)(part / 1000));
	cp_buf_str(b, digits);
	cp_column_pad(b, from, s->cli->ns ? 0 : 12);
	cp_buf_str(b, ": ");
}

static void
put_task(struct script *s, const struct cp_sample *sample)
{
	struct cp_buf *b = &s->heads;
	size_t from;

	if (HAS(s, pid))
		cp_column_id(b, sample->pid, 5);
	if (HAS(s, pid) && HAS(s, tid))
		cp_buf_char(b, '/');
	from = b->len;
	if (HAS(s, tid)) {
		cp_column_id(b, sample->tid, HAS(s, pid) ? 0 : 5);
		while (b->len - from < 5)
			cp_buf_char(b, ' ');
	}
	if (HAS(s, pid) || HAS(s, tid))
		cp_buf_char(b, ' ');
}

static void
add_symbol(struct script *s, struct cp_run *run, cp_frame_id id)
{
	const struct cp_symbol *sym = cp_run_symbol_now(run, id);
	struct cp_buf *b = &s->scratch;

	cp_buf_char(b, ' ');
	if (sym == NULL) {
		cp_buf_str(b, "[unknown]");
		return;
	}
	cp_escape_terminal(b, sym->name);
	if (HAS(s, symoff)) {
		cp_buf_str(b, "+0x");
		cp_buf_hex(b, cp_frame_get(run, id)->addr - sym->start);
	}
}

static void
add_dso(struct script *s, const struct cp_run *run, cp_frame_id id)
{
	const struct cp_dso *d = cp_run_dso(run, cp_frame_get(run, id)->dso);
	struct cp_buf *b = &s->scratch;

	cp_buf_str(b, " (");
	if (d != NULL)
		cp_escape_terminal(b, cp_run_string(run, d->name));
	else
		cp_buf_str(b, "[unknown]");
	cp_buf_char(b, ')');
}

/* Prints names with the offset in the function that contains the code. */
static void
add_inlined(struct script *s, struct cp_run *run, cp_frame_id id,
    const struct cp_spot *spot)
{
	const struct cp_symbol *sym = cp_run_symbol_now(run, id);
	const char *name = spot->symbol != NULL ? spot->symbol->name : NULL;
	size_t n = name != NULL ? strlen(name) - strlen(CP_INLINED) : 0;
	struct cp_buf *b = &s->scratch;

	cp_buf_char(b, ' ');
	cp_escape_terminal(b,
	    name == NULL ? "[unknown]" : cp_arena_strndup(&s->arena, name, n));
	if (HAS(s, symoff) && sym != NULL) {
		cp_buf_str(b, "+0x");
		cp_buf_hex(b, cp_frame_get(run, id)->addr - sym->start);
	}
	cp_buf_str(b, CP_INLINED);
}

/*
 * Adds the mark after the object, where scripts that parse perf's fields ignore
 * it.
 */
static void
add_guess(struct script *s, const struct cp_run *run, cp_frame_id id)
{
	enum cp_guess how = cp_frame_guess(cp_frame_get(run, id));

	if (how != CP_GUESS_NONE)
		cp_buf_printf(&s->scratch, " [guess: %s]", cp_guess_name(how));
}

/* Prints the line as perf does: below the frame, without its folder. */
static void
add_line(struct script *s, const struct cp_spot *spot)
{
	const char *slash;

	if (!s->cli->lines || spot->file == NULL)
		return;
	slash = strrchr(spot->file, '/');
	cp_buf_str(&s->scratch, "\n  ");
	cp_escape_terminal(&s->scratch, slash != NULL ? slash + 1 : spot->file);
	cp_buf_printf(&s->scratch, ":%" PRIu32, spot->line);
}

static struct tail
tail_made(struct script *s)
{
	const char *text = cp_cli_redact_text(s->cli, cp_buf_text(&s->scratch));
	size_t n = strlen(text);

	return (struct tail){ .text = cp_arena_strndup(&s->arena, text, n),
		.len = n };
}

static bool
wants_spots(const struct script *s)
{
	return s->cli->run.inlines != CP_INLINE_NO || s->cli->lines;
}

static struct tail
new_tail(struct script *s, struct cp_run *run, cp_frame_id id)
{
	const struct cp_spot *spots = NULL;
	size_t n = wants_spots(s) ? cp_frame_spots(run, id, &spots) : 0;
	struct tail t;

	cp_buf_reset(&s->scratch);
	if (HAS(s, sym))
		add_symbol(s, run, id);
	if (HAS(s, dso))
		add_dso(s, run, id);
	if (HAS(s, guess))
		add_guess(s, run, id);
	if (n != 0 && s->cli->run.inlines != CP_INLINE_NO)
		add_line(s, &spots[0]);
	else if (n != 0)
		add_line(s, &spots[n - 1]);
	t = tail_made(s);
	if (n < 2 || !HAS(s, sym) || s->cli->run.inlines == CP_INLINE_NO)
		return t;
	t.n = (uint32_t)n - 1;
	t.inlined = cp_arena_alloc(&s->arena, t.n * sizeof(t));
	for (uint32_t i = 0; i < t.n; i++) {
		cp_buf_reset(&s->scratch);
		add_inlined(s, run, id, &spots[n - 1 - i]);
		add_line(s, &spots[n - 1 - i]);
		t.inlined[i] = tail_made(s);
	}
	return t;
}

static struct tail
frame_tail(struct script *s, struct cp_run *run, cp_frame_id id)
{
	while (s->tails.len <= id)
		*cp_vec_push(&s->tails) = (struct tail){ 0 };
	if (s->tails.data[id].text == NULL)
		s->tails.data[id] = new_tail(s, run, id);
	return s->tails.data[id];
}

static void
put_frame(struct script *s, struct cp_run *run, cp_frame_id id, uint64_t ip,
    bool chain)
{
	struct tail tail = frame_tail(s, run, id);

	for (uint32_t i = 0; i < tail.n && chain; i++) {
		cp_column_address(&s->line, ip);
		cp_buf_add(&s->line, tail.inlined[i].text, tail.inlined[i].len);
		cp_buf_str(&s->line, "\n\t");
	}
	cp_column_address(&s->line, ip);
	cp_buf_add(&s->line, tail.text, tail.len);
}

static void
hold_frame(struct script *s, cp_frame_id id, uint64_t ip)
{
	*cp_vec_push(&s->frames) = id;
	*cp_vec_push(&s->ips) = ip;
}

/* Pairs recorded addresses with the frames, skipping markers. */
static void
hold_chain(struct script *s, struct cp_run *run, const struct cp_sample *sample)
{
	const struct cp_chains *all = &run->session.chains;
	const struct cp_chain *chain = &all->all.data[run->session.chain];
	const struct cp_callers *c = &all->callers.data[chain->callers];
	cp_stack_id stack = sample->stack;
	uint64_t ip = chain->leaf;
	uint32_t i = 1;

	while (stack != 0 && (chain->callers != 0 || sample->unwound)) {
		hold_frame(s, cp_stack_frame(run, stack), ip);
		stack = cp_stack_parent(run, stack);
		while (i < c->n && c->words[i] >= CP_CONTEXT_MAX)
			i++;
		ip = i < c->n ? c->words[i++] : 0;
	}
}

/*
 * Prints the frames of a sample: a chain below its head, a single one in its
 * line.
 */
static void
put_frames(
    struct script *s, struct cp_run *run, const struct held *h, size_t first)
{
	if (h->chain)
		cp_buf_char(&s->line, '\n');
	for (size_t i = first; i < first + h->frames; i++) {
		cp_buf_char(&s->line, h->chain ? '\t' : ' ');
		put_frame(s, run, s->frames.data[i], s->ips.data[i], h->chain);
		if (h->chain)
			cp_buf_char(&s->line, '\n');
	}
	cp_buf_char(&s->line, '\n');
}

/* Prints the samples held; last: no more names will be asked for. */
static int
flush(struct script *s, struct cp_run *run, bool last)
{
	size_t head = 0, frame = 0;

	if (wants_spots(s)) {
		cp_run_name_frames(run, s->frames.data, s->frames.len);
		cp_run_spot_frames(run, s->frames.data, s->frames.len, last);
	}
	for (size_t i = 0; i < s->held.len && !s->o.out.failed; i++) {
		const struct held *h = &s->held.data[i];

		s->line.len = 0;
		if (h->head != 0)
			cp_buf_add(&s->line, s->heads.data + head, h->head);
		put_frames(s, run, h, frame);
		cp_out_add(&s->o.out, s->line.data, s->line.len);
		head += h->head;
		frame += h->frames;
	}
	s->held.len = s->frames.len = s->ips.len = s->heads.len = 0;
	return s->o.out.failed ? CP_FAIL : CP_OK;
}

/* ----------------------------------------------------------------- sample */

static void
put_head(struct script *s, struct cp_run *run, const struct cp_sample *x,
    bool chains)
{
	struct cp_buf *b = &s->heads;
	size_t from = b->len;

	if (HAS(s, comm)) {
		cp_escape_terminal(b, cp_run_string(run, x->comm));
		cp_column_pad(b, from, chains ? 0 : 16);
		cp_buf_char(b, ' ');
	}
	put_task(s, x);
	if (HAS(s, cpu) && x->cpu != CP_NO_ID)
		cp_buf_printf(b, "[%03" PRIu32 "] ", x->cpu);
	if (HAS(s, time) && x->time != CP_NO_TIME)
		put_time(s, x->time);
	if (HAS(s, period)) {
		cp_column_u64(b, x->period, 10);
		cp_buf_char(b, ' ');
	}
	if (HAS(s, event)) {
		from = b->len;
		cp_escape_terminal(b, cp_run_evsel(run, x->evsel)->name);
		cp_column_pad(b, from, s->event_width);
		cp_buf_str(b, ": ");
	}
	if (HAS(s, addr)) {
		cp_column_address(b, x->addr);
		cp_buf_char(b, ' ');
	}
	if (HAS(s, cgroup)) {
		cp_escape_terminal(b, cp_run_cgroup(run, x->cgroup));
		cp_buf_char(b, ' ');
	}
}

static int
script_sample(void *ctx, struct cp_run *run, const struct cp_queued *q,
    const struct cp_sample *x)
{
	struct script *s = ctx;
	const struct cp_evsel *e = cp_run_evsel(run, x->evsel);
	bool chains =
	    HAS(s, ip) &&
	    ((e->sample_type & CP_SAMPLE_CALLCHAIN) != 0 || x->unwound);
	size_t head = s->heads.len, frame = s->frames.len;
	struct held h = { .chain = chains };

	put_head(s, run, x, chains);
	h.head = (uint32_t)(s->heads.len - head);
	if (chains)
		hold_chain(s, run, x);
	else if (HAS(s, ip))
		hold_frame(s, cp_stack_frame(run, x->stack), x->ip);
	h.frames = (uint32_t)(s->frames.len - frame);
	*cp_vec_push(&s->held) = h;
	if (wants_spots(s) && s->frames.len < CP_MAX_SCRIPT_FRAMES &&
	    s->held.len < CP_MAX_SCRIPT_SAMPLES &&
	    s->heads.len < CP_MAX_SCRIPT_HEADS)
		return CP_OK;
	return flush(s, run, false);
}

static int
longest_event(const struct cp_run *run)
{
	size_t n = 0;

	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		n = CP_MAX(n, strlen(cp_run_evsel(run, i)->name));
	return (int)CP_MIN(n, (size_t)256);
}

/* As in perf, the column of event names is as wide as those known by now. */
static int
script_first(void *ctx, struct cp_run *run, const struct cp_queued *q,
    const struct cp_sample *x)
{
	struct script *s = ctx;

	s->event_width = longest_event(run);
	run->tap = script_sample;
	return script_sample(ctx, run, q, x);
}

int
cp_command_script(struct cp_cli *cli)
{
	struct script s = { .cli = cli };
	struct cp_run run = { 0 };

	cp_buf_init(&s.line, 64 << 20);
	cp_buf_init(&s.heads, SIZE_MAX);
	cp_buf_init(&s.scratch, 16 << 20);
	if (fields_parse(&s) != CP_OK ||
	    cp_output_open(&s.o, cli, false) != CP_OK)
		return cp_cli_status(cli);
	if (cp_run_open(&run, &cli->run, &cli->diags, cli->captures.data[0]) ==
	    CP_OK) {
		run.tap = script_first;
		run.tap_ctx = &s;
		cp_run_chains(&run, HAS(&s, ip));
		run.order.want_payload = HAS(&s, addr);
		cp_progress_read(cli, &run);
		(void)flush(&s, &run, true);
	}
	cp_output_close(&s.o, cli, true);
	cp_run_close(&run);
	cp_buf_free(&s.line);
	cp_buf_free(&s.heads);
	cp_buf_free(&s.scratch);
	cp_vec_free(&s.held);
	cp_vec_free(&s.frames);
	cp_vec_free(&s.ips);
	cp_vec_free(&s.tails);
	cp_arena_free(&s.arena);
	return cp_cli_status(cli);
}
