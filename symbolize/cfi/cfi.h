/* SPDX-License-Identifier: MIT */
/*
 * symbolize/cfi/cfi.h: the unwind tables of one object.
 *
 * .eh_frame through the search table of .eh_frame_hdr where that is usable,
 * else through an index of our own; then .debug_frame of the file and of its
 * debug file.  The tables may lie: whatever they hold, a row comes out or
 * none, in bounded time.
 */
#ifndef CP_SYMBOLIZE_CFI_CFI_H
#define CP_SYMBOLIZE_CFI_CFI_H

#include "base/bytes.h"
#include "base/hash.h"
#include "base/vec.h"
#include "symbolize/cfi/arch.h"
#include "symbolize/elf/elf-file.h"

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

/* cfibrief.c: functions that were asked about, and their packed rules. */
struct cp_cfi_brief_row {
	uint32_t at;   /* from the function's start on */
	uint32_t rule; /* CP_RULE_NONE: not to be had so */
};
struct cp_cfi_function {
	uint64_t start;    /* which rows count from */
	uint64_t from, to; /* addresses that are the function's */
	const struct cp_cfi_brief_row *rows;
	uint32_t n;
};
struct cp_cfi_brief {
	CP_VEC(struct cp_cfi_function) functions;
	struct cp_map64 by_fde; /* where that is -> index + 1 */
	struct cp_arena arena;  /* of rows */
	struct cp_cfi_brief_row *scratch;
	uint32_t *recent; /* index + 1 by block of code, of the last */
	uint32_t recent_mask;
};
void cp_cfi_brief_free(struct cp_cfi_brief *);

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
	struct cp_cfi_brief brief;
};

/* The file must outlive the tables. */
void cp_cfi_init(
    struct cp_cfi *, const struct cp_arch *, const struct cp_elf *runtime);
/* .debug_frame of the debug file, looked at last. */
void cp_cfi_add_debug(struct cp_cfi *, const struct cp_elf *debug);
void cp_cfi_free(struct cp_cfi *);

/*
 * The row at an address.  *steps is what may be done yet; false: nothing
 * covers it, the table is broken there, or the steps are used up.
 */
bool cp_cfi_row_at(
    struct cp_cfi *, uint64_t addr, struct cp_cfi_row *, uint32_t *steps);

/* cfientry.c */
bool cp_cfi_fde_at(struct cp_cfi_section *, uint64_t at, struct cp_cfi_fde *);
/* Steps over the entry at *at; *cie: it is none of a function. */
bool cp_cfi_next(struct cp_cfi_section *, uint64_t *at, bool *cie);
uint64_t cp_cfi_pointer(const struct cp_cfi_section *, struct cp_bytes *,
    uint8_t encoding, uint8_t address_size);

/* cfiindex.c */
bool cp_cfi_find(struct cp_cfi *, uint64_t addr, struct cp_cfi_fde *);
void cp_cfi_table_init(struct cp_cfi *, const struct cp_elf *);
/* Where in .eh_frame the linker's table leads to. */
struct cp_cfi_entry {
	uint64_t at;
	uint64_t from, to; /* if `alone`, for all addresses of these */
	bool alone;        /* the table is in order */
};
/* False: nowhere. */
bool cp_cfi_table_entry(struct cp_cfi *, uint64_t addr, struct cp_cfi_entry *);
/* What it leads to; false: that does not cover the address. */
bool cp_cfi_entry_fde(struct cp_cfi *, const struct cp_cfi_entry *,
    uint64_t addr, struct cp_cfi_fde *);

/* cfiprogram.c */
bool cp_cfi_execute(const struct cp_arch *, const struct cp_cfi_fde *,
    uint64_t addr, struct cp_cfi_row *, uint32_t *steps);

#endif
