/* SPDX-License-Identifier: MIT */
/* symbolize/dwarf/line.h: a line table: its header, files and program. */
#ifndef CP_SYMBOLIZE_DWARF_LINE_H
#define CP_SYMBOLIZE_DWARF_LINE_H

#include "symbolize/dwarf/internal.h"

struct dw_line_file {
	struct dw_value name;
	uint64_t dir;
	const uint8_t *md5; /* MD5, 16 bytes; NULL: none */
};

struct dw_lines {
	struct dw_unit as; /* copy of the unit with the table's own sizes */
	struct cp_bytes program;
	uint8_t min_inst, line_range, opcode_base;
	int8_t line_base;
	uint8_t operands[256]; /* number of operands, by standard opcode */
	CP_VEC(struct dw_value) dirs;
	CP_VEC(struct dw_line_file) files;
	/* per file: string id + 1; 0: not made yet */
	CP_VEC(cp_string_id) paths;
};

/* Returns the unit's line table, read on first use; NULL: none. */
struct dw_lines *dw_lines_of(struct dw_unit *);

#endif
