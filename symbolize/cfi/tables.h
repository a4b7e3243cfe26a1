/* SPDX-License-Identifier: MIT */
/*
 * symbolize/cfi/tables.h: the types of this room: rules, the row of an
 * address, the entries of a table, and the tables of one object.
 */
#ifndef CP_SYMBOLIZE_CFI_TABLES_H
#define CP_SYMBOLIZE_CFI_TABLES_H

#include "base/bytes.h"
#include "base/hash.h"
#include "base/vec.h"
#include "symbolize/cfi/arch.h"

/* How a register of the caller is found. */
enum cp_cfi_kind {
	CP_CFI_SAME, /* it was not changed */
	CP_CFI_UNDEFINED,
	CP_CFI_OFFSET,         /* saved at CFA + offset */
	CP_CFI_VAL_OFFSET,     /* is CFA + offset */
	CP_CFI_REGISTER,       /* is in another register */
	CP_CFI_EXPRESSION,     /* saved where it says */
	CP_CFI_VAL_EXPRESSION, /* is what it says */
};

struct cp_cfi_rule {
	uint8_t kind;
	uint8_t reg;   /* of CFA: OFFSET is from this register */
	uint32_t size; /* of the expression */
	union {
		int64_t offset; /* or number of the register */
		const uint8_t *expression;
	} u;
};

/* What holds at one address.  CFA kinds: SAME (none), OFFSET, EXPRESSION. */
struct cp_cfi_row {
	struct cp_cfi_rule cfa;
	struct cp_cfi_rule reg[CP_REGS];
	uint8_t ra;  /* whose rule gives the return address */
	bool signal; /* of a signal trampoline */
	bool body;   /* it does not hold while the frame is set up */
	bool swap;   /* byte order of the expressions */
};

/* The part of a table that is about one function. */
struct cp_cfi_cie {
	uint64_t at; /* in its section */
	uint64_t code_align;
	int64_t data_align;
	uint8_t ra, encoding, address_size;
	bool signal, has_augmentation;
	struct cp_bytes program;
};
struct cp_cfi_fde {
	const uint8_t *at;
	struct cp_cfi_cie cie;
	uint64_t start, end; /* addresses of the image */
	struct cp_bytes program;
	const uint8_t *limit; /* what lies behind the programs ends here */
};

struct cp_cfi_place {
	uint64_t start;
	uint64_t at; /* of the FDE in its section */
};

struct cp_cfi_section {
	struct cp_bytes bytes; /* failed: there is none */
	uint64_t addr;
	uint64_t text, data; /* what textrel and datarel count from */
	bool debug;          /* .debug_frame */
	bool wide;
	uint8_t *copy; /* NULL: the bytes are the file's */
	bool indexed;
	CP_VEC(struct cp_cfi_place) index;
	struct cp_cfi_cie last; /* the CIE met last; code_align 0: none */
};

struct cp_cfi {
	const struct cp_arch *arch;
	struct cp_cfi_section eh;
	struct cp_cfi_section debug[2]; /* of the file, of its debug file */
	/* Sorted pairs of 32 bits, counted from table_addr. */
	struct cp_bytes table;
	size_t table_len;
	uint64_t table_addr;
	bool table_checked, table_sorted;
	int32_t *some; /* starts of every so many; NULL: not asked yet */
};

#endif
