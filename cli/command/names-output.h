/* SPDX-License-Identifier: MIT */
/*
 * cli/command/names-output.h: the answers of `names`.
 *
 * CSV has a line for each function that is active at the address, innermost
 * first, and at least one line.  JSON has one object for each address.
 */
#ifndef CP_CLI_COMMAND_NAMES_OUTPUT_H
#define CP_CLI_COMMAND_NAMES_OUTPUT_H

#include "cli/command/names-input.h"
#include "render/common/escape.h"
#include "render/common/out.h"
#include "symbolize/symbolize.h"

struct cp_names_row {
	const struct cp_names_line *line;
	uint64_t addr;                  /* as cp_frame.addr */
	const struct cp_symbol *symbol; /* NULL: no name */
	struct cp_spots spots;          /* outermost first */
};

void cp_names_put_header(struct cp_out *);
void cp_names_put_csv(
    struct cp_out *, enum cp_escape, const struct cp_names_row *);
void cp_names_put_json(struct cp_out *, const struct cp_names_row *);

#endif
