/* SPDX-License-Identifier: MIT */
/*
 * base/port.h: what POSIX has not, and each system has otherwise.
 *
 * Linux' own is in port-linux.c, that of macOS in port-darwin.c.  What macOS
 * has not at all, it does without: it has no large pages for a heap, and no
 * walls (base/sandbox/none.c).  No other file asks which system it is.
 */
#ifndef CP_BASE_PORT_H
#define CP_BASE_PORT_H

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/base.h"

#ifdef __APPLE__
#include <sys/types.h> /* makedev() */
#define st_atim st_atimespec
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#define CLOCK_BOOTTIME CLOCK_MONOTONIC /* goes on while it sleeps */
/* Flags to look at what a path names without reading it. */
#define CP_PORT_LOOK O_EVTONLY
#define CP_PORT_LOOK_LINK (O_EVTONLY | O_SYMLINK)
#else
#include <sys/sysmacros.h>
#define CP_PORT_LOOK O_PATH
#define CP_PORT_LOOK_LINK (O_PATH | O_NOFOLLOW)
#endif

/* ---------------------------------------------------------------- files */

/* Where the content of a file is from. */
enum cp_port_place {
	CP_PORT_HERE,
	CP_PORT_KERNEL,    /* it is made when it is read, as below /proc */
	CP_PORT_ELSEWHERE, /* another machine or process is asked for it */
	CP_PORT_UNKNOWN,   /* the system does not tell */
};
enum cp_port_place cp_port_place(int fd);
/* Linux: the same of a type of statfs(); it is here for a test. */
enum cp_port_place cp_port_place_of(uint32_t type);

/*
 * Opens a path as if the folder were the root.  macOS opens no path that leads
 * through a link or through "..".
 */
int cp_port_open_inside(int dir, const char *path, int flags);

/*
 * Opens a file without a name for reading and writing, 0600.  dir NULL: in
 * memory.  named: it gets a name later, by /proc/self/fd.  -1: there is none.
 */
int cp_port_nameless(const char *dir, bool named);

/* No other program inherits these two: macOS has no pipe2() before 27. */
static inline void
cp_port_keep(const int ends[2])
{
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
}

/* Tells that size bytes at the offset are read next; 0: all, in order. */
void cp_port_read_ahead(int fd, uint64_t at, uint64_t size);

/* The path of an open file, past all links; false: not known. */
bool cp_port_path(int fd, char *out, size_t size);

/* ---------------------------------------------------------- this program */

/* The path by which this program is started again. */
const char *cp_port_self(void);

/*
 * Calls give() with the loaded parts of the program's file that contain its
 * texts: those that are not code.  Without /proc, Linux gives none.
 */
void cp_port_own_words(
    void (*give)(void *ctx, const uint8_t *, size_t n), void *ctx);

/* As getenv(); NULL where this process has more rights than its caller. */
const char *cp_port_getenv(const char *name);

/*
 * The i-th name to try for a library that Linux calls soname, maybe in the
 * buffer; NULL: there are no more.
 */
const char *cp_port_library(
    const char *soname, unsigned i, char *buffer, size_t size);

/* --------------------------------------------------------------- memory */

/*
 * Puts the heap into large pages.  Returns the size in bytes from which arrays
 * get a mapping of their own; SIZE_MAX: none does.
 */
size_t cp_port_heap(void);
/* From now on, arrays get one that is smaller. */
void cp_port_heap_full(void);
/* What malloc() gave, and large pages for it: asked for arrays of that size. */
size_t cp_port_array_size(void *);
void cp_port_array_large(void *);

#endif
