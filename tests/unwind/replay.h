/* SPDX-License-Identifier: MIT */
/*
 * tests/unwind/replay.h: a capture's user stacks, one after the other, with
 * the mappings of their moment, handed to whom it concerns.
 */
#ifndef CP_TESTS_REPLAY_H
#define CP_TESTS_REPLAY_H

#include "model/session.h"
#include "readers/reader.h"
#include "symbolize/symbolize.h"
#include "symbolize/cfi/arch.h"
#include "symbolize/unwind/unwind.h"

struct replay {
	struct cp_diags diags;
	struct cp_recording rec;
	struct cp_quality quality;
	struct cp_session session;
	struct cp_order order;
	struct cp_capture capture;
	struct cp_symbols *symbols;
	struct cp_unwinder *unwinder;
	const struct cp_queued *at; /* the sample being asked about */
};

/* Reads it all; fn is asked as the session's unwind hook, with ctx. */
bool replay_run(struct replay *, const char *path, const char *symbols_path,
    cp_unwind_fn fn, void *ctx);
/* The same in two steps. */
bool replay_open(struct replay *, const char *path, const char *symbols_path,
    cp_unwind_fn fn, void *ctx);
bool replay_read(struct replay *);
void replay_free(struct replay *);
/* Made when first asked for. */
struct cp_unwinder *replay_unwinder(struct replay *);

#endif
