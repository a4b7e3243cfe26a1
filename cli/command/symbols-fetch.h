/* SPDX-License-Identifier: MIT */
/* cli/command/symbols-fetch.h: fetches files that naming lacks. */
#ifndef CP_CLI_COMMAND_SYMBOLS_FETCH_H
#define CP_CLI_COMMAND_SYMBOLS_FETCH_H

#include "cli/cli.h"
#include "run/api.h"
#include "symbolize/debuginfod/client.h"

/* One object that lacks a file; its texts outlive the pass that found it. */
struct cp_wanted {
	const char *name, *state;
	const char *hex; /* build ID as recorded or linked */
	uint32_t dso;
	uint64_t samples; /* samples with a frame that the file would help */
	uint64_t of;      /* number of all samples */
	bool has_id;
	bool alt; /* the file to which dwz moved names of the object */
	/* even if the executable turns out to have symbols */
	bool debug_anyway;
	struct cp_dbg_id id;
	struct cp_wanted_file {
		bool wanted;
		bool missed; /* servers recently did not have it */
		bool asked;  /* result and size are valid */
		enum cp_fetched result;
		uint64_t size;
	} file[CP_DBG_KINDS];
};

typedef CP_VEC(struct cp_wanted) cp_wanted_vec;

/*
 * Fetches the wanted files of n objects in this order, executables first,
 * several in parallel, and subtracts their cost from the budget left.  CP_FAIL
 * after a diagnostic: no server can be asked.  *more: some file came, and
 * neither the budget nor the user ends the fetch.
 */
int cp_fetch_wanted(struct cp_cli *, struct cp_wanted *, size_t n,
    struct cp_fetch_budget *left, bool *more);

#endif
