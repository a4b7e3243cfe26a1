/* SPDX-License-Identifier: MIT */
/* cli/symbols.h: what is missing to name a capture, and getting it. */
#ifndef CP_CLI_SYMBOLS_H
#define CP_CLI_SYMBOLS_H

#include "cli/host.h"
#include "symbolize/fetch.h"

/* One object that lacks a file. */
struct cp_wanted {
	const struct cp_dso_info *dso;
	uint64_t samples; /* with a frame in it that the file would help */
	bool has_id;
	struct cp_dbg_id id;
	struct cp_wanted_file {
		bool wanted;
		bool missed; /* servers did not know it, a short while ago */
		bool asked; /* result and size are valid */
		enum cp_fetched result;
		uint64_t size;
	} file[CP_DBG_KINDS];
};

typedef CP_VEC(struct cp_wanted) cp_wanted_vec;

/*
 * fetch.c: gets what is wanted, in this order, executables first, several at
 * a time.  CP_FAIL after a diagnostic: nothing could be asked for.
 */
int cp_fetch_wanted(struct cp_cli *, cp_wanted_vec *);

#endif
