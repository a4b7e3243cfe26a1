/* SPDX-License-Identifier: MIT */
/*
 * symbolize/opinion/stacks.h: unwinds a sample's registers and stack with
 * libdwfl, for `check`.
 *
 * libdwfl is given the same mappings, files, registers and bytes as our
 * unwinder.  The caller says which file is mapped at an address.  The only code
 * shared with our unwinder is the numbers of registers (cfi/arch.h).  One
 * thread only.
 */
#ifndef CP_SYMBOLIZE_OPINION_STACKS_H
#define CP_SYMBOLIZE_OPINION_STACKS_H

#include "model/session-state.h"
#include "symbolize/elf/elf-file.h"

struct cp_opinion_stacks;

/* The file mapped at an address of the process. */
struct cp_opinion_mapped {
	uint32_t dso;
	const struct cp_elf *elf;
	uint64_t vaddr; /* the address in the file's image */
};
/* False: no file is mapped there, or it was not found. */
typedef bool (*cp_opinion_mapped_fn)(void *ctx, const struct cp_unwind *,
    uint64_t pc, struct cp_opinion_mapped *);

/* uname: the recorded machine.  NULL: libdw is not installed. */
struct cp_opinion_stacks *cp_opinion_stacks_new(
    const char *uname, cp_opinion_mapped_fn, void *ctx);
void cp_opinion_stacks_free(struct cp_opinion_stacks *);

/*
 * Finds the frames of a user stack, innermost first; a caller has the address
 * of the last byte of its call.  Returns their number; 0: libdwfl has no
 * answer.
 */
size_t cp_opinion_stack(struct cp_opinion_stacks *, const struct cp_unwind *,
    uint64_t *out, size_t max);
/*
 * libdwfl's name of the function at an address of the stack asked last, or
 * NULL.
 */
const char *cp_opinion_stack_name(struct cp_opinion_stacks *, uint64_t pc);

#endif
