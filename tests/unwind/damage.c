/* SPDX-License-Identifier: MIT */
/*
 * Damaged stacks: registers and bytes that are random, or lead into real code
 * and back to themselves.  The walk ends, within bounds and in bounded time,
 * and reads nothing outside of the dump (built with a sanitizer, that shows).
 */
#include <elf.h>

#include "base/limits.h"
#include "symbolize/symbolize.h"
#include "symbolize/unwind/unwind.h"
#include "tests/tap.h"

enum { ROUNDS = 20000, STACK = 4096, MASK_WORDS = 20 };

static uint64_t seed = 88172645463325252u;

static uint64_t
dice(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

struct world {
	struct cp_diags diags;
	struct cp_strings strings;
	struct cp_dsos dsos;
	struct cp_symbols *symbols;
	struct cp_unwinder *unwinder;
	struct cp_aspace *space;
	uint64_t start, size; /* of the code */
	uint64_t words[CP_MAX_CHAIN];
};

/* The C library as it is mapped here; any other code would do. */
static bool
find_code(char *path, size_t n, struct cp_map *m)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[600];
	bool found = false;

	while (f != NULL && !found && fgets(line, sizeof(line), f) != NULL) {
		uint64_t from, to, offset;
		char prot[8], file[512];

		found =
		    sscanf(line,
			"%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %511s",
			&from, &to, prot, &offset, file) == 5 &&
		    strstr(prot, "x") != NULL && strstr(file, "libc") != NULL;
		if (found) {
			*m = (struct cp_map){
				.start = from, .end = to, .delta = offset - from
			};
			snprintf(path, n, "%s", file);
		}
	}
	if (f != NULL)
		fclose(f);
	return found;
}

static bool
world_init(struct world *w)
{
	struct cp_symbolize_options opt = {
		.recorded_paths = true, .cache_dir = "", .jobs = 1
	};
	struct cp_dso_key key = { .level = CP_LEVEL_USER };
	struct cp_map m;
	char path[512];
	bool changed;

	memset(w, 0, sizeof(*w));
	cp_diags_init(&w->diags);
	if (!find_code(path, sizeof(path), &m))
		return false;
	key.name = cp_strings_add(&w->strings, path);
	m.dso = cp_dsos_get(&w->dsos, &w->strings, &key)->pub.id;
	w->start = m.start;
	w->size = m.end - m.start;
	w->space = cp_aspace_new();
	w->space->generation = 1;
	w->symbols = cp_symbols_new(&opt, &w->strings, &w->diags);
	w->unwinder = cp_unwinder_new(w->symbols, &w->dsos, "x86_64");
	return cp_aspace_insert(w->space, &m, &changed) == CP_OK;
}

static void
world_free(struct world *w)
{
	cp_unwinder_free(w->unwinder);
	cp_symbols_free(w->symbols);
	cp_aspace_unref(w->space);
	cp_dsos_free(&w->dsos);
	cp_strings_free(&w->strings);
}

/* Code, the stack, a small number, anything. */
static uint64_t
some_word(const struct world *w, uint64_t sp)
{
	uint64_t r = dice();

	switch (r % 8) {
	case 0:
	case 1:
	case 2:
	case 3: return w->start + dice() % w->size;
	case 4:
	case 5: return sp + (dice() % STACK & ~UINT64_C(7));
	case 6: return r >> 56;
	default: return r;
	}
}

/* One stack in memory of exactly its size; false: out of bounds. */
static bool
round_once(struct world *w, size_t size, uint64_t abi)
{
	uint8_t *stack = malloc(size + 1);
	uint64_t regs[MASK_WORDS], sp = dice() % 4 != 0 ? 0x7ffe0000 : dice();
	struct cp_ev_sample s = { .user_abi = abi,
		.user_mask = 0xff0fff,
		.user_regs = (const uint8_t *)regs,
		.user_stack = stack,
		.user_stack_size = size };
	struct cp_unwind u = { .space = w->space,
		.sample = &s,
		.words = w->words,
		.max = CP_MAX_CHAIN,
		.cut = dice() % 2 == 0 };
	size_t n;

	for (size_t i = 0; i + 8 <= size; i += 8) {
		uint64_t v = some_word(w, sp);

		memcpy(stack + i, &v, 8);
	}
	for (size_t i = 0; i < MASK_WORDS; i++)
		regs[i] = some_word(w, sp);
	regs[7] = sp;
	if (dice() % 8 != 0)
		regs[8] = w->start + dice() % w->size;
	n = cp_unwind(w->unwinder, &u);
	free(stack);
	return n <= u.max && (n == 0 || u.end != CP_UNWIND_NONE);
}

int
main(void)
{
	static struct world w;
	static const size_t sizes[] = { 0, 1, 7, 8, 9, 16, 64, STACK };
	bool bounded = true;

	if (!world_init(&w)) {
		printf("1..0 # SKIP no code of the C library is mapped\n");
		return 0;
	}
	for (size_t i = 0; i < CP_ARRAY_LEN(sizes); i++) {
		for (int k = 0; k < ROUNDS / 8; k++)
			bounded &= round_once(&w, sizes[i], 2);
		ok(bounded, "random stacks of %zu bytes", sizes[i]);
	}
	for (int k = 0; k < ROUNDS / 8; k++)
		bounded &= round_once(&w, STACK, dice() % 4);
	ok(bounded, "registers of other widths");
	world_free(&w);
	return done_testing();
}
