/* SPDX-License-Identifier: MIT */
/*
 * symbolize/golang/table.h: where the parts of .gopclntab are.
 */
#ifndef CP_SYMBOLIZE_GOLANG_TABLE_H
#define CP_SYMBOLIZE_GOLANG_TABLE_H

#include "symbolize/elf/elf-file.h"

enum cp_go_layout { CP_GO_2 = 2, CP_GO_16 = 16, CP_GO_18 = 18, CP_GO_20 = 20 };

struct cp_gotab {
	const struct cp_elf *elf;
	uint64_t addr; /* of the table */
	const uint8_t *start;
	uint8_t layout, quantum, word;
	struct cp_bytes names, units, files, values, functions;
	const uint8_t *index; /* (address, place of the function) of each */
	uint8_t *copy;        /* what index is in, if it was relocated */
	size_t n;             /* functions */
	uint64_t text;        /* what addresses count from, or 0 */
	uint64_t calls;       /* what inlined calls count from; 0: none known */
};

#endif
