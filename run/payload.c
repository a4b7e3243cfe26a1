/* SPDX-License-Identifier: MIT */
/*
 * payload: the payload of a sample as text, by the print format that the
 * capture has for its event.  A format is compiled when it is first needed.
 */
#include "readers/formats/print.h"
#include "run/api.h"

/* Most bytes of a text. */
enum { TEXT_MAX_BYTES = 1 << 16 };

struct compiled {
	bool looked;
	const struct cp_print *print; /* NULL: name=value */
};

struct cp_payloads {
	struct cp_arena arena;
	CP_VEC(struct compiled) by_evsel;
	struct cp_buf text, made;
};

static struct cp_payloads *
payloads_of(struct cp_run *run)
{
	struct cp_payloads *p = run->payloads;

	if (p != NULL)
		return p;
	p = run->payloads = cp_xcalloc(1, sizeof(*p));
	cp_buf_init(&p->text, TEXT_MAX_BYTES);
	cp_buf_init(&p->made, TEXT_MAX_BYTES);
	return p;
}

void
cp_run_payloads_free(struct cp_run *run)
{
	struct cp_payloads *p = run->payloads;

	if (p == NULL)
		return;
	cp_arena_free(&p->arena);
	cp_vec_free(&p->by_evsel);
	cp_buf_free(&p->text);
	cp_buf_free(&p->made);
	free(p);
	run->payloads = NULL;
}

static const struct cp_print *
print_of(struct cp_run *run, struct cp_payloads *p, uint32_t evsel)
{
	struct compiled *c;

	while (p->by_evsel.len <= evsel)
		*cp_vec_push(&p->by_evsel) = (struct compiled){ 0 };
	c = &p->by_evsel.data[evsel];
	if (!c->looked) {
		c->looked = true;
		c->print = cp_print_compile(&p->arena, &run->rec.tracepoints,
		    run->rec.evsels.all.data[evsel]->tp);
	}
	return c->print;
}

struct asking {
	struct cp_run *run;
	const struct cp_sample *sample;
};

static const char *
symbol_at(void *ctx, uint64_t addr, uint64_t *start)
{
	const struct asking *a = ctx;
	cp_frame_id frame =
	    cp_sample_frame(a->run, a->sample, addr, CP_LEVEL_KERNEL);
	const struct cp_symbol *y = cp_run_symbol_recorded(a->run, frame);

	if (y == NULL)
		return NULL;
	*start = addr - (cp_frame_get(a->run, frame)->addr - y->start);
	return y->name;
}

const char *
cp_sample_payload(struct cp_run *run, const struct cp_sample *s, size_t *len)
{
	const struct cp_tp_event *tp = run->rec.evsels.all.data[s->evsel]->tp;
	struct asking asking = { run, s };
	struct cp_payload_view view = { .raw = s->raw,
		.size = s->raw_size,
		.swap = run->rec.swap,
		.long_size = run->rec.tracepoints.long_size,
		.symbol = symbol_at,
		.ctx = &asking,
		.tp = &run->rec.tracepoints };
	const struct cp_print *print;
	struct cp_payloads *p;

	*len = 0;
	if (s->raw == NULL || tp == NULL)
		return NULL;
	p = payloads_of(run);
	view.made = &p->made;
	cp_buf_reset(&p->text);
	print = print_of(run, p, s->evsel);
	if (print == NULL || !cp_print_payload(print, &view, &p->text)) {
		if (print != NULL)
			cp_diag(run->diags, CP_D_CUT_PAYLOAD,
			    "%.60s:%.60s: %" PRIu32
			    " bytes; its fields are shown as name=value",
			    tp->system, tp->name, s->raw_size);
		cp_print_fields(tp, &view, &p->text);
	}
	*len = p->text.len;
	return cp_buf_text(&p->text);
}
