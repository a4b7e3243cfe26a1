/* SPDX-License-Identifier: MIT */
/*
 * stacks: libdwfl walks up a user stack.
 *
 * A Dwfl stands for the mappings of a process as long as no address means
 * something else (its generation); the last ones are kept, as processes take
 * turns.  Files are copied once, as in opinion.c, and shared by all of them.
 * libdwfl asks for a frame's address before it looks for the caller, so that
 * the file is reported in time.
 */
#include "symbolize/opinion/stacks.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/mem.h"
#include "symbolize/cfi/arch.h"
#include "symbolize/opinion/libdw.h"

enum { SPACES = 16 };

struct file {
	bool tried;
	uint8_t *bytes;
	Elf *elf; /* NULL: not to be had */
};

/* The mappings of a process. */
struct space {
	uint32_t generation; /* 0: unused */
	uint64_t used;       /* when; the oldest one is given up */
	bool attached;
	Dwfl *dwfl;
	CP_VEC(uint64_t) starts; /* of mappings that were reported */
};

struct cp_opinion_stacks {
	const struct cp_libdw *dw;
	const char *uname;
	cp_opinion_mapped_fn mapped;
	void *ctx;
	CP_VEC(struct file) files; /* by id of the object */
	uint64_t copied;           /* bytes of files */
	struct space spaces[SPACES];
	uint64_t turn;
	/* The stack being unwound. */
	const struct cp_unwind *u;
	const struct cp_arch *arch;
	struct space *space;
	uint8_t place[CP_REGS];
	uint64_t *out;
	size_t n, max;
};

/* ---------------------------------------------------------------- files */

static Elf *
file_of(struct cp_opinion_stacks *o, const struct cp_opinion_mapped *m)
{
	size_t size = m->elf->content.size;
	struct file *f;

	while (o->files.len <= m->dso)
		*cp_vec_push(&o->files) = (struct file){ 0 };
	f = &o->files.data[m->dso];
	if (f->tried)
		return f->elf;
	f->tried = true;
	if (size == 0 || size > CP_MAX_OPINION_FILES - o->copied)
		return NULL;
	o->copied += size;
	f->bytes = cp_xmalloc(size);
	memcpy(f->bytes, m->elf->content.data, size);
	f->elf = o->dw->elf_memory((char *)f->bytes, size);
	return f->elf;
}

/*
 * The range of the image.  As libdwfl does it, the start is rounded by the
 * alignment of the first segment: it takes the difference for the bias.
 */
static bool
image_range(const struct cp_elf *elf, uint64_t *start, uint64_t *end)
{
	*end = 0;
	if (elf->loads.len == 0)
		return false;
	*start = elf->loads.data[0].vaddr & (0 - elf->loads.data[0].align);
	for (size_t i = 0; i < elf->loads.len; i++) {
		const struct cp_elf_segment *l = &elf->loads.data[i];

		if (l->size > UINT64_MAX - l->vaddr)
			return false;
		*end = CP_MAX(*end, l->vaddr + l->size);
	}
	return *start < *end;
}

static void
add_module(struct cp_opinion_stacks *o, const struct cp_opinion_mapped *m,
    uint64_t bias)
{
	Elf *elf = file_of(o, m);
	uint64_t start, end;
	char name[40];

	if (elf == NULL || !image_range(m->elf, &start, &end))
		return;
	snprintf(name, sizeof(name), "%" PRIx32 "-%" PRIx64, m->dso, bias);
	o->dw->dwfl_report_begin_add(o->space->dwfl);
	cp_libdw_report(o->space->dwfl, elf, name, bias + start, bias + end);
	o->dw->dwfl_report_end(o->space->dwfl, NULL, NULL);
}

/* Reports the file that is mapped at pc, once. */
static void
report_at(struct cp_opinion_stacks *o, uint64_t pc)
{
	const struct cp_map *map = cp_aspace_ask(o->u->space, pc);
	struct cp_opinion_mapped m;

	if (map == NULL)
		return;
	for (size_t i = 0; i < o->space->starts.len; i++)
		if (o->space->starts.data[i] == map->start)
			return;
	*cp_vec_push(&o->space->starts) = map->start;
	/* One of several mappings of a file may have been reported. */
	if (o->dw->dwfl_addrmodule(o->space->dwfl, pc) == NULL &&
	    o->mapped(o->ctx, o->u, pc, &m))
		add_module(o, &m, pc - m.vaddr);
}

/* ---------------------------------------------------------- the process */

static uint64_t
reg(const struct cp_opinion_stacks *o, unsigned i)
{
	uint64_t v = cp_load64(
	    o->u->sample->user_regs + 8 * (size_t)o->place[i], o->u->swap);

	return o->arch->word == 4 ? (uint32_t)v : v;
}

static pid_t
next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	if (*thread != NULL)
		return 0;
	*thread = arg;
	return 1;
}

static bool
read_memory(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *v, void *arg)
{
	const struct cp_opinion_stacks *o = arg;
	const struct cp_ev_sample *s = o->u->sample;
	uint64_t offset = addr - reg(o, o->arch->sp);
	unsigned word = o->arch->word;

	if (offset > s->user_stack_size || s->user_stack_size - offset < word)
		return false;
	*v = word == 8 ? cp_load64(s->user_stack + offset, o->u->swap)
		       : cp_load32(s->user_stack + offset, o->u->swap);
	return true;
}

static bool
set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct cp_opinion_stacks *o = arg;

	for (unsigned i = 0; i < o->arch->regs; i++) {
		Dwarf_Word v;

		/* libdw has no number for the pc of s390x: it is set below. */
		if (o->place[i] == CP_NO_REG ||
		    (o->arch->machine == EM_S390 && i == o->arch->pc))
			continue;
		v = reg(o, i);
		if (!o->dw->dwfl_thread_state_registers(thread, (int)i, 1, &v))
			return false;
	}
	o->dw->dwfl_thread_state_register_pc(thread, reg(o, o->arch->pc));
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

static void
space_end(struct cp_opinion_stacks *o, struct space *s)
{
	o->dw->dwfl_end(s->dwfl);
	cp_vec_free(&s->starts);
	*s = (struct space){ 0 };
}

static struct space *
space_of(struct cp_opinion_stacks *o, uint32_t generation)
{
	struct space *oldest = &o->spaces[0];

	for (size_t i = 0; i < SPACES; i++) {
		struct space *s = &o->spaces[i];

		if (s->dwfl != NULL && s->generation == generation)
			return s;
		if (s->used < oldest->used)
			oldest = s;
	}
	space_end(o, oldest);
	oldest->generation = generation;
	oldest->dwfl = o->dw->dwfl_begin(&cp_libdw_callbacks);
	o->dw->dwfl_report_begin(oldest->dwfl);
	o->dw->dwfl_report_end(oldest->dwfl, NULL, NULL);
	return oldest;
}

/* ------------------------------------------------------------ the stack */

static int
on_frame(Dwfl_Frame *frame, void *arg)
{
	struct cp_opinion_stacks *o = arg;
	bool activation;
	Dwarf_Addr pc;

	if (o->n == o->max || !o->dw->dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	report_at(o, pc);
	if (pc != 0)
		report_at(o, pc - 1);
	/* Now that the file is known: is the caller that of a signal? */
	if (!o->dw->dwfl_frame_pc(frame, &pc, &activation) || pc == 0)
		return DWARF_CB_ABORT;
	o->out[o->n++] = activation ? pc : pc - 1;
	return DWARF_CB_OK;
}

static bool
begin(struct cp_opinion_stacks *o, const struct cp_unwind *u)
{
	const struct cp_ev_sample *s = u->sample;

	o->u = u;
	o->n = 0;
	o->arch = cp_arch_find(o->uname, s->user_abi);
	if (o->arch == NULL || s->user_regs == NULL || s->user_stack == NULL)
		return false;
	cp_arch_places(o->arch, s->user_mask, o->place);
	if (o->place[o->arch->sp] == CP_NO_REG ||
	    o->place[o->arch->pc] == CP_NO_REG)
		return false;
	o->space = space_of(o, u->space->generation);
	o->space->used = ++o->turn;
	return true;
}

size_t
cp_opinion_stack(struct cp_opinion_stacks *o, const struct cp_unwind *u,
    uint64_t *out, size_t max)
{
	o->out = out;
	o->max = max;
	if (!begin(o, u))
		return 0;
	report_at(o, reg(o, o->arch->pc));
	if (!o->space->attached)
		o->space->attached = o->dw->dwfl_attach_state(
		    o->space->dwfl, NULL, 1, &thread_callbacks, o);
	if (o->space->attached)
		o->dw->dwfl_getthread_frames(o->space->dwfl, 1, on_frame, o);
	return o->n;
}

const char *
cp_opinion_stack_name(struct cp_opinion_stacks *o, uint64_t pc)
{
	Dwfl_Module *m = o->dw->dwfl_addrmodule(o->space->dwfl, pc);

	return m != NULL ? o->dw->dwfl_module_addrname(m, pc) : NULL;
}

struct cp_opinion_stacks *
cp_opinion_stacks_new(const char *uname, cp_opinion_mapped_fn mapped, void *ctx)
{
	const struct cp_libdw *dw = cp_libdw();
	struct cp_opinion_stacks *o;

	if (dw == NULL)
		return NULL;
	dw->elf_version(EV_CURRENT);
	o = cp_xcalloc(1, sizeof(*o));
	o->dw = dw;
	o->uname = uname;
	o->mapped = mapped;
	o->ctx = ctx;
	return o;
}

void
cp_opinion_stacks_free(struct cp_opinion_stacks *o)
{
	if (o == NULL)
		return;
	for (size_t i = 0; i < SPACES; i++)
		space_end(o, &o->spaces[i]);
	for (size_t i = 0; i < o->files.len; i++) {
		o->dw->elf_end(o->files.data[i].elf);
		free(o->files.data[i].bytes);
	}
	cp_vec_free(&o->files);
	free(o);
}
