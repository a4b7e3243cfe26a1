/* SPDX-License-Identifier: MIT */
#include "readers/list.h"
#include "tests/unwind/replay.h"

static int
ready(void *ctx, const struct cp_queued *q)
{
	struct replay *r = ctx;
	struct cp_sample s;
	uint32_t cursor = 0;

	r->at = q;
	while (cp_session_apply(&r->session, q, &cursor, &s))
		;
	return CP_OK;
}

struct cp_unwinder *
replay_unwinder(struct replay *r)
{
	const char *machine = r->rec.info.arch;

	if (r->unwinder == NULL)
		r->unwinder = cp_unwinder_new(r->symbols, &r->session.dsos,
		    machine != NULL ? machine : "x86_64");
	return r->unwinder;
}

bool
replay_open(struct replay *r, const char *path, const char *symbols_path,
    cp_unwind_fn fn, void *ctx)
{
	const char *const paths[] = { symbols_path };
	struct cp_symbolize_options opt = { .recorded_paths = true,
		.cache_dir = "",
		.jobs = 1,
		.paths = paths,
		.n_paths = symbols_path != NULL };

	memset(r, 0, sizeof(*r));
	cp_diags_init(&r->diags);
	cp_info_init(&r->rec.info);
	cp_session_init(&r->session, &r->rec, &r->quality, &r->diags);
	cp_order_init(&r->order, &r->rec.evsels, &r->session.chains,
	    &r->quality, &r->diags, ready, r);
	r->symbols = cp_symbols_new(&opt, &r->session.strings, &r->diags);
	r->order.want_stacks = true;
	r->session.unwind = fn;
	r->session.unwind_ctx = ctx;
	r->session.unwind_always = true;
	return cp_capture_open(&r->capture, path, false, &r->rec, &r->quality,
		   &r->diags) == CP_OK;
}

bool
replay_read(struct replay *r)
{
	struct cp_event ev;

	while (cp_capture_next(&r->capture, &ev))
		if (cp_order_push(&r->order, &ev) != CP_OK)
			break;
	return cp_order_end(&r->order) == CP_OK;
}

bool
replay_run(struct replay *r, const char *path, const char *symbols_path,
    cp_unwind_fn fn, void *ctx)
{
	return replay_open(r, path, symbols_path, fn, ctx) && replay_read(r);
}

void
replay_free(struct replay *r)
{
	cp_capture_close(&r->capture);
	cp_order_free(&r->order);
	cp_unwinder_free(r->unwinder);
	cp_symbols_free(r->symbols);
	cp_session_free(&r->session);
	cp_recording_free(&r->rec);
}
