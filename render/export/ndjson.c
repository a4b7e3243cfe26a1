/* SPDX-License-Identifier: MIT */
/*
 * ndjson: a JSON object a line.  Its `row' is its kind: the capture, an event,
 * a stack with its functions, a sample, a mark, or a span of a thread's time.
 * Addresses are texts, because many readers keep 53 bits only.
 */
#include "render/common/json-report.h"
#include "render/export/common/about.h"
#include "render/export/common/escaped.h"
#include "render/export/common/flat.h"
#include "render/export/common/json-text.h"
#include "render/export/common/samples.h"

struct ndjson {
	const struct cp_export *x;
	const struct cp_profile *p;
	struct cp_out *out;
	struct cp_escaped texts;
	struct cp_buf line;
	bool comma; /* in the current list */
};

static void
put_key(struct ndjson *w, const char *key)
{
	cp_out_char(w->out, ',');
	cp_put_key(w->out, key);
}

static void
put_text(struct ndjson *w, const char *key, const char *text)
{
	put_key(w, key);
	cp_escaped_out(&w->texts, w->out, text);
}

static void
put_u64(struct ndjson *w, const char *key, uint64_t v, uint64_t none)
{
	put_key(w, key);
	if (v == none)
		cp_out_str(w->out, "null");
	else
		cp_out_u64(w->out, v);
}

static void
put_number(struct ndjson *w, const char *key, uint64_t v)
{
	put_key(w, key);
	cp_out_u64(w->out, v);
}

static void
put_about(void *ctx, const char *line)
{
	struct ndjson *w = ctx;

	if (w->comma)
		cp_out_char(w->out, ',');
	cp_json_text(w->out, line);
	w->comma = true;
}

static void
put_capture(struct ndjson *w, const struct cp_render_options *opt)
{
	const struct cp_report *r = w->x->report;

	cp_out_str(w->out, "{\"row\":\"capture\"");
	put_text(w, "title", r->title);
	put_text(w, "label", r->label);
	put_text(w, "tool", opt->tool);
	put_number(w, "start", r->start);
	put_key(w, "about");
	cp_out_char(w->out, '[');
	cp_export_about(w->x, opt, put_about, w);
	cp_out_str(w->out, "]}\n");
}

static void
put_events(struct ndjson *w)
{
	for (size_t i = 0; i < w->p->events.len; i++) {
		const struct cp_profile_event *e = &w->p->events.data[i];

		cp_out_str(w->out, "{\"row\":\"event\"");
		put_text(w, "event", e->name);
		put_text(w, "unit", e->unit);
		put_number(w, e->freq ? "frequency" : "period", e->period);
		put_number(w, "samples", e->samples);
		put_number(w, "weight", e->weight);
		put_number(w, "lost", e->lost);
		put_number(w, "lost_samples", e->lost_samples);
		put_number(w, "throttled", e->throttled);
		cp_out_str(w->out, "}\n");
	}
}

static void
put_stack(struct ndjson *w, uint32_t stack, struct cp_stack_names *names)
{
	cp_stack_names_of(names, w->p, stack);
	cp_out_str(w->out, "{\"row\":\"stack\"");
	put_number(w, "stack", stack);
	put_key(w, "functions");
	cp_out_char(w->out, '[');
	for (size_t i = names->at.len; i-- > 0;) {
		cp_escaped_out(&w->texts, w->out, names->at.data[i]);
		if (i != 0)
			cp_out_char(w->out, ',');
	}
	cp_out_str(w->out, "]}\n");
}

/* Writes the stacks of samples, without those that are only their callers. */
static void
put_stacks(struct ndjson *w)
{
	bool *used = cp_xcalloc(w->p->stacks.len, sizeof(*used));
	struct cp_stack_names names = { 0 };

	for (size_t i = 0; i < cp_profile_samples(w->p); i++)
		used[w->p->stack.data[i]] = true;
	for (uint32_t i = 0; i < w->p->stacks.len; i++)
		if (used[i])
			put_stack(w, i, &names);
	cp_stack_names_free(&names);
	free(used);
}

static void
put_thread(struct ndjson *w, uint32_t i)
{
	const struct cp_profile_thread *t;

	if (i == CP_NO_ID)
		return;
	t = &w->p->threads.data[i];
	put_u64(w, "pid", t->pid, CP_NO_ID);
	put_u64(w, "tid", t->tid, CP_NO_ID);
	put_text(w, "comm", t->name);
}

static void
put_sample(struct ndjson *w, size_t i)
{
	struct cp_flat s = cp_flat_at(w->p, i);
	const char *labels =
	    w->p->contexts.data[cp_profile_context_at(w->p, i)].labels;
	const char *key, *value;

	cp_out_str(w->out, "{\"row\":\"sample\"");
	put_u64(w, "time", s.time, CP_NO_TIME);
	put_thread(w, w->p->thread.data[i]);
	put_u64(w, "cpu", s.cpu, CP_NO_ID);
	put_text(w, "event", s.event);
	put_number(w, "weight", s.weight);
	put_text(w, "level", s.level);
	put_text(w, "symbol", s.symbol);
	put_text(w, "object", s.object);
	cp_out_printf(w->out, ",\"addr\":\"0x%" PRIx64 "\"", s.addr);
	put_number(w, "stack", s.stack);
	while (cp_export_label(&labels, &w->line, &key, &value)) {
		put_key(w, key);
		cp_json_text(w->out, value);
	}
	cp_out_str(w->out, "}\n");
}

static const char *
mark_name(uint8_t kind)
{
	switch (kind) {
	case CP_SIDE_FORK: return "fork";
	case CP_SIDE_EXIT: return "exit";
	case CP_SIDE_COMM: return "comm";
	case CP_SIDE_LOST: return "lost";
	case CP_SIDE_THROTTLE: return "throttle";
	case CP_SIDE_UNTHROTTLE: return "unthrottle";
	default: return "other";
	}
}

static void
put_mark(struct ndjson *w, const struct cp_profile_mark *m)
{
	cp_out_str(w->out, "{\"row\":\"mark\"");
	put_u64(w, "time", m->time, CP_NO_TIME);
	put_thread(w, m->thread);
	put_u64(w, "cpu", m->cpu, CP_NO_ID);
	put_text(w, "kind", mark_name(m->kind));
	if (m->kind == CP_SIDE_LOST)
		put_number(w, "count", m->count);
	cp_out_str(w->out, "}\n");
}

static const char *
tone_name(uint8_t tone)
{
	switch (tone) {
	case CP_TONE_RUN: return "running";
	case CP_TONE_WAIT: return "runnable";
	case CP_TONE_BLOCK: return "blocked";
	case CP_TONE_IDLE: return "idle";
	default: return "unknown";
	}
}

static void
put_state(struct ndjson *w, const struct cp_profile_state *s)
{
	cp_out_str(w->out, "{\"row\":\"state\"");
	put_number(w, "from", s->from);
	put_number(w, "to", s->to);
	put_thread(w, s->thread);
	put_u64(w, "cpu", s->cpu, CP_NO_ID);
	put_text(w, "state", tone_name(s->tone));
	put_text(w, "reason", s->reason);
	put_number(w, "stack", s->stack);
	cp_out_str(w->out, "}\n");
}

static void
ndjson_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	struct cp_export x = { .report = r, .profile = cp_profile_of(r) };
	struct ndjson w = { .x = &x, .p = x.profile, .out = out };

	if (w.p == NULL)
		return;
	cp_escaped_init(&w.texts, CP_ESCAPE_JSON);
	cp_buf_init(&w.line, SIZE_MAX / 2);
	put_capture(&w, opt);
	put_events(&w);
	put_stacks(&w);
	for (size_t i = 0; i < cp_profile_samples(w.p); i++)
		put_sample(&w, i);
	for (size_t i = 0; i < w.p->marks.len; i++)
		put_mark(&w, &w.p->marks.data[i]);
	for (size_t i = 0; i < w.p->states.len; i++)
		put_state(&w, &w.p->states.data[i]);
	cp_escaped_free(&w.texts);
	cp_buf_free(&w.line);
}

const struct cp_renderer cp_renderer_ndjson = {
	.name = "ndjson",
	.suffix = ".ndjson",
	.others = ".jsonl",
	.shows = CP_SHOWS(CP_SECTION_PROFILE),
	.labels = true,
	.write = ndjson_write,
};
