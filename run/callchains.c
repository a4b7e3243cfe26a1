/* SPDX-License-Identifier: MIT */
/*
 * callchains: the source of call chains (--callchain).  Connects the unwinder
 * of user stacks with the session and the objects.
 */
#include <sys/utsname.h>

#include "base/redact/names.h"
#include "run/api.h"
#include "symbolize/callers/callers.h"
#include "symbolize/unwind/unwind.h"

/*
 * A capture that does not name its machine is assumed to be from this machine's
 * architecture.
 */
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

void
cp_run_unwinder_free(struct cp_run *run)
{
	cp_callers_free(run->callers);
	cp_unwinder_free(run->unwinder);
	run->callers = NULL;
	run->unwinder = NULL;
}

/*
 * Notes that stacks of the recorded machine, 32 or 64 bits, cannot be unwound.
 */
static void
note_unknown(struct cp_run *run, uint64_t abi)
{
	const char *machine = run->rec.info.arch;

	if ((abi == 1 || abi == 2) && !cp_unwinder_knows(run->unwinder, abi))
		cp_diag(run->diags, CP_D_NO_UNWINDER, "%.40s, %s-bit programs",
		    machine != NULL ? machine : "this machine",
		    abi == 1 ? "32" : "64");
}

static size_t
unwind(void *ctx, struct cp_unwind *u)
{
	struct cp_run *run = ctx;
	size_t n = cp_unwind(unwinder_of(run), u);

	if (CP_UNLIKELY(n == 0))
		note_unknown(run, u->sample->user_abi);
	if (CP_UNLIKELY(run->unwound != NULL))
		run->unwound(run->unwound_ctx, u, n);
	return n;
}

static enum cp_caller
ask_caller(void *ctx, const struct cp_frame *f, const struct cp_frame *above,
    struct cp_frame *out)
{
	struct cp_run *run = ctx;

	if (run->callers == NULL)
		run->callers =
		    cp_callers_new(unwinder_of(run), cp_run_symbols(run));
	return cp_callers_ask(run->callers, f, above, out);
}

/* Reads a sample again; the file may have been changed meanwhile. */
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

/*
 * Unwinds while the sample is read.  Not with a tap: it gets only samples that
 * the filters keep, with their recorded chains.
 */
static bool
early(void *ctx, const struct cp_event *ev, struct cp_queued *q)
{
	struct cp_run *run = ctx;

	return run->tap == NULL &&
	       cp_session_unwind_early(&run->session, ev, q);
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
	run->session.only_code =
	    run->options->redact != NULL && run->options->redact->code != NULL;
	run->session.unwind_ctx = run->session.caller_ctx = run;
	run->session.caller =
	    wanted && cp_run_marks_lost(run) ? ask_caller : NULL;
	if (stacks && cp_capture_rereads(&run->capture)) {
		run->session.again = again;
		run->order.early = early;
	}
	run->session.unwind_always = how == CP_CHAIN_DWARF;
}

/* Does the event have user chains of that kind?  auto: of any kind. */
static bool
has_chains(const struct cp_attr *a, enum cp_callchain how)
{
	uint64_t st = a->sample_type;

	switch (how) {
	case CP_CHAIN_DWARF: return (st & CP_SAMPLE_STACK_USER) != 0;
	case CP_CHAIN_LBR:
		return (st & CP_SAMPLE_BRANCH_STACK) != 0 &&
		       (a->branch_sample_type >> CP_BRANCH_CALL_STACK & 1);
	case CP_CHAIN_FP:
		if (cp_attr_flag(a, CP_ATTR_EXCLUDE_CHAIN_USER))
			return false;
		break;
	case CP_CHAIN_AUTO: break;
	}
	return (st & CP_SAMPLE_CALLCHAIN) != 0;
}

/*
 * Does a snapshot have chains in place of copied stacks?  Such chains also
 * replace those that the kernel recorded by frame pointers.
 */
static bool
has_unwound(const struct cp_run *run, const struct cp_attr *a)
{
	return run->capture.snapshot > 0 &&
	       (a->sample_type & CP_SAMPLE_STACK_USER) != 0;
}

static void
say_other_chains(struct cp_run *run, bool unwound)
{
	enum cp_callchain how = run->options->callchain;

	cp_diag(run->diags, CP_D_OTHER_CALLCHAINS,
	    "--callchain %s: what %s is shown",
	    how == CP_CHAIN_FP    ? "fp"
	    : how == CP_CHAIN_LBR ? "lbr"
				  : "dwarf",
	    unwound ? "the snapshot's stacks were unwound to"
		    : "the kernel recorded");
}

void
cp_run_chains_note(struct cp_run *run)
{
	enum cp_callchain how = run->options->callchain;
	bool any = false, asked = false, unwound = false;

	for (size_t i = 0; i < run->rec.evsels.all.len; i++) {
		const struct cp_attr *a = &run->rec.evsels.all.data[i]->attr;

		any |= has_chains(a, CP_CHAIN_AUTO);
		asked |= has_chains(a, how);
		unwound |= has_unwound(run, a);
	}
	if (run->quality.samples == 0 || !run->order.want_chains)
		return;
	if (!any)
		cp_diag(run->diags, CP_D_NO_CALLCHAINS, NULL);
	else if (!asked || (how == CP_CHAIN_FP && unwound))
		say_other_chains(run, unwound);
}
