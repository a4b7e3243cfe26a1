/* SPDX-License-Identifier: MIT */
/*
 * unwinding: where call chains come from (--callchain), and the unwinder of
 * user stacks between the session and the objects.
 */
#include <sys/utsname.h>

#include "cli/host.h"
#include "symbolize/unwind.h"

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
	run->unwinder = cp_unwinder_new(cp_run_symbols(run),
	    &run->session.dsos, machine != NULL ? machine : "");
	return run->unwinder;
}

static size_t
unwind(void *ctx, struct cp_unwind *u)
{
	return cp_unwind(unwinder_of(ctx), u);
}

void
cp_run_chains(struct cp_run *run, bool wanted)
{
	enum cp_callchain how = run->cli->callchain;
	bool stacks = wanted &&
	    (how == CP_CHAIN_AUTO || how == CP_CHAIN_DWARF);

	run->order.want_chains = wanted;
	run->order.want_stacks = stacks;
	run->order.no_lbr = how == CP_CHAIN_FP || how == CP_CHAIN_DWARF;
	run->session.stitch_lbr = run->order.want_branches =
	    wanted && run->cli->stitch_lbr && !run->order.no_lbr;
	run->session.unwind = stacks ? unwind : NULL;
	run->session.unwind_ctx = run;
	run->session.unwind_always = how == CP_CHAIN_DWARF;
}
