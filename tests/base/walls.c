/* SPDX-License-Identifier: MIT */
/*
 * The walls of base/sandbox: each call that they forbid, tried with arguments
 * that do nothing, and what they leave.
 */
#define _GNU_SOURCE /* F_SETSIG, syscall() */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sandbox/sandbox.h"
#include "tests/tap.h"

static char dir[] = "/tmp/coldperf-walls.XXXXXX";

static const char *
in_dir(const char *name)
{
	static char path[4][200];
	static unsigned turn;
	char *p = path[turn++ % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", dir, name);
	return p;
}

/* Runs it within walls, in a process of its own.  Returns its errno, or 0. */
static int
within(long (*call)(void), bool network)
{
	const char *in = in_dir("in");
	struct cp_sandbox s = { .writable = &in, .n = 1, .network = network };
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (cp_sandbox_enter(&s) != CP_WALLS)
			_exit(200);
		errno = 0;
		_exit(call() == -1 ? errno : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 255;
	return WEXITSTATUS(status);
}

/* ----------------------------------------------------------------- calls */

static long number;

/* No descriptor, no process, no address is right. */
static long
wrongly(void)
{
	return syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);
}

static const struct {
	const char *name;
	long number;
} forbidden[] = {
#define CALL(name)                                                             \
	{                                                                      \
#name, SYS_##name                                              \
	}
	CALL(execve),
	CALL(execveat),
	CALL(kill),
	CALL(tkill),
	CALL(tgkill),
	CALL(rt_sigqueueinfo),
	CALL(rt_tgsigqueueinfo),
	CALL(ptrace),
	CALL(process_vm_readv),
	CALL(process_vm_writev),
	CALL(process_madvise),
	CALL(pidfd_open),
	CALL(pidfd_getfd),
	CALL(pidfd_send_signal),
	CALL(prlimit64),
	CALL(setpriority),
	CALL(ioprio_set),
	CALL(setpgid),
	CALL(sched_setaffinity),
	CALL(sched_setscheduler),
	CALL(sched_setparam),
	CALL(sched_setattr),
	CALL(io_uring_setup),
	CALL(shmget),
	CALL(shmat),
	CALL(shmctl),
	CALL(msgget),
	CALL(msgsnd),
	CALL(msgrcv),
	CALL(msgctl),
	CALL(mq_open),
	CALL(mq_unlink),
	CALL(semget),
	CALL(semop),
	CALL(semctl),
	CALL(fchmodat),
	{ "fchmodat2", 452 },
	CALL(fchownat),
	CALL(truncate),
	CALL(setxattr),
	CALL(fsetxattr),
	{ "setxattrat", 463 },
	{ "file_setattr", 469 },
	CALL(mount),
	CALL(fsopen),
	CALL(open_tree),
	CALL(move_mount),
	CALL(unshare),
	CALL(setns),
	CALL(chroot),
	CALL(bpf),
	CALL(perf_event_open),
	CALL(acct),
	CALL(swapon),
	CALL(quotactl),
	CALL(settimeofday),
	CALL(clock_settime),
	CALL(adjtimex),
	CALL(sethostname),
	CALL(syslog),
	CALL(fanotify_init),
#ifdef SYS_chmod
	CALL(chmod),
	CALL(utime),
	CALL(utimes),
	CALL(futimesat),
	CALL(iopl),
#endif
};
static const struct {
	const char *name;
	long number;
} sockets[] = {
	CALL(socket),
	CALL(socketpair),
	CALL(connect),
	CALL(bind),
	CALL(listen),
};

static void
test_calls(void)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(forbidden); i++) {
		number = forbidden[i].number;
		is_u64((uint64_t)within(wrongly, true), EPERM, "%s is denied",
		    forbidden[i].name);
	}
	for (size_t i = 0; i < CP_ARRAY_LEN(sockets); i++) {
		number = sockets[i].number;
		is_u64((uint64_t)within(wrongly, false), EPERM, "%s is denied",
		    sockets[i].name);
	}
}

/* --------------------------------------------------------- some arguments */

#define TRY(name, expression)                                                  \
	static long name(void)                                                 \
	{                                                                      \
		return expression;                                             \
	}

TRY(type_in, ioctl(-1, TIOCSTI, ""))
/* The kernel takes the lower half. */
TRY(type_in_high, syscall(SYS_ioctl, -1, TIOCSTI | 1L << 32, ""))
TRY(change_flags, ioctl(-1, FS_IOC_SETFLAGS, NULL))
TRY(lose_terminal, ioctl(-1, TIOCSPGRP, NULL))
TRY(own_socket, ioctl(-1, FIOSETOWN, NULL))
TRY(own_file, fcntl(0, F_SETOWN, getppid()))
TRY(own_file_too, fcntl(0, F_SETOWN_EX, NULL))
TRY(set_signal, fcntl(0, F_SETSIG, SIGKILL))
TRY(get_flags, fcntl(0, F_GETFL))
TRY(set_flags, fcntl(0, F_SETFL, fcntl(0, F_GETFL)))
TRY(signal_when_ready, fcntl(0, F_SETFL, O_ASYNC | O_NONBLOCK))
TRY(open_local, socket(AF_UNIX, SOCK_STREAM, 0))
TRY(open_netlink, socket(AF_NETLINK, SOCK_RAW, 0))
TRY(open_remote, socket(AF_INET, SOCK_STREAM, 0))
TRY(ask_size, ioctl(-1, FIONREAD, NULL))
/* TCGETS2 */
TRY(ask_terminal, ioctl(-1, 0x802c542aul, NULL))
TRY(raise_own, raise(0))
TRY(hold_file, fcntl(0, F_SETLEASE, F_RDLCK))
TRY(fork_one, fork())
#ifdef SYS_fork
TRY(fork_old, syscall(SYS_fork))
TRY(fork_shared, syscall(SYS_vfork))
#endif
TRY(rule_one, syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0))
TRY(clone_three, syscall(SYS_clone3, NULL, 0))
TRY(date_open, futimens(open(in_dir("file"), O_RDONLY | O_CLOEXEC), NULL))

static long
limit_own(void)
{
	struct rlimit is;

	return getrlimit(RLIMIT_NOFILE, &is);
}

static long
place_own(void)
{
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0)
		return -1;
	return sched_setaffinity(0, sizeof(cpus), &cpus);
}

static void *
in_thread(void *of)
{
	return of;
}

static long
start_thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, in_thread, NULL) == 0
		   ? pthread_join(thread, NULL)
		   : -1;
}

#if defined(__x86_64__)
TRY(other_abi, syscall(SYS_getpid | 0x40000000))
#endif

static void
test_arguments(void)
{
	is_u64((uint64_t)within(type_in, true), EPERM,
	    "nothing is typed into the terminal");
	is_u64((uint64_t)within(type_in_high, true), EPERM,
	    "... whatever is in the upper half");
	is_u64((uint64_t)within(change_flags, true), EPERM,
	    "no flags of a file are changed");
	is_u64((uint64_t)within(lose_terminal, true), EPERM,
	    "no terminal is given away");
	is_u64((uint64_t)within(own_socket, true), EPERM,
	    "no socket has another owner");
	is_u64((uint64_t)within(own_file, true), EPERM,
	    "no file has another owner");
	is_u64((uint64_t)within(own_file_too, true), EPERM,
	    "... by the other call");
	is_u64((uint64_t)within(set_signal, true), EPERM,
	    "no file sends another signal");
	is_u64((uint64_t)within(signal_when_ready, true), EPERM,
	    "... and none at all to all that wait for a terminal");
	is_u64((uint64_t)within(open_local, true), EPERM,
	    "no program of this machine is asked, even with servers");
	is_u64(
	    (uint64_t)within(open_netlink, true), EPERM, "... nor the kernel");
	is_u64((uint64_t)within(open_remote, true), 0,
	    "servers are asked where they may");
	is_u64((uint64_t)within(fork_one, true), EPERM,
	    "no process is left behind");
#ifdef SYS_fork
	is_u64(
	    (uint64_t)within(fork_old, true), EPERM, "... by the older call");
	is_u64((uint64_t)within(fork_shared, true), EPERM, "... or by another");
#endif
	is_u64((uint64_t)within(hold_file, true), EPERM,
	    "no file is held for others");
	is_u64((uint64_t)within(rule_one, true), EPERM,
	    "no process has its own namespaces");
	is_u64((uint64_t)within(clone_three, true), ENOSYS,
	    "... nor by the newer call, which libc does without");
#if defined(__x86_64__)
	is_u64((uint64_t)within(other_abi, true), EPERM,
	    "calls by other numbers are denied");
#endif
	is_u64((uint64_t)within(get_flags, false), 0, "flags are read");
	is_u64((uint64_t)within(set_flags, false), 0, "... and set");
	is_u64((uint64_t)within(ask_size, false), EBADF,
	    "what waits in a file is asked");
	is_u64((uint64_t)within(ask_terminal, false), EBADF,
	    "... and whether it is a terminal, by the newer call, too");
	is_u64((uint64_t)within(raise_own, false), 0, "own signals pass");
	is_u64((uint64_t)within(limit_own, false), 0, "own limits are read");
	is_u64((uint64_t)within(place_own, false), 0, "own CPUs are set");
	is_u64((uint64_t)within(start_thread, false), 0, "threads are started");
	is_u64((uint64_t)within(date_open, false), 0,
	    "the times of an open file are set");
}

/* ----------------------------------------------------------------- files */

TRY(write_out, open(in_dir("file"), O_WRONLY | O_CLOEXEC))
TRY(write_in, open(in_dir("in/file"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600))
TRY(read_out, open(in_dir("file"), O_RDONLY | O_CLOEXEC))
TRY(cut_out, open(in_dir("file"), O_RDONLY | O_TRUNC | O_CLOEXEC))
TRY(unlink_out, unlink(in_dir("file")))
TRY(rmdir_out, rmdir(in_dir("empty")))
TRY(mkdir_out, mkdir(in_dir("new"), 0700))
TRY(mkdir_in, mkdir(in_dir("in/new"), 0700))
TRY(symlink_out, symlink("x", in_dir("new")))
TRY(mkfifo_in, mkfifo(in_dir("in/fifo"), 0600))
TRY(rename_out, rename(in_dir("file"), in_dir("in/file")))
TRY(date_out, utimensat(AT_FDCWD, in_dir("file"), NULL, 0))
TRY(link_in, link(in_dir("file"), in_dir("in/other")))

static bool
is_refused(long (*call)(void))
{
	int error = within(call, false);

	return error == EACCES || error == EPERM || error == EXDEV;
}

static void
test_files(void)
{
	struct stat st;

	ok(is_refused(write_out), "no file is written elsewhere");
	ok(is_refused(cut_out), "... nor cut");
	ok(is_refused(unlink_out), "... nor removed");
	ok(is_refused(rename_out), "... nor moved from there");
	ok(is_refused(date_out), "... nor given another time");
	ok(is_refused(rmdir_out), "no folder is removed elsewhere");
	ok(is_refused(mkdir_out), "... nor made");
	ok(is_refused(symlink_out), "no link is made elsewhere");
	ok(is_refused(link_in), "... nor one from there");
	ok(is_refused(mkfifo_in), "no pipe is made");
	ok(stat(in_dir("file"), &st) == 0 && st.st_size == 3,
	    "all is as it was");
	is_u64((uint64_t)within(read_out, false), 0, "a file is read there");
	is_u64((uint64_t)within(write_in, false), 0,
	    "one is written where it may");
	is_u64((uint64_t)within(mkdir_in, false), 0, "... and a folder made");
}

static long
nothing(void)
{
	return 0;
}

int
main(void)
{
	char command[100];
	int fd;

	if (mkdtemp(dir) == NULL || mkdir(in_dir("in"), 0700) != 0 ||
	    mkdir(in_dir("empty"), 0700) != 0)
		return 99;
	fd = open(in_dir("file"), O_WRONLY | O_CREAT, 0600);
	if (fd < 0 || write(fd, "abc", 3) != 3 || close(fd) != 0)
		return 99;
	if (within(nothing, false) != 0) {
		skip("this build or this kernel has not both walls");
	} else {
		test_calls();
		test_arguments();
		test_files();
	}
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	if (system(command) != 0)
		return 99;
	return done_testing();
}
