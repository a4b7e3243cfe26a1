/* SPDX-License-Identifier: MIT */
/* cli/command/script/fields.h: which fields of a sample are printed. */
#ifndef CP_CLI_COMMAND_SCRIPT_FIELDS_H
#define CP_CLI_COMMAND_SCRIPT_FIELDS_H

#include "cli/cli.h"

/* X(name), in the order of the bits. */
/* clang-format off */
#define CP_SCRIPT_FIELDS(X) \
	X(comm) X(pid) X(tid) X(cpu) X(time) X(period) X(event) X(ip) X(sym) \
	X(symoff) X(dso) X(addr) X(cgroup) X(guess) X(trace)
/* clang-format on */

enum cp_script_field {
#define X(name) CP_FIELD_##name,
	CP_SCRIPT_FIELDS(X)
#undef X
	    CP_FIELD_COUNT
};

#define CP_FIELD_BIT(name) (1u << CP_FIELD_##name)
#define CP_HAS_FIELD(fields, name) (((fields) >> CP_FIELD_##name & 1) != 0)

/* Reads --fields: a bit for each.  CP_FAIL after a diagnostic. */
int cp_script_fields(struct cp_cli *, uint32_t *out);

#endif
