/* SPDX-License-Identifier: MIT */
/*
 * unwinding: where call chains come from (--callchain), and the unwinder of
 * user stacks between the session and the objects.
 */
#include <sys/utsname.h>

#include "base/pool.h"
#include "run/api.h"
#include "symbolize/unwind/unwind.h"

/* Captures that do not say where they come from are taken for our own. */
static struct cp_unwinder *
unwinder_of(struct cp_run *run)
{
	const char *machine = run->rec.info.arch;
	struct utsname here;

	if (run->unwinder != NULL)
		return run->unwinder;
	if (machine == NULL && uname(&here) == 0)
		machine = here.machine;
	run->unwinder = cp_unwinder_new(cp_run_symbols(run), &run->session.dsos,
	    machine != NULL ? machine : "");
	cp_unwinder_scan(run->unwinder, run->options->stack_scan);
	return run->unwinder;
}

static size_t
unwind_by(void *ctx, struct cp_unwind *u, unsigned worker)
{
	struct cp_run *run = ctx;

	return cp_unwind(
	    worker == 0 ? run->unwinder : run->beside[worker - 1], u);
}

static void
finish(void *ctx)
{
	struct cp_run *run = ctx;

	cp_session_unwound(&run->session);
}

static bool
calm(void *ctx, uint32_t pid, uint32_t tid, const struct cp_early *early)
{
	struct cp_run *run = ctx;

	return cp_session_calm(&run->session, pid, tid, early);
}

/*
 * Threads are started for captures that have many stacks, and where nothing
 * else asks while they are read: names that filters want, each word of a stack.
 */
static void
start_beside(struct cp_run *run)
{
	unsigned n = CP_MIN(run->options->jobs - 1, CP_MAX_UNWIND_WORKERS);

	if (run->options->jobs < 2 || run->options->stack_scan ||
	    run->filter.symbols.len != 0)
		return;
	cp_unwinder_share(unwinder_of(run));
	for (unsigned i = 0; i < n; i++)
		run->beside[i] = cp_unwinder_beside(run->unwinder);
	run->pool = cp_pool_new(n);
	cp_session_unwind_beside(&run->session, run->pool, n);
	run->session.unwind_by = unwind_by;
	run->order.finish = finish;
	run->order.calm = calm;
}

/* How many there are before there are threads for them. */
static uint64_t
alone(const struct cp_run *run)
{
	return run->options->jobs_asked ? CP_UNWIND_ALONE : CP_UNWIND_SHORT;
}

static bool
ahead(void *ctx, const struct cp_queued *q)
{
	struct cp_run *run = ctx;

	if (run->pool == NULL && q != NULL &&
	    q->event->u.sample.user_stack != NULL &&
	    ++run->unwound == alone(run))
		start_beside(run);
	if (run->pool == NULL)
		return true;
	if (q != NULL)
		return cp_session_ahead(&run->session, q);
	cp_session_ahead_send(&run->session);
	return true;
}

void
cp_run_unwinding_end(struct cp_run *run)
{
	cp_pool_free(run->pool);
	run->pool = NULL;
	cp_batches_free(&run->session.batches);
	cp_ahead_free(&run->session.ahead);
	for (size_t i = 0; i < CP_ARRAY_LEN(run->beside); i++) {
		cp_unwinder_free(run->beside[i]);
		run->beside[i] = NULL;
	}
	cp_unwinder_free(run->unwinder);
	run->unwinder = NULL;
}

static size_t
unwind(void *ctx, struct cp_unwind *u)
{
	return cp_unwind(unwinder_of(ctx), u);
}

/* The file was read before: what it says now may be something else. */
static const struct cp_event *
again(void *ctx, const struct cp_queued *q)
{
	struct cp_run *run = ctx;

	if (cp_capture_again(&run->capture, q->offset, &run->reread))
		return &run->reread;
	cp_diag_at(run->diags, CP_D_READ, q->offset,
	    "the file was changed while it was read");
	return NULL;
}

/* A tap wants to see chains, which are made of what is kept only. */
static bool
early(void *ctx, const struct cp_event *ev, struct cp_queued *q, bool at_once)
{
	struct cp_run *run = ctx;

	if (run->tap != NULL)
		return false;
	if (++run->unwound == alone(run))
		start_beside(run);
	return cp_session_unwind_early(&run->session, ev, q, at_once);
}

void
cp_run_chains(struct cp_run *run, bool wanted)
{
	enum cp_callchain how = run->options->callchain;
	bool stacks = wanted && (how == CP_CHAIN_AUTO || how == CP_CHAIN_DWARF);

	run->order.want_chains = wanted;
	run->order.want_stacks = stacks;
	run->order.no_lbr = how == CP_CHAIN_FP || how == CP_CHAIN_DWARF;
	run->session.stitch_lbr = run->order.want_branches =
	    wanted && run->options->stitch_lbr && !run->order.no_lbr;
	run->session.unwind = stacks ? unwind : NULL;
	run->session.unwind_ctx = run;
	run->order.ahead = stacks && run->options->jobs > 1 ? ahead : NULL;
	if (stacks && cp_capture_rereads(&run->capture)) {
		run->session.again = again;
		run->order.early = early;
	}
	run->session.unwind_always = how == CP_CHAIN_DWARF;
}
