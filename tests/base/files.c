/* SPDX-License-Identifier: MIT */
/*
 * Files that names come from: they shrink while they are mapped, others may
 * write to them, paths lead through links and automounts.
 */
#define _GNU_SOURCE /* unshare(), pipe2() */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/inflated.h"
#include "base/limits.h"
#include "base/port.h"
#include "base/safe-file.h"
#include "symbolize/elf/elf-file.h"
#include "symbolize/elf/symbols.h"
#include "tests/tap.h"

#define PAGES 16

static char dir[] = "/tmp/coldperf-files.XXXXXX";

static const char *
in_dir(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static int
make(const char *name, const void *data, size_t n, mode_t mode)
{
	int fd = open(in_dir(name), O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n || fchmod(fd, mode) != 0)
		exit(99);
	return fd;
}

/* ------------------------------------------------------------- shrinking */

static void
test_shrink(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = PAGES * page;
	uint8_t *data = malloc(n);
	struct cp_content a, b;
	bool zeros = true;
	int fd, other;

	memset(data, 'x', n);
	fd = make("shrinks", data, n, 0644);
	other = make("stays", data, n, 0644);
	ok(cp_objfile_map(fd, &a) && a.mapped, "an own file is mapped");
	ok(cp_objfile_map(other, &b) && b.mapped, "another one is");
	ok(ftruncate(fd, (off_t)(2 * page)) == 0, "it becomes shorter");
	ok(a.data[page] == 'x' && cp_content_is_whole(&a), "what is left");
	for (size_t i = 2 * page; i < n; i++)
		zeros &= a.data[i] == 0;
	ok(zeros, "what is gone reads as zeros");
	ok(!cp_content_is_whole(&a), "... and it can be told");
	ok(cp_content_is_whole(&b) && b.data[n - 1] == 'x', "of that file");
	cp_content_free(&a);
	cp_content_free(&b);
	close(fd);
	close(other);
	free(data);
}

static void *
slurp(const char *path, size_t *n)
{
	struct cp_content c;
	int fd = open(path, O_RDONLY);
	void *copy;

	if (fd < 0 || !cp_objfile_read(fd, 256 << 20, &c))
		exit(99);
	close(fd);
	*n = c.size;
	copy = malloc(c.size);
	memcpy(copy, c.data, c.size);
	cp_content_free(&c);
	return copy;
}

/* This program, cut while it is an object, at each of its pages. */
static void
test_object(void)
{
	size_t n;
	void *self = slurp("/proc/self/exe", &n);
	unsigned opened = 0;

	for (unsigned part = 0; part < 16; part++) {
		int fd = make("object", self, n, 0755);
		struct cp_elf elf;
		uint64_t at;

		if (!cp_elf_open(&elf, dup(fd)))
			continue;
		opened++;
		if (ftruncate(fd, (off_t)(n / 16 * part)) != 0)
			exit(99);
		(void)cp_elf_symbol_value(&elf, "main", &at);
		for (size_t i = 1; i < elf.sections.len; i++) {
			struct cp_bytes b =
			    cp_elf_bytes(&elf, &elf.sections.data[i]);
			volatile uint8_t sum = 0;

			while (cp_bytes_left(&b) > 0)
				sum += cp_bytes_u8(&b);
			(void)sum;
		}
		cp_elf_free(&elf);
		close(fd);
	}
	is_u64(opened, 16, "an object that shrinks is read to its end");
	free(self);
}

static void
test_others(void)
{
	int fd = make("shared", "abc", 3, 0666);
	struct cp_content c;

	ok(cp_objfile_map(fd, &c) && !c.mapped && c.size == 3 && !c.from.ours,
	    "what others may write to is copied");
	ok(pwrite(fd, "X", 1, 0) == 1 && c.data[0] == 'a',
	    "... and changes no more");
	cp_content_free(&c);
	close(fd);
}

/* ----------------------------------------------------------------- paths */

static int
recorded(const char *name)
{
	int fd = cp_objfile_open_recorded(in_dir(name));
	int error = fd >= 0 ? 0 : errno;

	if (fd >= 0)
		close(fd);
	return error;
}

static int
own(const char *name)
{
	int fd = cp_objfile_open_own(in_dir(name));
	int error = fd >= 0 ? 0 : errno;

	if (fd >= 0)
		close(fd);
	return error;
}

static void
link_to(const char *name, const char *target)
{
	if (symlink(target, in_dir(name)) != 0)
		exit(99);
}

static void
test_paths(void)
{
	char deep[120];

	close(make("plain", "abc", 3, 0644));
	mkdir(in_dir("folder"), 0755);
	close(make("folder/file", "abc", 3, 0644));
	link_to("link", "plain");
	link_to("away", "folder");
	link_to("back", "folder/../folder/.//file");
	link_to("loop", "loop");
	link_to("null", "/dev/null");
	snprintf(deep, sizeof(deep), "%s/folder/file", dir);
	link_to("full", deep);
	is_u64(recorded("plain"), 0, "a file");
	is_u64(recorded("link"), 0, "a link");
	is_u64(recorded("away/file"), 0, "through a link");
	is_u64(recorded("away/../plain"), 0, "up from where a link leads");
	is_u64(recorded("back"), 0, "a link with names to skip");
	is_u64(recorded("full"), 0, "a link from the root");
	is_u64(recorded("loop"), ELOOP, "a link to itself");
	is_u64(recorded("none"), ENOENT, "nothing");
	is_u64(recorded("plain/x"), ENOTDIR, "a file as a folder");
	is_u64(recorded("folder"), ENOENT, "a folder is no file");
	is_u64(recorded("null"), ENOENT, "a link to a device is not opened");
	is_u64(own("plain"), 0, "an own file");
	is_u64(own("away/file"), 0, "an own file, a folder is a link");
	is_u64(own("link"), ELOOP, "an own file, itself a link");
	close(make("all", "abc", 3, 0666));
	is_u64(own("all"), EPERM, "a file that all may write to");
}

static int
opened(const char *path)
{
	int fd = cp_objfile_open_recorded(path);
	int error = fd >= 0 ? 0 : errno;

	if (fd >= 0)
		close(fd);
	return error;
}

/* A plain file in /dev, where nobody has an object, by several ways. */
static void
test_kernels(void)
{
	char name[] = "/dev/shm/coldperf-files.XXXXXX", path[80];
	int fd = mkstemp(name);

	/* the file system tells where the path does not */
	ok(cp_objfile_open("/usr/../proc/self/status") < 0 && errno == ENOENT,
	    "a file of /proc is no object");
	is_u64((uint64_t)opened("/proc/self/status"), ENOENT, "nor recorded");
	if (fd < 0) {
		skip("no plain files in /dev: %s", strerror(errno));
		return;
	}
	if (write(fd, "abc", 3) != 3)
		exit(99);
	close(fd);
	is_u64((uint64_t)opened(name), ENOENT, "nothing below /dev is opened");
	snprintf(path, sizeof(path), "/.//%s", name + 1);
	is_u64((uint64_t)opened(path), ENOENT, "... nor by a dot");
	snprintf(path, sizeof(path), "/usr/..%s", name);
	is_u64((uint64_t)opened(path), ENOENT, "... nor from elsewhere");
	snprintf(path, sizeof(path), "/../..%s", name);
	is_u64((uint64_t)opened(path), ENOENT, "... nor from above");
	link_to("shm", name);
	is_u64((uint64_t)recorded("shm"), ENOENT, "... nor by a link");
	mkdir(in_dir("dev"), 0755);
	close(make("dev/file", "abc", 3, 0644));
	is_u64((uint64_t)recorded("dev/file"), 0, "another dev is a folder");
	unlink(name);
}

static void
test_file_systems(void)
{
	static const uint32_t away[] = { AUTOFS_SUPER_MAGIC, NFS_SUPER_MAGIC,
		SMB_SUPER_MAGIC, 0xfe534d42 /* SMB2 */, 0xff534d42 /* CIFS */,
		CODA_SUPER_MAGIC, NCP_SUPER_MAGIC, AFS_SUPER_MAGIC,
		AFS_FS_MAGIC, 0x00c36400 /* Ceph */, V9FS_MAGIC,
		0x65735546 /* FUSE */ };
	unsigned n = 0;

	for (size_t i = 0; i < CP_ARRAY_LEN(away); i++)
		n += cp_port_place_of(away[i]) == CP_PORT_ELSEWHERE;
	is_u64(n, CP_ARRAY_LEN(away), "file systems of other machines");
	ok(cp_port_place_of(EXT4_SUPER_MAGIC) == CP_PORT_HERE &&
		cp_port_place_of(TMPFS_MAGIC) == CP_PORT_HERE,
	    "those of this one");
}

/* Files that a group may write to, which has other members. */
static void
test_group(void)
{
	int fd = make("group", "abc", 3, 0664);
	struct cp_content c;

	if (fchown(fd, (uid_t)-1, 54321) != 0) {
		skip("only root can give a file to another group");
	} else {
		is_u64((uint64_t)own("group"), EPERM,
		    "a file that another group may write to");
		ok(cp_objfile_map(fd, &c) && !c.mapped && !c.from.ours,
		    "... is copied");
		cp_content_free(&c);
	}
	close(fd);
}

/* Takes the place of the next file that is opened for reading; NULL: none. */
static const char *swaps_in;

/* Instead of libc's: another user replaces a file that was examined. */
int
openat(int at, const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list more;

	va_start(more, flags);
	if (flags & O_CREAT)
		mode = va_arg(more, mode_t);
	va_end(more);
	if (swaps_in != NULL && (flags & O_PATH) == 0) {
		char from[200];

		snprintf(from, sizeof(from), "%s/%s", dir, swaps_in);
		swaps_in = NULL;
		if (rename(from, in_dir("seen")) != 0)
			exit(99);
	}
	return (int)syscall(SYS_openat, at, path, flags, mode);
}

static void
test_swap(const char *what, int (*opens)(const char *))
{
	int fd;

	close(make("seen", "ours", 4, 0644));
	close(make("other", "theirs", 6, 0666));
	swaps_in = "other";
	fd = opens(in_dir("seen"));
	if (swaps_in != NULL) {
		skip("openat() has another name here");
		swaps_in = NULL;
	} else {
		ok(fd < 0 && errno == ENOENT, "%s", what);
	}
	if (fd >= 0)
		close(fd);
}

/* In a name space of mounts of our own, where root may make one. */
static void
test_automount(void)
{
	char options[120];
	int ends[2];

	mkdir(in_dir("net"), 0755);
	if (pipe2(ends, O_CLOEXEC) != 0 || setpgid(0, 0) != 0 ||
	    unshare(CLONE_NEWNS) != 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
		skip("no mounts of our own");
		return;
	}
	snprintf(options, sizeof(options),
	    "fd=%d,pgrp=1,minproto=5,maxproto=5,indirect", ends[1]);
	if (mount("none", in_dir("net"), "autofs", 0, options) != 0) {
		skip("no automounts: %s", strerror(errno));
		return;
	}
	alarm(20); /* it would wait for ever */
	is_u64(recorded("net/host/file"), EREMOTE, "no automount is set off");
	alarm(0);
	umount2(in_dir("net"), MNT_DETACH);
}

/* ------------------------------------------------------------- inflating */

static void
test_claims(void)
{
	const uint64_t mib = 1 << 20;
	struct cp_inflated bomb = { .from = 1000 }, c[8] = { 0 };
	struct cp_inflated fair = { .from = 100 * mib };
	unsigned n = 0;

	ok(!cp_inflated_claim(&bomb, CP_INFLATE_FREE + 64000 + 1),
	    "more than the ratio");
	ok(cp_inflated_claim(&bomb, CP_INFLATE_FREE + 31000), "within it");
	cp_inflated_release(&bomb);
	for (size_t i = 0; i < 8; i++)
		n += cp_inflated_claim(&c[i], CP_INFLATE_FREE);
	is_u64(n, CP_INFLATE_FREE_ALL / CP_INFLATE_FREE, "all together");
	ok(cp_inflated_claim(&fair, 30 * fair.from),
	    "what is within the ratio is not refused for others");
	cp_inflated_release(&fair);
	for (size_t i = 0; i < 8; i++)
		cp_inflated_release(&c[i]);
	ok(cp_inflated_claim(&c[0], CP_INFLATE_FREE), "it is given back");
	cp_inflated_release(&c[0]);
}

int
main(void)
{
	char command[100];

	if (mkdtemp(dir) == NULL)
		return 99;
	umask(022);
	test_shrink();
	test_object();
	test_others();
	test_paths();
	test_kernels();
	test_file_systems();
	test_group();
	test_swap(
	    "a file that is replaced while it is opened", cp_objfile_open);
	test_swap("a recorded one", cp_objfile_open_recorded);
	test_swap("an own one", cp_objfile_open_own);
	test_claims();
	test_automount();
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	if (system(command) != 0)
		return 99;
	return done_testing();
}
