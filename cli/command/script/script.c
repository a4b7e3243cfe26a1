/* SPDX-License-Identifier: MIT */
/*
 * script: samples as `perf script` prints them, one after the other.
 *
 * The layout is that of perf 6.1; addresses of user frames in chains are the
 * recorded ones, as perf prints since 6.12.  Names are looked up once per
 * frame.  If debug information is used, single look-ups would read the same
 * parts of it again and again; so samples are held back until there are enough
 * frames for a batch.
 */
#include "cli/command/script/columns.h"
#include "cli/command/script/fields.h"
#include "cli/command/script/frames.h"
#include "run/api.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/command/command.h"
#include "cli/status.h"
#include "render/common/escape.h"

#define HAS(s, name) CP_HAS_FIELD((s)->fields, name)

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
	struct cp_frame_texts texts;
	uint32_t fields; /* bits of enum cp_script_field */
	int event_width;
};

/* ----------------------------------------------------------------- pieces */

static void
put_time(struct script *s, uint64_t t)
{
	struct cp_buf *b = &s->heads;
	size_t from = b->len;
	uint64_t part = t % 1000000000u;

	cp_column_u64(b, t / 1000000000u, 5);
	cp_buf_char(b, '.');
	cp_column_zeros(b, s->cli->ns ? part : part / 1000, s->cli->ns ? 9 : 6);
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
put_frame(struct script *s, struct cp_run *run, cp_frame_id id, uint64_t ip,
    bool chain)
{
	struct cp_frame_text tail = cp_frame_text(&s->texts, run, id);

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

/*
 * Pairs recorded addresses with the frames, skipping markers.  A frame that
 * stands for a lost caller has none.
 */
static void
hold_chain(struct script *s, struct cp_run *run, const struct cp_sample *sample)
{
	struct cp_chains *all = &run->session.chains;
	const struct cp_chain *chain = &all->all.data[run->session.chain];
	uint32_t n, i = 1;
	const uint64_t *words = cp_chains_callers(all, chain, &n);
	cp_stack_id stack = sample->stack;
	uint64_t ip = chain->leaf;

	while (stack != 0 && (chain->callers != 0 || sample->unwound)) {
		cp_frame_id id = cp_stack_frame(run, stack);

		stack = cp_stack_parent(run, stack);
		if ((cp_frame_get(run, id)->flags & CP_FRAME_LOST) != 0) {
			hold_frame(s, id, 0);
			continue;
		}
		hold_frame(s, id, ip);
		while (i < n && words[i] >= CP_CONTEXT_MAX)
			i++;
		ip = i < n ? words[i++] : 0;
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

	if (cp_frame_texts_spots(&s->texts)) {
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

static bool
is_plain(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] != '\t' && (text[i] < ' ' || text[i] == 0x7f))
			return false;
	return true;
}

static void
put_head(struct script *s, struct cp_run *run, const struct cp_sample *x,
    bool chains)
{
	struct cp_buf *b = &s->heads;
	size_t from = b->len, n;

	if (HAS(s, comm)) {
		cp_escape_terminal(b, cp_run_string(run, x->comm));
		cp_column_pad(b, from, chains ? 0 : 16);
		cp_buf_char(b, ' ');
	}
	put_task(s, x);
	if (HAS(s, cpu) && x->cpu != CP_NO_ID) {
		cp_buf_char(b, '[');
		cp_column_zeros(b, x->cpu, 3);
		cp_buf_str(b, "] ");
	}
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
	if (HAS(s, trace) && x->raw != NULL) {
		const char *text = cp_sample_payload(run, x, &n);

		if (text != NULL && is_plain(text, n))
			cp_buf_add(b, text, n);
		else if (text != NULL)
			cp_escape_terminal(b, text);
	}
	if (HAS(s, addr)) {
		cp_column_address(b, x->addr);
		cp_buf_char(b, ' ');
	}
	if (HAS(s, cgroup)) {
		const char *path = cp_run_cgroup(run, x->cgroup);

		cp_escape_terminal(b, path != NULL ? path : "unknown");
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
	if (cp_frame_texts_spots(&s->texts) &&
	    s->frames.len < CP_MAX_SCRIPT_FRAMES &&
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
	bool opened;

	cp_buf_init(&s.line, 64 << 20);
	cp_buf_init(&s.heads, SIZE_MAX);
	if (cp_script_fields(cli, &s.fields) != CP_OK ||
	    cp_output_open(&s.o, cli, false) != CP_OK)
		return cp_cli_status(cli);
	cp_frame_texts_init(&s.texts, cli, s.fields);
	opened = cp_run_open(&run, &cli->run, &cli->diags,
		     cli->captures.data[0]) == CP_OK;
	if (opened) {
		run.tap = script_first;
		run.tap_ctx = &s;
		cp_run_chains(&run, HAS(&s, ip));
		run.order.want_payload = HAS(&s, addr) || HAS(&s, trace) ||
					 cli->run.payloads.len != 0;
		cp_progress_read(cli, &run);
		(void)flush(&s, &run, true);
	}
	cp_output_close(&s.o, cli, opened);
	cp_run_close(&run);
	cp_buf_free(&s.line);
	cp_buf_free(&s.heads);
	cp_vec_free(&s.held);
	cp_vec_free(&s.frames);
	cp_vec_free(&s.ips);
	cp_frame_texts_free(&s.texts);
	return cp_cli_status(cli);
}
