/* SPDX-License-Identifier: MIT */
/* cli/command/script/columns.h: columns of a minimum width. */
#ifndef CP_CLI_COMMAND_SCRIPT_COLUMNS_H
#define CP_CLI_COMMAND_SCRIPT_COLUMNS_H

#include "base/buf.h"

/* Right-aligns the text that starts at `from' in its column. */
void cp_column_pad(struct cp_buf *, size_t from, int width);
void cp_column_u64(struct cp_buf *, uint64_t, int width);
/* With zeros before it; width <= 20. */
void cp_column_zeros(struct cp_buf *, uint64_t, unsigned width);
/* A pid or tid as %5d prints it. */
void cp_column_id(struct cp_buf *, uint32_t id, int width);
/* An address in 16 columns. */
void cp_column_address(struct cp_buf *, uint64_t);

#endif
