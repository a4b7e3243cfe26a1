/* SPDX-License-Identifier: MIT */
/*
 * dwfl-stacks [-a] CAPTURE [SYMBOLS]: every user stack of a capture, unwound by
 * us and by libdwfl, given the same mappings, files, registers and bytes.
 *
 * Prints a line for each stack that differs, or with -a for each, CPU time (the
 * first look at files included on both sides), and the account at the end:
 *
 *	CLASS at TIME, ENDED: ours ... | libdwfl ...
 *	samples N frames N equal N stopped N wild N skipped N beyond N other N
 *
 * Classes: stopped (libdwfl's is the beginning of ours, or would be if its last
 * frame were not one byte before a function that nobody has called), wild
 * (libdwfl's leads out of all mappings, ours is complete), skipped (libdwfl's
 * lacks frames of ours, which is complete), beyond (libdwfl's goes on behind
 * the last of ours, where Go's runtime has changed stacks), other.  libdwfl is
 * asked for the frame's address before it wants to know of the next one, so
 * that the module can be reported in time.
 */
#define _GNU_SOURCE /* memfd_create */
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/unwind/replay.h"

enum { MAX = 8192 };

struct theirs {
	uint32_t generation; /* of the space it was made for */
	Dwfl *dwfl;
	bool attached;
	CP_VEC(uint64_t) starts; /* of mappings that were reported */
	/* The sample at hand. */
	struct cp_unwind *u;
	struct replay *r;
	const struct cp_arch *arch;
	uint8_t place[CP_REGS];
	uint64_t ip[MAX];
	size_t n;
};

struct account {
	struct replay r;
	struct theirs t;
	uint64_t words[MAX];
	bool all;                    /* are to be shown */
	double our_time, their_time; /* of CPU, ns */
	size_t samples, frames, equal, stopped, wild, skipped, beyond, other;
};

static uint64_t
reg(const struct theirs *t, unsigned i)
{
	const uint8_t *p = t->u->sample->user_regs + 8 * t->place[i];
	uint64_t v = cp_load64(p, t->u->swap);

	return t->arch->word == 4 ? (uint32_t)v : v;
}

static int
elf_by_fd(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base,
    char **file, Elf **elf)
{
	return -1;
}

static int
no_debug(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base,
    const char *file, const char *link, GElf_Word crc, char **found)
{
	return -1;
}

static const Dwfl_Callbacks callbacks = { .find_elf = elf_by_fd,
	.find_debuginfo = no_debug };

/* The mapping's file, from its bytes as we have them. */
static void
report(struct theirs *t, const struct cp_map *m, uint64_t pc)
{
	const struct cp_dso_info *d = cp_dsos_at(&t->r->session.dsos, m->dso);
	const struct cp_elf *elf = cp_symbols_runtime(t->r->symbols, d);
	uint64_t vaddr;
	char name[40];
	int fd;

	for (size_t i = 0; i < t->starts.len; i++)
		if (t->starts.data[i] == m->start)
			return;
	*cp_vec_push(&t->starts) = m->start;
	if (elf == NULL || !cp_elf_vaddr(elf, pc + m->delta, &vaddr))
		return;
	/* One of several mappings; libdwfl drops what is reported twice. */
	if (dwfl_addrmodule(t->dwfl, pc) != NULL)
		return;
	snprintf(
	    name, sizeof(name), "%" PRIx32 "-%" PRIx64, m->dso, pc - vaddr);
	fd = memfd_create(name, MFD_CLOEXEC);
	if (write(fd, elf->content.data, elf->content.size) !=
	    (ssize_t)elf->content.size)
		abort();
	dwfl_report_begin_add(t->dwfl);
	if (dwfl_report_elf(t->dwfl, name, name, fd, pc - vaddr, true) == NULL)
		close(fd);
	dwfl_report_end(t->dwfl, NULL, NULL);
}

static void
report_at(struct theirs *t, uint64_t pc)
{
	const struct cp_map *m = cp_aspace_ask(t->u->space, pc);

	if (m != NULL)
		report(t, m, pc);
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
memory_read(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *v, void *arg)
{
	const struct theirs *t = arg;
	const struct cp_ev_sample *s = t->u->sample;
	uint64_t offset = addr - reg(t, t->arch->sp);
	unsigned word = t->arch->word;

	if (offset > s->user_stack_size || s->user_stack_size - offset < word)
		return false;
	*v = word == 8 ? cp_load64(s->user_stack + offset, t->u->swap)
		       : cp_load32(s->user_stack + offset, t->u->swap);
	return true;
}

static bool
initial_registers(Dwfl_Thread *thread, void *arg)
{
	const struct theirs *t = arg;

	for (unsigned i = 0; i < t->arch->regs; i++) {
		Dwarf_Word v;

		/* libdw has no number for that of s390x: it is set below. */
		if (t->place[i] == CP_NO_REG ||
		    (t->arch->machine == EM_S390 && i == t->arch->pc))
			continue;
		v = reg(t, i);
		if (!dwfl_thread_state_registers(thread, (int)i, 1, &v))
			return false;
	}
	dwfl_thread_state_register_pc(thread, reg(t, t->arch->pc));
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = memory_read,
	.set_initial_registers = initial_registers,
};

static int
on_frame(Dwfl_Frame *state, void *arg)
{
	struct theirs *t = arg;
	Dwarf_Addr pc;
	bool activation;

	if (t->n == MAX || !dwfl_frame_pc(state, &pc, NULL))
		return DWARF_CB_ABORT;
	report_at(t, pc);
	if (pc != 0)
		report_at(t, pc - 1);
	if (!dwfl_frame_pc(state, &pc, &activation))
		return DWARF_CB_ABORT;
	if (pc == 0)
		return DWARF_CB_ABORT;
	t->ip[t->n++] = activation ? pc : pc - 1;
	return DWARF_CB_OK;
}

/* One Dwfl for as long as no address means something else. */
static void
renew(struct theirs *t)
{
	if (t->dwfl != NULL && t->generation == t->u->space->generation)
		return;
	if (t->dwfl != NULL)
		dwfl_end(t->dwfl);
	t->starts.len = 0;
	t->attached = false;
	t->generation = t->u->space->generation;
	t->dwfl = dwfl_begin(&callbacks);
	dwfl_report_begin(t->dwfl);
	dwfl_report_end(t->dwfl, NULL, NULL);
}

static void
unwind_theirs(struct theirs *t)
{
	t->n = 0;
	t->arch = cp_arch_find(t->r->rec.info.arch, t->u->sample->user_abi);
	cp_arch_places(t->arch, t->u->sample->user_mask, t->place);
	renew(t);
	report_at(t, reg(t, t->arch->pc));
	if (!t->attached)
		t->attached =
		    dwfl_attach_state(t->dwfl, NULL, 1, &thread_callbacks, t);
	if (t->attached)
		dwfl_getthread_frames(t->dwfl, 1, on_frame, t);
	if (t->n == 0) /* code that no file holds */
		t->ip[t->n++] = reg(t, t->arch->pc);
}

static void
show(const char *class, const struct account *a, const struct cp_unwind *u,
    const uint64_t *ours, size_t n)
{
	static const char *const ends[] = { "none", "complete", "cut",
		"no-table", "unreadable", "loop", "unsupported", "limit" };
	const struct theirs *t = &a->t;

	printf(
	    "%s at %" PRIu64 ", %s: ours", class, a->r.at->time, ends[u->end]);
	for (size_t i = 0; i < n; i++)
		printf(" %" PRIx64, ours[i]);
	printf(" | libdwfl");
	for (size_t i = 0; i < t->n; i++)
		printf(" %" PRIx64, t->ip[i]);
	printf("\n");
}

/* An address of libdwfl's in no mapping. */
static bool
leads_out(const struct theirs *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (cp_aspace_ask(t->u->space, t->ip[i]) == NULL)
			return true;
	return false;
}

/* Ours without some frames. */
static bool
is_part(const struct theirs *t, const uint64_t *ours, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n && k < t->n; i++)
		k += ours[i] == t->ip[k];
	return k == t->n;
}

/* A function that calls on another stack than its caller's, or has none. */
static bool
changes_stack(struct theirs *t, uint64_t pc)
{
	static const char *const names[] = { "runtime.systemstack",
		"runtime.mcall", "runtime.clone", "runtime.morestack",
		"runtime.rt0_go", "runtime.goexit" };
	Dwfl_Module *m = dwfl_addrmodule(t->dwfl, pc);
	const char *name = m != NULL ? dwfl_module_addrname(m, pc) : NULL;
	size_t n = name != NULL ? strcspn(name, ".") : 0;

	if (n != 0)
		n += 1 + strcspn(name + n + 1, ".");
	for (size_t i = 0; i < CP_ARRAY_LEN(names) && n != 0; i++)
		if (strlen(names[i]) == n && strncmp(name, names[i], n) == 0)
			return true;
	return false;
}

/* Where they differ libdwfl's last frame is one byte before ours. */
static bool
last_is_before(
    const struct theirs *t, const uint64_t *ours, size_t n, size_t same)
{
	return same + 1 == t->n && same < n && t->ip[same] + 1 == ours[same];
}

static void
compare(struct account *a, const struct cp_unwind *u, const uint64_t *ours,
    size_t n)
{
	struct theirs *t = &a->t;
	const char *class = "other";
	size_t same = 0;

	a->samples++;
	a->frames += n;
	while (same < n && same < t->n && ours[same] == t->ip[same])
		same++;
	if (same == n && same == t->n) {
		class = "equal";
		a->equal++;
	} else if (same == t->n || last_is_before(t, ours, n, same)) {
		class = "stopped";
		a->stopped++;
	} else if (u->end == CP_UNWIND_COMPLETE && same == n &&
		   changes_stack(t, ours[n - 1])) {
		class = "beyond";
		a->beyond++;
	} else if (u->end == CP_UNWIND_COMPLETE && leads_out(t)) {
		class = "wild";
		a->wild++;
	} else if (u->end == CP_UNWIND_COMPLETE && is_part(t, ours, n)) {
		class = "skipped";
		a->skipped++;
	} else {
		a->other++;
	}
	if (a->all || strcmp(class, "equal") != 0)
		show(class, a, u, ours, n);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static size_t
both(void *ctx, struct cp_unwind *u)
{
	struct account *a = ctx;
	double start = now();
	size_t n, k = 0;

	n = cp_unwind(replay_unwinder(&a->r), u);
	a->our_time += now() - start;
	a->t.u = u;
	a->t.r = &a->r;
	if (n == 0)
		return 0;
	start = now();
	unwind_theirs(&a->t);
	a->their_time += now() - start;
	for (size_t i = 0; i < n; i++)
		if (u->words[i] < CP_CONTEXT_MAX)
			a->words[k++] = u->words[i];
	compare(a, u, a->words, k);
	return n;
}

int
main(int argc, char **argv)
{
	static struct account a;

	if (argc > 1 && strcmp(argv[1], "-a") == 0) {
		a.all = true;
		argv++;
		argc--;
	}
	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: dwfl-stacks [-a] CAPTURE [SYMBOLS]\n");
		return 2;
	}
	if (!replay_run(&a.r, argv[1], argv[2], both, &a)) {
		fprintf(stderr, "dwfl-stacks: cannot read %s\n", argv[1]);
		return 2;
	}
	printf("ns/frame ours %.0f libdwfl %.0f\n",
	    a.our_time / (double)CP_MAX(a.frames, 1),
	    a.their_time / (double)CP_MAX(a.frames, 1));
	printf("samples %zu frames %zu equal %zu stopped %zu wild %zu "
	       "skipped %zu beyond %zu other %zu\n",
	    a.samples, a.frames, a.equal, a.stopped, a.wild, a.skipped,
	    a.beyond, a.other);
	if (a.t.dwfl != NULL)
		dwfl_end(a.t.dwfl);
	cp_vec_free(&a.t.starts);
	replay_free(&a.r);
	return 0;
}
