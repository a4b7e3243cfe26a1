/* SPDX-License-Identifier: MIT */
/*
 * Go programs: calls that leave their stack.
 *
 * Go's runtime runs parts of itself on a thread's own stack and switches to it
 * in the middle of a function: systemstack, mcall and morestack load the stack
 * pointer that the scheduler left, then call.  After the return address there
 * are leftovers of the scheduler; the real callers are on a goroutine's stack,
 * which was not copied.  The same holds for clone in a new thread, rt0_go and
 * goexit, which have no caller.  Their unwind tables do not tell, so these
 * calls end the stack.
 */
#include "symbolize/unwind/go-runtime.h"

#include "base/elf.h"
#include "symbolize/elf/symbols.h"
#include "symbolize/unwind/memory.h"

/* The form of the call that switches stacks. */
enum { BY_REGISTER, DIRECT, ANY };

static const struct top {
	const char *name;
	uint8_t calls;
} tops[] = {
	{ "systemstack", BY_REGISTER },
	{ "mcall", BY_REGISTER },
	{ "clone", BY_REGISTER },
	{ "morestack", DIRECT },
	{ "rt0_go", ANY },
	{ "goexit", ANY },
};

/* Finds an entry by symbol name, with or without ".abi0"; NULL: none. */
static const struct top *
top_of(const char *name)
{
	static const char package[] = "runtime.";

	if (strncmp(name, package, sizeof(package) - 1) != 0)
		return NULL;
	name += sizeof(package) - 1;
	for (size_t i = 0; i < CP_ARRAY_LEN(tops); i++) {
		size_t n = strlen(tops[i].name);

		if (strncmp(name, tops[i].name, n) == 0 &&
		    (name[n] == '\0' || strcmp(name + n, ".abi0") == 0))
			return &tops[i];
	}
	return NULL;
}

static void
add_top(struct cp_go *g, const char *name, uint64_t start, uint64_t size)
{
	const struct top *t = top_of(name);

	if (t != NULL && g->n < CP_ARRAY_LEN(g->at))
		g->at[g->n++] = (struct cp_go_top){ start, size, t->calls };
}

/* Finds the functions of a stripped program, by .gopclntab. */
static void
find_in_gotab(struct cp_go *g, const struct cp_gotab *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct cp_go_name f;

		if (cp_gotab_name(t, i, &f))
			add_top(g, f.name, f.start, f.end - f.start);
	}
}

void
cp_go_find(
    struct cp_go *g, const struct cp_elf *elf, const struct cp_gotab *kept)
{
	const struct cp_elf_section *table =
	    cp_elf_section_of_type(elf, SHT_SYMTAB);
	struct cp_elf_symbols s;

	*g = (struct cp_go){ 0 };
	if (elf->machine != EM_X86_64 ||
	    cp_elf_section(elf, ".go.buildinfo") == NULL)
		return;
	if (!cp_elf_symbols(&s, elf, table)) {
		if (kept != NULL)
			find_in_gotab(g, kept);
		return;
	}
	for (size_t i = 0; i < s.count; i++) {
		struct cp_elf_raw_symbol x = cp_elf_symbol_at(&s, i);

		if (x.name < cp_bytes_left(&s.names))
			add_top(g, (const char *)s.names.at + x.name, x.value,
			    x.size);
	}
}

bool
cp_walk_go_top(
    struct cp_unwind_walk *w, const struct cp_go *g, uint64_t pc, uint64_t addr)
{
	uint8_t c[5];
	unsigned i = 0;

	while (i < g->n && addr - g->at[i].start >= g->at[i].size)
		i++;
	if (i == g->n)
		return false;
	if (g->at[i].calls == ANY)
		return true;
	/* pc is the last byte of the call. */
	if (!cp_walk_code(w, pc - 4, c, sizeof(c)))
		return false;
	return g->at[i].calls == DIRECT ? c[0] == 0xe8
					: c[3] == 0xff && (c[4] & 0xf8) == 0xd0;
}
