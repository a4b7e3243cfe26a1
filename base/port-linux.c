/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_TMPFILE, memfd_create(), sbrk() */
#include "base/port.h"

#include <elf.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/tuning.h"

/* ---------------------------------------------------------------- files */

/* Not in linux/magic.h of each release. */
#define CIFS_MAGIC 0xff534d42
#define CEPH_MAGIC 0x00c36400
#define FUSE_MAGIC 0x65735546

enum cp_port_place
cp_port_place_of(uint32_t type)
{
	switch (type) {
	case PROC_SUPER_MAGIC:
	case SYSFS_MAGIC:
	case DEBUGFS_MAGIC:
	case TRACEFS_MAGIC:
	case CGROUP_SUPER_MAGIC:
	case CGROUP2_SUPER_MAGIC: return CP_PORT_KERNEL;
	case AUTOFS_SUPER_MAGIC:
	case NFS_SUPER_MAGIC:
	case SMB_SUPER_MAGIC:
	case 0xfe534d42: /* SMB2 */
	case CIFS_MAGIC:
	case CODA_SUPER_MAGIC:
	case NCP_SUPER_MAGIC:
	case AFS_SUPER_MAGIC:
	case AFS_FS_MAGIC:
	case CEPH_MAGIC:
	case V9FS_MAGIC:
	case FUSE_MAGIC: return CP_PORT_ELSEWHERE;
	}
	return CP_PORT_HERE;
}

enum cp_port_place
cp_port_place(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 ? cp_port_place_of((uint32_t)fs.f_type)
				     : CP_PORT_UNKNOWN;
}

/*
 * openat2() needs Linux 5.6.  On older kernels nothing is found below a root.
 */
int
cp_port_open_inside(int dir, const char *path, int flags)
{
	struct open_how how = {
		.flags = (uint64_t)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

int
cp_port_nameless(const char *dir, bool named)
{
	int flags = O_TMPFILE | O_RDWR | O_CLOEXEC;

	if (dir == NULL)
		return memfd_create("coldperf", MFD_CLOEXEC);
	if (named && access("/proc/self/fd", X_OK) != 0)
		return -1;
	return open(dir, named ? flags : flags | O_EXCL, 0600);
}

void
cp_port_read_ahead(int fd, uint64_t at, uint64_t size)
{
	(void)posix_fadvise(fd, (off_t)at, (off_t)size,
	    size != 0 ? POSIX_FADV_WILLNEED : POSIX_FADV_SEQUENTIAL);
}

bool
cp_port_path(int fd, char *out, size_t size)
{
	char link[40];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, out, size - 1);
	if (n <= 0)
		return false;
	out[n] = '\0';
	return true;
}

/* ---------------------------------------------------------- this program */

const char *
cp_port_self(void)
{
	return "/proc/self/exe";
}

const char *
cp_port_getenv(const char *name)
{
	return secure_getenv(name);
}

const char *
cp_port_library(const char *soname, unsigned i, char *buffer, size_t size)
{
	return i == 0 ? soname : NULL;
}

enum { MAX_SEGMENTS = 64, MAX_SEGMENT = 256 << 20 };

static bool
read_at(int fd, void *p, size_t n, uint64_t at)
{
	return pread(fd, p, n, (off_t)at) == (ssize_t)n;
}

static void
give_segment(int fd, const Elf64_Phdr *ph,
    void (*give)(void *ctx, const uint8_t *, size_t n), void *ctx)
{
	uint8_t *p;

	if (ph->p_type != PT_LOAD || (ph->p_flags & PF_X) != 0 ||
	    ph->p_filesz > MAX_SEGMENT)
		return;
	p = malloc((size_t)ph->p_filesz + 1);
	if (p != NULL && read_at(fd, p, (size_t)ph->p_filesz, ph->p_offset))
		give(ctx, p, (size_t)ph->p_filesz);
	free(p);
}

void
cp_port_own_words(void (*give)(void *ctx, const uint8_t *, size_t n), void *ctx)
{
	int fd = open(cp_port_self(), O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	if (fd < 0)
		return;
	if (read_at(fd, &eh, sizeof(eh), 0) &&
	    memcmp(eh.e_ident, ELFMAG, SELFMAG) == 0 &&
	    eh.e_ident[EI_CLASS] == ELFCLASS64 && eh.e_phentsize == sizeof(ph))
		for (unsigned i = 0; i < eh.e_phnum && i < MAX_SEGMENTS; i++)
			if (read_at(fd, &ph, sizeof(ph),
				eh.e_phoff + i * sizeof(ph)))
				give_segment(fd, &ph, give, ctx);
	close(fd);
}

/* --------------------------------------------------------------- memory */

#define LARGE_PAGE ((uintptr_t)2 << 20)

/*
 * The first touch of a page costs more than writing it.  In a large page it
 * costs a tenth of that.  Small allocations share one heap; a large array has
 * a place of its own, where it grows without a copy.
 */
size_t
cp_port_heap(void)
{
	void *heap;
	uintptr_t from, to;

	/* Forces the first allocation into a heap that is never trimmed. */
	if (mallopt(M_MMAP_THRESHOLD, 1 << 30) != 1 ||
	    mallopt(M_TRIM_THRESHOLD, 1 << 30) != 1)
		return SIZE_MAX;
	/*
	 * malloc() touches the heap's first page, so this places that page just
	 * before a boundary.
	 */
	(void)sbrk((intptr_t)(-((uintptr_t)sbrk(0) + 4096) & (LARGE_PAGE - 1)));
	heap = malloc(CP_HEAP_BYTES);
	if (heap == NULL)
		return SIZE_MAX;
	/* Only an untouched, aligned range becomes a large page. */
	from = ((uintptr_t)heap + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
	to = ((uintptr_t)heap + CP_HEAP_BYTES) & ~(LARGE_PAGE - 1);
	if (from < to)
		(void)madvise((void *)from, to - from, MADV_HUGEPAGE);
	free(heap);
	return mallopt(M_MMAP_THRESHOLD, CP_LARGE_ARRAY_BYTES) == 1
		   ? CP_LARGE_ARRAY_BYTES
		   : SIZE_MAX;
}

void
cp_port_heap_full(void)
{
	(void)mallopt(M_MMAP_THRESHOLD, CP_OWN_PLACE_BYTES);
}

size_t
cp_port_array_size(void *p)
{
	return malloc_usable_size(p);
}

/*
 * Asks for large pages for all of the array's own mapping: mremap() moves no
 * array whose parts differ, and then realloc() copies it.
 */
void
cp_port_array_large(void *p)
{
	uintptr_t from = (uintptr_t)p & ~(uintptr_t)4095;
	uintptr_t to = (uintptr_t)p + malloc_usable_size(p);

	(void)madvise((void *)from, to - from, MADV_HUGEPAGE);
}
