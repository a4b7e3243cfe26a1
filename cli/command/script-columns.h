/* SPDX-License-Identifier: MIT */
/* cli/command/script-columns.h: texts of a fixed width at least. */
#ifndef CP_CLI_COMMAND_SCRIPT_COLUMNS_H
#define CP_CLI_COMMAND_SCRIPT_COLUMNS_H

#include "base/buf.h"

/* Moves what the buffer has from there on to the right end of its column. */
void cp_column_pad(struct cp_buf *, size_t from, int width);
void cp_column_u64(struct cp_buf *, uint64_t, int width);
/* A pid or tid as %5d prints it. */
void cp_column_id(struct cp_buf *, uint32_t id, int width);
/* An address in 16 columns. */
void cp_column_address(struct cp_buf *, uint64_t);

#endif
