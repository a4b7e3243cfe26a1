/* SPDX-License-Identifier: MIT */
/*
 * symbolize/code/code.h: the code bytes of a function, from a file whose build
 * ID is the recorded one.
 *
 * This room is for annotate: instructions and source text.  It may use
 * inlines/, object/, symbolizers/, file-index/, insn/ and elf/.  Begin in
 * code.c for bytes, in source-text.c for lines.
 */
#ifndef CP_SYMBOLIZE_CODE_CODE_H
#define CP_SYMBOLIZE_CODE_CODE_H

#include "symbolize/insn/disasm.h"
#include "symbolize/object/files.h"

struct cp_code_bytes {
	const uint8_t *data; /* NULL: not found */
	size_t size;         /* less than requested at the end of the file */
	/* address of the first byte, as objdump shows it */
	uint64_t shown;
	struct cp_machine machine;
	bool relocatable;         /* the loader fills in call targets */
	const struct cp_elf *elf; /* NULL: not from an ELF file */
	const char *why;          /* reason if there are no bytes */
	uint8_t *owned;           /* malloc'ed; or NULL */
};

/*
 * Returns size bytes from addr (a cp_frame.addr) on.  For JIT code the caller
 * must know the run-time address and the recorded machine.
 */
struct cp_code_bytes cp_symbols_code(struct cp_symbols *,
    const struct cp_dso_info *, uint64_t addr, size_t size);
void cp_code_bytes_free(struct cp_code_bytes *);
/*
 * Converts an address as objdump shows it to a cp_frame.addr.  False: no such.
 */
bool cp_code_addr(const struct cp_code_bytes *, const struct cp_dso_info *,
    uint64_t first, uint64_t shown, uint64_t *addr);

/*
 * mapping-symbols.c: the ARM mapping symbols ($a, $t, $x, $d), which tell code
 * from data, in ascending order.  The first one is at or before `from`.
 */
struct cp_code_mark {
	uint64_t shown;
	char kind; /* 'a', 't', 'x': code; 'd': data */
};
typedef CP_VEC(struct cp_code_mark) cp_code_marks;
void cp_code_marks_of(struct cp_symbols *, const struct cp_dso_info *,
    const struct cp_code_bytes *, cp_code_marks *);

#endif
