/* SPDX-License-Identifier: MIT */
/* macOS 13 and newer.  Compiled and linked, never run: see docs/INSTALL.md. */
#include "base/port.h"

#include <errno.h>
#include <limits.h>
#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#include <mach-o/ldsyms.h>
#include <malloc/malloc.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

/* ---------------------------------------------------------------- files */

enum cp_port_place
cp_port_place_of(uint32_t type)
{
	return CP_PORT_UNKNOWN;
}

/* An automount point, of whatever type, is not local either. */
enum cp_port_place
cp_port_place(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) != 0)
		return CP_PORT_UNKNOWN;
	return (fs.f_flags & MNT_LOCAL) != 0 ? CP_PORT_HERE : CP_PORT_ELSEWHERE;
}

static bool
goes_up(const char *path)
{
	for (const char *p = path; (p = strstr(p, "..")) != NULL; p += 2)
		if ((p == path || p[-1] == '/') &&
		    (p[2] == '/' || p[2] == '\0'))
			return true;
	return false;
}

int
cp_port_open_inside(int dir, const char *path, int flags)
{
	path += strspn(path, "/");
	if (goes_up(path)) {
		errno = ENOENT;
		return -1;
	}
	return openat(dir, *path != '\0' ? path : ".", flags | O_NOFOLLOW_ANY);
}

int
cp_port_nameless(const char *dir, bool named)
{
	char path[PATH_MAX];
	int fd;

	if (dir == NULL || named ||
	    snprintf(path, sizeof(path), "%s/coldperf.XXXXXX", dir) >=
		(int)sizeof(path))
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

void
cp_port_read_ahead(int fd, uint64_t at, uint64_t size)
{
	struct radvisory part = { .ra_offset = (off_t)at,
		.ra_count = (int)CP_MIN(size, INT_MAX) };

	if (size != 0)
		(void)fcntl(fd, F_RDADVISE, &part);
	else
		(void)fcntl(fd, F_RDAHEAD, 1);
}

bool
cp_port_path(int fd, char *out, size_t size)
{
	char path[PATH_MAX]; /* F_GETPATH fills as much */

	if (fcntl(fd, F_GETPATH, path) != 0 || strlen(path) >= size)
		return false;
	memcpy(out, path, strlen(path) + 1);
	return true;
}

/* ---------------------------------------------------------- this program */

const char *
cp_port_self(void)
{
	static char path[PATH_MAX];
	uint32_t size = sizeof(path);

	return _NSGetExecutablePath(path, &size) == 0 ? path : "coldperf";
}

void
cp_port_own_words(void (*give)(void *ctx, const uint8_t *, size_t n), void *ctx)
{
	static const char *const parts[][2] = { { "__TEXT", "__cstring" },
		{ "__TEXT", "__const" }, { "__DATA_CONST", "__const" },
		{ "__DATA", "__const" } };

	for (size_t i = 0; i < CP_ARRAY_LEN(parts); i++) {
		unsigned long n = 0;
		const uint8_t *p = getsectiondata(
		    &_mh_execute_header, parts[i][0], parts[i][1], &n);

		if (p != NULL)
			give(ctx, p, n);
	}
}

const char *
cp_port_getenv(const char *name)
{
	return issetugid() == 0 ? getenv(name) : NULL;
}

/*
 * libX.so.N is libX.N.dylib, or libX.dylib in the system, where no file is.
 * Homebrew's formula links with the folders of what it needs as @rpath.
 */
const char *
cp_port_library(const char *soname, unsigned i, char *buffer, size_t size)
{
	static const char *const folders[] = { "@rpath", "/opt/homebrew/lib",
		"/usr/local/lib", "/usr/lib" };
	const char *end = strstr(soname, ".so");
	const char *folder = folders[i / 2 % CP_ARRAY_LEN(folders)];
	int n, stem;

	if (end == NULL || i >= 2 * CP_ARRAY_LEN(folders))
		return i == 0 ? soname : NULL;
	stem = (int)(end - soname);
	n = snprintf(buffer, size, "%s/%.*s%s.dylib", folder, stem, soname,
	    i % 2 == 0 ? end + strlen(".so") : "");
	return n < (int)size ? buffer : NULL;
}

/* --------------------------------------------------------------- memory */

size_t
cp_port_heap(void)
{
	return SIZE_MAX;
}

void
cp_port_heap_full(void)
{
}

size_t
cp_port_array_size(void *p)
{
	return malloc_size(p);
}

void
cp_port_array_large(void *p)
{
}
