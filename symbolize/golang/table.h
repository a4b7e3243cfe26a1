/* SPDX-License-Identifier: MIT */
/*
 * symbolize/golang/table.h: the parts of .gopclntab.
 */
#ifndef CP_SYMBOLIZE_GOLANG_TABLE_H
#define CP_SYMBOLIZE_GOLANG_TABLE_H

#include "symbolize/elf/elf-file.h"

enum cp_go_layout { CP_GO_2 = 2, CP_GO_16 = 16, CP_GO_18 = 18, CP_GO_20 = 20 };

struct cp_gotab {
	const struct cp_elf *elf;
	uint64_t addr; /* address of the table */
	const uint8_t *start;
	uint8_t layout, quantum, word;
	struct cp_bytes names, units, files, values, functions;
	const uint8_t *index; /* pairs of (address, offset) of the functions */
	/* relocated copy that index points into; or NULL */
	uint8_t *copy;
	size_t n;       /* number of functions */
	uint64_t text;  /* base of addresses in the table, or 0 */
	uint64_t calls; /* base of inlined call lists; 0: unknown */
};

#endif
