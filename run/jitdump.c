/* SPDX-License-Identifier: MIT */
/*
 * jitdump: finds the jitdump that a process mapped, and checks that it fits.
 *
 * It is searched for where other files of a capture are.  A dump of the same
 * name can be of another process: then its code was made before the file was
 * mapped, or for another machine.  Of several that may be the process's, as
 * those of containers, which all have a process 1, the one is tried first whose
 * code begins soonest after the file was mapped.
 */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "run/api.h"
#include "base/elf.h"
#include "readers/jitdump.h"
#include "symbolize/object/jit-files.h"

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

/* Tolerance: the clocks of mapping and of writing are not read at once. */
#define EARLY UINT64_C(1000000000)

/* Converts a reading of the CPU's counter to the capture's clock. */
static uint64_t
convert(const struct cp_time_conv *c, uint64_t ticks)
{
	uint64_t below = ((uint64_t)1 << c->shift) - 1;

	if (c->wraps)
		ticks = c->cycles + ((ticks - c->cycles) & c->mask);
	return c->zero + (ticks >> c->shift) * c->mult +
	       ((ticks & below) * c->mult >> c->shift);
}

/*
 * Converts times of the CPU's counter to perf's clock, if the capture has the
 * conversion.
 */
static bool
convert_all(
    const struct cp_run *run, const struct cp_jitdump *d, struct cp_jit *j)
{
	const struct cp_time_conv *c = &run->rec.time_conv;
	const struct cp_evsels *all = &run->rec.evsels;

	if (!d->arch_time || !c->known || all->all.len == 0 ||
	    !all->sample_id_all ||
	    cp_attr_flag(&all->all.data[0]->attr, CP_ATTR_USE_CLOCKID))
		return false;
	for (size_t i = 0; i < j->loads.len; i++)
		j->loads.data[i].time = convert(c, j->loads.data[i].time);
	return true;
}

static bool
same_clock(const struct cp_run *run, const struct cp_jitdump *d)
{
	const struct cp_evsels *all = &run->rec.evsels;
	const struct cp_attr *a;

	if (all->all.len == 0 || d->arch_time)
		return false;
	a = &all->all.data[0]->attr;
	return cp_attr_flag(a, CP_ATTR_USE_CLOCKID) &&
	       a->clockid == CLOCK_MONOTONIC && all->sample_id_all;
}

/*
 * Is the dump of another machine?  CPython writes 0.  A 32-bit program may run
 * on a 64-bit machine.
 */
static bool
other_machine(const struct cp_run *run, const struct cp_jitdump *d)
{
	static const struct {
		const char *arch;
		uint32_t machine, narrow; /* ELF machine numbers */
	} known[] = {
		{ "x86_64", EM_X86_64, EM_386 },
		{ "i686", EM_386, EM_386 },
		{ "i386", EM_386, EM_386 },
		{ "aarch64", EM_AARCH64, EM_ARM },
		{ "armv7l", EM_ARM, EM_ARM },
		{ "riscv64", EM_RISCV, EM_RISCV },
		{ "ppc64le", EM_PPC64, EM_PPC64 },
		{ "ppc64", EM_PPC64, EM_PPC64 },
		{ "s390x", EM_S390, EM_S390 },
		{ "loongarch64", EM_LOONGARCH, EM_LOONGARCH },
	};
	const char *arch = run->rec.info.arch;

	for (size_t i = 0; arch != NULL && i < CP_ARRAY_LEN(known); i++)
		if (strcmp(arch, known[i].arch) == 0)
			return d->machine != 0 &&
			       d->machine != known[i].machine &&
			       d->machine != known[i].narrow;
	return false;
}

static uint64_t
first_time(const struct cp_jit *j)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < j->loads.len; i++)
		first = CP_MIN(first, j->loads.data[i].time);
	return first;
}

/* Mappings made before the recording have no time. */
static bool
known_time(uint64_t mapped)
{
	return mapped != 0 && mapped != CP_NO_TIME;
}

static bool
judge(struct cp_run *run, const struct cp_jitdump *d, const char *path,
    uint64_t mapped, struct cp_jit *j)
{
	bool clock = same_clock(run, d) || convert_all(run, d, j);

	if (other_machine(run, d)) {
		cp_diag(run->diags, CP_D_OTHER_JIT, "machine %" PRIu32 ": %s",
		    d->machine, path);
		return false;
	}
	if (clock && known_time(mapped) && j->loads.len != 0 &&
	    first_time(j) < mapped - CP_MIN(mapped, EARLY)) {
		cp_diag(run->diags, CP_D_OTHER_JIT,
		    "%" PRIu64 " ms before it was mapped: %s",
		    (mapped - first_time(j)) / 1000000, path);
		return false;
	}
	if (d->bad != 0)
		cp_diag(run->diags, CP_D_BAD_JIT, "%zu record%s: %s", d->bad,
		    cp_s(d->bad), path);
	if ((d->flags & ~UINT64_C(1)) != 0)
		cp_diag(run->diags, CP_D_BAD_JIT,
		    "flags 0x%" PRIx64 " are taken for none: %s", d->flags,
		    path);
	if (d->full)
		cp_diag(run->diags, CP_D_LIMIT, "CP_MAX_JIT_LOADS: %s", path);
	if (!clock) {
		cp_diag(run->diags, CP_D_JIT_CLOCK, "%s", path);
		for (size_t i = 0; i < j->loads.len; i++)
			j->loads.data[i].time = 0;
	}
	j->dso->trust =
	    clock && known_time(mapped) ? CP_TRUST_VERIFIED : CP_TRUST_ABSENT;
	return true;
}

static void
say_refused(struct cp_run *run, const char *path, const char *why)
{
	if (why != NULL)
		cp_diag(run->diags, CP_D_NOT_OPENED, "%s: %s", path, why);
}

static bool
try_file(struct cp_run *run, int fd, const char *path, uint64_t mapped,
    struct cp_jit *j)
{
	struct cp_jitdump d;
	bool ok;

	ok = cp_jitdump_read(&d, fd, &run->session.strings, j);
	if (!ok)
		cp_diag(run->diags, CP_D_BAD_JIT, "no jitdump: %s", path);
	ok = ok && judge(run, &d, path, mapped, j);
	if (!ok) {
		j->loads.len = 0;
		j->dso->symbols.len = 0;
		j->dso->lines.len = 0;
	} else {
		j->dso->path =
		    cp_arena_strndup(&run->arena, path, strlen(path));
	}
	close(fd);
	return ok;
}

static bool
try_path(
    struct cp_run *run, const char *path, uint64_t mapped, struct cp_jit *j)
{
	int fd = cp_text_file_open(cp_run_symbols(run), path);

	if (fd < 0) {
		say_refused(run, path, cp_text_file_why(errno));
		return false;
	}
	return try_file(run, fd, path, mapped, j);
}

/* How long after the mapping the dump's code begins, if that is known. */
static uint64_t
delay_of(struct cp_run *run, const char *path, uint64_t mapped)
{
	int fd = cp_text_file_open(cp_run_symbols(run), path);
	struct cp_jitdump d;
	struct cp_jit one = { 0 };
	uint64_t time = UINT64_MAX;
	bool known;

	if (fd < 0)
		return UINT64_MAX;
	known = cp_jitdump_begins(&d, fd, &time) && time != UINT64_MAX;
	close(fd);
	*cp_vec_push(&one.loads) = (struct cp_jit_load){ .time = time };
	known = known && (same_clock(run, &d) || convert_all(run, &d, &one));
	time = one.loads.data[0].time;
	cp_vec_free(&one.loads);
	if (!known || time < mapped - CP_MIN(mapped, EARLY))
		return UINT64_MAX;
	return time > mapped ? time - mapped : mapped - time;
}

/* Puts the dump that begins soonest after the mapping first. */
static void
soonest_first(struct cp_run *run, cp_paths *paths, uint64_t mapped)
{
	uint64_t best = UINT64_MAX;

	for (size_t i = 0; i < paths->len && known_time(mapped); i++) {
		const char *path = paths->data[i];
		uint64_t delay = delay_of(run, path, mapped);

		if (delay >= best)
			continue;
		best = delay;
		memmove(
		    &paths->data[1], &paths->data[0], i * sizeof(*paths->data));
		paths->data[0] = path;
	}
}

bool
cp_run_jit_open(void *ctx, const char *recorded, uint32_t pid, uint64_t mapped,
    struct cp_jit *j)
{
	struct cp_run *run = ctx;
	struct cp_symbolize_options o = cp_run_symbolize_options(run);
	const char *name = strrchr(recorded, '/');
	cp_paths paths = { 0 };
	const char *path = NULL;
	bool found = false;
	int fd;

	fd = cp_text_file_recorded(cp_run_symbols(run), recorded, pid, &path);
	if (fd >= 0)
		return try_file(run, fd, path, mapped, j);
	cp_jitfiles_named(
	    &o, name != NULL ? name + 1 : recorded, &run->arena, &paths);
	cp_text_file_jitdumps(
	    cp_run_symbols(run), name != NULL ? name + 1 : recorded, &paths);
	if (o.recorded_paths && recorded[0] == '/')
		*cp_vec_push(&paths) = recorded;
	if (paths.len > 1)
		soonest_first(run, &paths, mapped);
	for (size_t i = 0; i < paths.len && !found; i++)
		found = try_path(run, paths.data[i], mapped, j);
	cp_vec_free(&paths);
	return found;
}
