/* SPDX-License-Identifier: MIT */
/*
 * symbolize/cfi/tables.h: the types of this room: rules, rows, CIE and FDE, and
 * the tables of one object.
 */
#ifndef CP_SYMBOLIZE_CFI_TABLES_H
#define CP_SYMBOLIZE_CFI_TABLES_H

#include "base/bytes.h"
#include "base/hash.h"
#include "base/vec.h"
#include "symbolize/cfi/arch.h"

/* How to find a register's value in the caller. */
enum cp_cfi_kind {
	CP_CFI_SAME, /* the value did not change */
	CP_CFI_UNDEFINED,
	CP_CFI_OFFSET,     /* saved at CFA + offset */
	CP_CFI_VAL_OFFSET, /* the value is CFA + offset */
	CP_CFI_REGISTER,   /* the value is in another register */
	/* saved at the address that the expression gives */
	CP_CFI_EXPRESSION,
	CP_CFI_VAL_EXPRESSION, /* the value that the expression gives */
};

struct cp_cfi_rule {
	uint8_t kind;
	uint8_t reg;   /* CFA: the base register of OFFSET */
	uint32_t size; /* size of the expression */
	union {
		int64_t offset; /* or the number of the register */
		const uint8_t *expression;
	} u;
};

/*
 * All rules at one address.  The CFA's kind is SAME (none), OFFSET or
 * EXPRESSION.
 */
struct cp_cfi_row {
	struct cp_cfi_rule cfa;
	struct cp_cfi_rule reg[CP_REGS];
	uint8_t ra;  /* register whose rule gives the return address */
	bool signal; /* the code is a signal trampoline */
	bool body;   /* valid only in the body: not in prologue and epilogue */
	bool swap;   /* byte order of the expressions */
};

/* An FDE or CIE, parsed. */
struct cp_cfi_cie {
	uint64_t at; /* offset in its section */
	uint64_t code_align;
	int64_t data_align;
	uint8_t ra, encoding, address_size;
	bool signal, has_augmentation;
	struct cp_bytes program;
};
struct cp_cfi_fde {
	const uint8_t *at;
	struct cp_cfi_cie cie;
	uint64_t start, end; /* range of the function, addresses in the image */
	struct cp_bytes program;
	const uint8_t *limit; /* end of the data that the programs may read */
};

struct cp_cfi_place {
	uint64_t start;
	uint64_t at; /* offset of the FDE in its section */
};

struct cp_cfi_section {
	struct cp_bytes bytes; /* failed: no such section */
	uint64_t addr;
	uint64_t text, data; /* bases of DW_EH_PE_textrel and datarel */
	bool debug;          /* is .debug_frame */
	bool wide;
	uint8_t *copy; /* NULL: bytes are in the file's mapping */
	bool indexed;
	CP_VEC(struct cp_cfi_place) index;
	/* the CIE that was read last; code_align 0: none */
	struct cp_cfi_cie last;
};

struct cp_cfi {
	const struct cp_arch *arch;
	struct cp_cfi_section eh;
	struct cp_cfi_section debug[2]; /* of the file, and of its debug file */
	/* .eh_frame_hdr: sorted pairs of 32 bits, relative to table_addr. */
	struct cp_bytes table;
	size_t table_len;
	uint64_t table_addr;
	bool table_checked, table_sorted;
	int32_t *some; /* start of every 32nd entry; NULL: not made yet */
	/* what was found last, for which address; end 0: nothing */
	struct cp_cfi_fde found;
	uint64_t found_for;
};

#endif
