/* SPDX-License-Identifier: MIT */
/*
 * symbolize/code/code.h: the bytes of a function, from the file that names may
 * come from: the build ID decides, as it does for them.
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
	const uint8_t *data; /* NULL: there are none */
	size_t size;         /* less than asked for where the file ends */
	uint64_t shown;      /* the first one's address as objdump shows it */
	struct cp_machine machine;
	bool relocatable;         /* calls are filled in by the loader */
	const struct cp_elf *elf; /* NULL: they are of no ELF file */
	const char *why;          /* there are none */
	uint8_t *owned;           /* to be freed; or NULL */
};

/*
 * size bytes from addr (a cp_frame.addr) on.  JIT code has its run-time
 * address told by the caller, who also knows the recorded machine.
 */
struct cp_code_bytes cp_symbols_code(struct cp_symbols *,
    const struct cp_dso_info *, uint64_t addr, size_t size);
void cp_code_bytes_free(struct cp_code_bytes *);
/* From an address as objdump shows it to a cp_frame.addr; false: nowhere. */
bool cp_code_addr(const struct cp_code_bytes *, const struct cp_dso_info *,
    uint64_t first, uint64_t shown, uint64_t *addr);

/*
 * mapping-symbols.c: where the linker's table says that code ends and data
 * begins
 * ($a, $t, $x, $d of ARM), ascending; the first is at or before `from`.
 */
struct cp_code_mark {
	uint64_t shown;
	char kind; /* 'a', 't', 'x': code; 'd': data */
};
typedef CP_VEC(struct cp_code_mark) cp_code_marks;
void cp_code_marks_of(struct cp_symbols *, const struct cp_dso_info *,
    const struct cp_code_bytes *, cp_code_marks *);

#endif
