/* SPDX-License-Identifier: MIT */
/*
 * fuzz-unwind: a stack, registers and the code that it came from.
 *
 * Layout: u8 (bit 0: x86-64 or 32-bit ARM, bit 1: there is a table, bit 2: the
 * stack is scanned, bit 3: the dump was cut), u16 size of the code, 24
 * registers, the code, the table (u16 size, then .eh_frame), the stack. Without
 * a table callers are found by following the code and by frame pointers.
 */
#include "symbolize/symbolize.h"
#include "symbolize/unwind/unwind.h"
#include "symbolize/unwind/walk.h"
#include "tests/fuzz/fuzz.h"

enum {
	CODE = 0x400000,
	TABLE = 0x100000,
	STACK = 0x7ffe0000,
	REGS = 24,
	WORDS = 256
};

struct machine {
	const char *uname;
	uint16_t machine;
	uint8_t abi, sp, pc, word; /* numbers of perf's registers */
};

static const struct machine machines[] = {
	{ "x86_64", EM_X86_64, 2, 7, 8, 8 },
	{ "armv7l", EM_ARM, 1, 13, 15, 4 },
};

struct world {
	struct cp_diags diags;
	struct cp_strings strings;
	struct cp_dsos dsos;
	struct cp_symbols *symbols;
	struct cp_unwinder *unwinder;
	struct cp_aspace *space;
	struct cp_elf elf;
};

/* The object is known to be the code alone: nothing looks for its file. */
static void
map_code(struct world *w, const struct machine *m, struct cp_bytes code,
    struct cp_bytes table)
{
	struct cp_unwind_object *o = cp_xcalloc(1, sizeof(*o));
	struct cp_dso_key key = { .level = CP_LEVEL_USER };
	struct cp_map map = { .start = CODE,
		.end = CODE + cp_bytes_left(&code) + 1,
		.delta = (uint64_t)0 - CODE };
	bool changed;

	key.name = cp_strings_add(&w->strings, "/none/code");
	map.dso = cp_dsos_get(&w->dsos, &w->strings, &key)->pub.id;
	w->elf.machine = m->machine;
	w->elf.wide = m->word == 8;
	w->elf.content = (struct cp_content){ .data = (uint8_t *)code.at,
		.size = cp_bytes_left(&code) };
	*cp_vec_push(&w->elf.loads) = (struct cp_elf_segment){ .vaddr = CODE,
		.size = w->elf.content.size };
	o->tried = o->tables_made = o->debug_tried = true;
	o->runtime = &w->elf;
	o->cfi.arch = cp_arch_find(m->uname, m->abi);
	o->cfi.table.failed = true;
	o->cfi.eh = (struct cp_cfi_section){
		.bytes = table, .addr = TABLE, .wide = w->elf.wide
	};
	o->cfi.debug[0].bytes.failed = o->cfi.debug[1].bytes.failed = true;
	*cp_vec_push(&w->unwinder->objects) = o;
	if (cp_aspace_insert(w->space, &map, &changed) != CP_OK || map.dso != 1)
		abort();
}

static void
world_init(struct world *w, const struct machine *m, struct cp_bytes code,
    struct cp_bytes table)
{
	struct cp_symbolize_options opt = { .cache_dir = "", .jobs = 1 };

	memset(w, 0, sizeof(*w));
	cp_diags_init(&w->diags);
	w->space = cp_aspace_new();
	w->space->generation = 1;
	w->symbols = cp_symbols_new(&opt, &w->strings, &w->diags);
	w->unwinder = cp_unwinder_new(w->symbols, &w->dsos, m->uname);
	map_code(w, m, code, table);
}

static void
world_free(struct world *w)
{
	cp_unwinder_free(w->unwinder);
	cp_symbols_free(w->symbols);
	cp_aspace_unref(w->space);
	cp_dsos_free(&w->dsos);
	cp_strings_free(&w->strings);
	cp_vec_free(&w->elf.loads);
}

/* Registers that point anywhere lead nowhere: these two are bent to fit. */
static void
bend(uint64_t *regs, const struct machine *m, size_t code)
{
	regs[m->sp] = STACK;
	regs[m->pc] = CODE + regs[m->pc] % (code + 1);
}

static void
unwind(struct world *w, const struct machine *m, uint8_t how,
    const uint64_t *regs, struct cp_bytes stack)
{
	uint64_t words[WORDS];
	struct cp_ev_sample s = { .user_abi = m->abi,
		.user_mask = m->abi == 1 ? 0xffff : 0xff0fff,
		.user_regs = (const uint8_t *)regs,
		.user_stack = stack.at,
		.user_stack_size = cp_bytes_left(&stack) };
	struct cp_unwind u = { .space = w->space,
		.sample = &s,
		.words = words,
		.max = WORDS,
		.cut = (how & 8) != 0 };
	size_t n;

	cp_unwinder_scan(w->unwinder, (how & 4) != 0);
	n = cp_unwind(w->unwinder, &u);
	if (n > WORDS || (n != 0 && u.end == CP_UNWIND_NONE))
		abort();
}

static struct cp_bytes
take_table(struct cp_bytes *b, uint8_t how)
{
	struct cp_bytes none = { .failed = true };
	size_t n;

	if ((how & 2) == 0)
		return none;
	n = cp_bytes_u16(b);
	n = CP_MIN(n, cp_bytes_left(b));
	return b->failed ? none : cp_bytes_of(cp_bytes_take(b, n), n, false);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct world w;
	struct cp_bytes b = cp_bytes_of(data, size, false), code, table;
	uint8_t how = cp_bytes_u8(&b);
	size_t n = cp_bytes_u16(&b);
	const struct machine *m = &machines[how & 1];
	uint64_t regs[REGS];

	for (int i = 0; i < REGS; i++)
		regs[i] = cp_bytes_u64(&b);
	n = CP_MIN(n, cp_bytes_left(&b));
	if (b.failed)
		return 0;
	code = cp_bytes_of(cp_bytes_take(&b, n), n, false);
	table = take_table(&b, how);
	if (b.failed)
		return 0;
	bend(regs, m, cp_bytes_left(&code));
	world_init(&w, m, code, table);
	unwind(&w, m, how, regs, b);
	world_free(&w);
	return 0;
}
