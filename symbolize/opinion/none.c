/* SPDX-License-Identifier: MIT */
/* Instead of opinion.c and stacks.c: a build without elfutils, as on macOS. */
#include "symbolize/opinion/opinion.h"
#include "symbolize/opinion/stacks.h"

const char *
cp_opinion_missing(void)
{
	return "this coldperf was built without elfutils";
}

struct cp_opinion *
cp_opinion_open(const struct cp_elf *elf, const struct cp_elf *alt)
{
	return NULL;
}

void
cp_opinion_free(struct cp_opinion *o)
{
}

struct cp_opinion_name
cp_opinion_name(struct cp_opinion *o, uint64_t vaddr)
{
	return (struct cp_opinion_name){ 0 };
}

size_t
cp_opinion_spots(struct cp_opinion *o, uint64_t vaddr,
    struct cp_opinion_spot *out, size_t max)
{
	return 0;
}

struct cp_opinion_stacks *
cp_opinion_stacks_new(const char *uname, cp_opinion_mapped_fn mapped, void *ctx)
{
	return NULL;
}

void
cp_opinion_stacks_free(struct cp_opinion_stacks *o)
{
}

size_t
cp_opinion_stack(struct cp_opinion_stacks *o, const struct cp_unwind *u,
    uint64_t *out, size_t max)
{
	return 0;
}

const char *
cp_opinion_stack_name(struct cp_opinion_stacks *o, uint64_t pc)
{
	return NULL;
}
