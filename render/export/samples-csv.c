/* SPDX-License-Identifier: MIT */
/*
 * samples-csv: a line for each sample, with its stack as functions joined by
 * ";", the outermost first.
 */
#include "render/export/common/escaped.h"
#include "render/export/common/flat.h"
#include "render/render.h"
#include "render/export/common/samples.h"

struct samples_csv {
	const struct cp_profile *p;
	struct cp_out *out;
	struct cp_escaped texts;
	struct cp_stack_names names;
	struct cp_buf joined, cell;
};

/* A number, or nothing. */
static void
put_u64(struct samples_csv *w, uint64_t v, uint64_t none)
{
	if (v != none)
		cp_out_u64(w->out, v);
	cp_out_char(w->out, ',');
}

static void
put_text(struct samples_csv *w, const char *text)
{
	cp_escaped_out(&w->texts, w->out, text);
	cp_out_char(w->out, ',');
}

/* A ";" in a name becomes ":", as in folded stacks. */
static void
put_stack(struct samples_csv *w, uint32_t stack)
{
	cp_stack_names_of(&w->names, w->p, stack);
	cp_buf_reset(&w->joined);
	for (size_t i = w->names.at.len; i-- > 0;) {
		const char *s = w->names.at.data[i];

		for (; *s != '\0'; s++)
			cp_buf_char(&w->joined, *s == ';' ? ':' : *s);
		if (i != 0)
			cp_buf_char(&w->joined, ';');
	}
	cp_buf_reset(&w->cell);
	cp_escape(&w->cell, w->texts.how, cp_buf_text(&w->joined));
	cp_out_add(w->out, cp_buf_text(&w->cell), w->cell.len);
}

static void
put_sample(struct samples_csv *w, size_t i)
{
	struct cp_flat s = cp_flat_at(w->p, i);

	put_u64(w, s.time, CP_NO_TIME);
	put_u64(w, s.pid, CP_NO_ID);
	put_u64(w, s.tid, CP_NO_ID);
	put_text(w, s.comm);
	put_u64(w, s.cpu, CP_NO_ID);
	put_text(w, s.event);
	put_u64(w, s.weight, CP_NO_TIME);
	put_text(w, s.unit);
	put_text(w, s.level);
	put_text(w, s.symbol);
	put_text(w, s.object);
	cp_out_printf(w->out, "0x%" PRIx64 ",", s.addr);
	put_stack(w, s.stack);
	cp_out_char(w->out, '\n');
}

static void
samples_csv_write(const struct cp_report *r,
    const struct cp_render_options *opt, struct cp_out *out,
    struct cp_left *left)
{
	struct samples_csv w = { .p = cp_profile_of(r), .out = out };

	if (w.p == NULL)
		return;
	cp_escaped_init(
	    &w.texts, opt->csv_raw ? CP_ESCAPE_CSV_RAW : CP_ESCAPE_CSV);
	cp_buf_init(&w.joined, SIZE_MAX / 2);
	cp_buf_init(&w.cell, SIZE_MAX / 2);
	cp_out_str(out, "time,pid,tid,comm,cpu,event,weight,unit,level,symbol,"
			"object,addr,stack\n");
	for (size_t i = 0; i < cp_profile_samples(w.p); i++)
		put_sample(&w, i);
	cp_escaped_free(&w.texts);
	cp_stack_names_free(&w.names);
	cp_buf_free(&w.joined);
	cp_buf_free(&w.cell);
}

const struct cp_renderer cp_renderer_samples_csv = {
	.name = "samples-csv",
	.suffix = ".samples.csv",
	.shows = CP_SHOWS(CP_SECTION_PROFILE),
	.write = samples_csv_write,
};
