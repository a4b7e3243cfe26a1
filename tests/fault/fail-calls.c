/* SPDX-License-Identifier: MIT */
/*
 * fail-calls: a library that tests preload.  It makes one call of the process
 * fail, or stops the process there.
 *
 * FAULT is CALL:NUMBER:WHAT, as "write:3:28".  CALL is a name below, NUMBER
 * counts its calls from 1; with a "+" after it, all later ones fail, too.  WHAT
 * is an errno, or a signal after "s" that the process gets before the call.
 * With FAULT_NAMED, as on some file systems, every file needs a name.
 * FAULT_LOG names a file that gets the number of calls, by name, at exit.
 *
 * With COVERAGE defined no call fails after main(): gcov writes its counts
 * then, and would crash without memory.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#define CALLS(X)                                                               \
	X(open)                                                                \
	X(openat)                                                              \
	X(read)                                                                \
	X(pread)                                                               \
	X(write)                                                               \
	X(pwrite)                                                              \
	X(fsync)                                                               \
	X(ftruncate)                                                           \
	X(linkat)                                                              \
	X(rename)                                                              \
	X(mkdirat)                                                             \
	X(symlinkat)                                                           \
	X(mmap)                                                                \
	X(malloc)                                                              \
	X(calloc)                                                              \
	X(realloc)

enum {
#define X(name) CALL_##name,
	CALLS(X)
#undef X
	    CALL_COUNT
};
static const char *const names[] = {
#define X(name) #name,
	CALLS(X)
#undef X
};
static unsigned counts[CALL_COUNT];
static int ended; /* the program's own calls are done */

/* glibc's own: dlsym() allocates. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static void *
real(const char *name)
{
	void *p = dlsym(RTLD_NEXT, name);

	if (p == NULL)
		abort();
	return p;
}

/* Is this call the one?  Sets errno, or does not return from a signal. */
static int
fails(int call)
{
	const char *fault = getenv("FAULT");
	size_t len = strlen(names[call]);
	unsigned long wanted;
	unsigned n;
	char *end;

	if (ended)
		return 0;
	n = __atomic_add_fetch(&counts[call], 1, __ATOMIC_RELAXED);
	if (fault == NULL || strncmp(fault, names[call], len) != 0 ||
	    fault[len] != ':')
		return 0;
	wanted = strtoul(fault + len + 1, &end, 10);
	if (n != wanted && !(*end == '+' && n > wanted))
		return 0;
	end = strchr(end, ':');
	if (end == NULL)
		abort();
	if (end[1] == 's') {
		kill(getpid(), atoi(end + 2));
		return 0;
	}
	errno = atoi(end + 1);
	return 1;
}

#ifdef COVERAGE
static int (*program)(int, char **, char **);

static int
run_program(int argc, char **argv, char **env)
{
	int status = program(argc, argv, env);

	ended = 1;
	return status;
}

int __libc_start_main(int (*start)(int, char **, char **), int argc,
    char **argv, void (*init)(void), void (*fini)(void),
    void (*loader_fini)(void), void *stack);

__attribute__((visibility("default"))) int
__libc_start_main(int (*start)(int, char **, char **), int argc, char **argv,
    void (*init)(void), void (*fini)(void), void (*loader_fini)(void),
    void *stack)
{
	int (*next)(int (*)(int, char **, char **), int, char **,
	    void (*)(void), void (*)(void), void (*)(void), void *);
	void *p = real("__libc_start_main");

	memcpy(&next, &p, sizeof(p));
	program = start;
	return next(run_program, argc, argv, init, fini, loader_fini, stack);
}
#endif

__attribute__((destructor)) static void
log_counts(void)
{
	const char *path = getenv("FAULT_LOG");
	FILE *f = path != NULL ? fopen(path, "w") : NULL;

	for (int i = 0; f != NULL && i < CALL_COUNT; i++)
		fprintf(f, "%s %u\n", names[i], counts[i]);
	if (f != NULL)
		fclose(f);
}

/* Wraps a call; list and arguments are in parentheses. */
#define WRAP(type, name, list, arguments, failed)                              \
	__attribute__((visibility("default"))) type name list                  \
	{                                                                      \
		static type(*next) list;                                       \
                                                                               \
		if (next == NULL) {                                            \
			void *p = real(#name);                                 \
			memcpy(&next, &p, sizeof(p));                          \
		}                                                              \
		return fails(CALL_##name) ? (failed) : next arguments;         \
	}

#define MODE                                                                   \
	mode_t mode = 0;                                                       \
	if ((flags & (O_CREAT | O_TMPFILE)) != 0) {                            \
		va_list ap;                                                    \
		va_start(ap, flags);                                           \
		mode = va_arg(ap, mode_t);                                     \
		va_end(ap);                                                    \
	}

__attribute__((visibility("default"))) int
open(const char *path, int flags, ...)
{
	static int (*next)(const char *, int, ...);
	MODE

	    if (next == NULL)
	{
		void *p = real("open");
		memcpy(&next, &p, sizeof(p));
	}
	if (getenv("FAULT_NAMED") != NULL && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return fails(CALL_open) ? -1 : next(path, flags, mode);
}

__attribute__((visibility("default"))) int
openat(int dir, const char *path, int flags, ...)
{
	static int (*next)(int, const char *, int, ...);
	MODE

	    if (next == NULL)
	{
		void *p = real("openat");
		memcpy(&next, &p, sizeof(p));
	}
	return fails(CALL_openat) ? -1 : next(dir, path, flags, mode);
}

WRAP(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n), -1)
WRAP(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), -1)
WRAP(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), -1)
WRAP(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at),
    (fd, p, n, at), -1)
WRAP(int, fsync, (int fd), (fd), -1)
WRAP(int, ftruncate, (int fd, off_t n), (fd, n), -1)
WRAP(int, linkat,
    (int from, const char *old, int to, const char *new, int flags),
    (from, old, to, new, flags), -1)
WRAP(int, rename, (const char *old, const char *new), (old, new), -1)
WRAP(int, mkdirat, (int dir, const char *path, mode_t mode), (dir, path, mode),
    -1)
WRAP(int, symlinkat, (const char *to, int dir, const char *path),
    (to, dir, path), -1)
WRAP(void *, mmap,
    (void *at, size_t n, int prot, int flags, int fd, off_t offset),
    (at, n, prot, flags, fd, offset), MAP_FAILED)

__attribute__((visibility("default"))) void *
malloc(size_t n)
{
	return fails(CALL_malloc) ? NULL : __libc_malloc(n);
}

__attribute__((visibility("default"))) void *
calloc(size_t count, size_t size)
{
	return fails(CALL_calloc) ? NULL : __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *
realloc(void *p, size_t n)
{
	return fails(CALL_realloc) ? NULL : __libc_realloc(p, n);
}
