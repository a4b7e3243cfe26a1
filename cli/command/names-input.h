/* SPDX-License-Identifier: MIT */
/*
 * cli/command/names-input.h: lines of (build ID, address), for `names`.
 *
 * A line is "buildid,address" with anything after a second comma, or a flat
 * JSON object with "build_id" (or "buildid") and "address" (or "addr").  An
 * address is decimal, or hexadecimal with "0x"; a negative one is that of a
 * signed column, less 2^64.
 */
#ifndef CP_CLI_COMMAND_NAMES_INPUT_H
#define CP_CLI_COMMAND_NAMES_INPUT_H

#include "base/base.h"

struct cp_names_line {
	uint8_t id[20], id_size;
	uint64_t addr;
};

/* True if the line may name columns: two, neither of them a value. */
bool cp_names_header(const char *line);
/* False: the line, which ends with NUL, is none of these. */
bool cp_names_parse(struct cp_names_line *, const char *line);

#endif
