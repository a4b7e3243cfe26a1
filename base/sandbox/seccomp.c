/* SPDX-License-Identifier: MIT */
/*
 * seccomp: system calls that reading a capture never needs fail with EPERM.
 *
 * The filter is a list of numbers, one comparison each: that needs no library.
 * It names what is forbidden, not what is allowed: libc and libraries that are
 * loaded at run time may use any harmless call.
 */
#include "config.h" /* syscall() */

#include "base/sandbox/walls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Numbers are those of one machine; without its name there is no filter. */
#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#define OTHER_ABI 0x40000000 /* x32 */
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define MACHINE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define MACHINE AUDIT_ARCH_RISCV64
#endif
#ifndef OTHER_ABI
#define OTHER_ABI UINT32_MAX
#endif

/* Newer than the headers of Debian 12; the same number on all machines. */
enum {
	CALL_FCHMODAT2 = 452,
	CALL_SETXATTRAT = 463,
	CALL_REMOVEXATTRAT = 466,
	CALL_OPEN_TREE_ATTR = 467,
	CALL_FILE_SETATTR = 469,
};
/* TCGETS2, which isatty() of newer libc asks; its header excludes termios.h. */
#define TERMINAL_GET 0x802c542au

#ifdef MACHINE
/* Starting programs, access to other processes, and privileged calls. */
static const unsigned forbidden[] = {
	SYS_execve,
	SYS_execveat,
	SYS_kill,
	SYS_tkill,
	SYS_rt_sigqueueinfo,
	SYS_rt_tgsigqueueinfo,
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_process_madvise,
	SYS_setpriority,
	SYS_ioprio_set,
	SYS_kcmp,
	SYS_pidfd_open,
	SYS_pidfd_getfd,
	SYS_pidfd_send_signal,
	SYS_io_uring_setup,
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	SYS_keyctl,
	SYS_add_key,
	SYS_request_key,
	SYS_mount,
	SYS_umount2,
	SYS_open_tree,
	CALL_OPEN_TREE_ATTR,
	SYS_move_mount,
	SYS_fsopen,
	SYS_fsmount,
	SYS_fspick,
	SYS_mount_setattr,
	SYS_pivot_root,
	SYS_chroot,
	SYS_setns,
	SYS_unshare,
	SYS_open_by_handle_at,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_reboot,
	SYS_acct,
	SYS_swapon,
	SYS_swapoff,
	SYS_quotactl,
	SYS_quotactl_fd,
	SYS_settimeofday,
	SYS_clock_settime,
	SYS_clock_adjtime,
	SYS_adjtimex,
	SYS_sethostname,
	SYS_setdomainname,
	SYS_syslog,
	SYS_vhangup,
	SYS_fanotify_init,
	SYS_fchmodat,
	CALL_FCHMODAT2,
	SYS_fchown,
	SYS_fchownat,
	SYS_setxattr,
	SYS_lsetxattr,
	SYS_fsetxattr,
	CALL_SETXATTRAT,
	SYS_removexattr,
	SYS_lremovexattr,
	SYS_fremovexattr,
	CALL_REMOVEXATTRAT,
	CALL_FILE_SETATTR,
	SYS_truncate,
	SYS_mknodat,
	/* memory and messages that processes share by number or by name */
	SYS_mq_open,
	SYS_mq_unlink,
	SYS_shmget,
	SYS_shmat,
	SYS_shmctl,
	SYS_msgget,
	SYS_msgsnd,
	SYS_msgrcv,
	SYS_msgctl,
	SYS_semget,
	SYS_semop,
	SYS_semtimedop,
	SYS_semctl,
#ifdef SYS_fork
	SYS_fork,
	SYS_vfork,
#endif
#ifdef SYS_chmod
	SYS_chmod,
	SYS_chown,
	SYS_lchown,
	SYS_mknod,
#endif
#ifdef SYS_utime
	SYS_utime,
	SYS_utimes,
	SYS_futimesat,
#endif
#ifdef SYS_iopl
	SYS_iopl,
	SYS_ioperm,
#endif
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
};
/* Connections; the client of debuginfod servers needs those to other hosts. */
static const unsigned sockets[] = { SYS_socket, SYS_socketpair, SYS_connect,
	SYS_bind, SYS_listen };
/* Calls about the process whose number is their first argument; 0: its own. */
static const unsigned about_one[] = { SYS_prlimit64, SYS_sched_setaffinity,
	SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
	SYS_setpgid, SYS_migrate_pages, SYS_move_pages };
/*
 * All that is asked of a terminal and of a connection.  Drivers and file
 * systems have others: TIOCSTI types into the terminal, whose shell would start
 * what was typed, and some change files that are open for reading only.
 */
static const unsigned ioctls[] = { TCGETS, TERMINAL_GET, TIOCGWINSZ, FIONREAD,
	FIONBIO, FIOCLEX, FIONCLEX, SIOCGIFINDEX, SIOCGIFNAME,
	/* with a browser in the terminal: keys without echo */
	TCSETS, TCSETSW, TCSETSF };
enum { MODES = 3 };
/*
 * The kernel would send any signal, to any process, when a file is ready.  A
 * lease stops those who open the file.
 */
static const unsigned fcntls[] = { F_SETOWN, F_SETOWN_EX, F_SETSIG,
	F_SETLEASE };
/* Those to this machine lead to programs that start others. */
static const unsigned domains[] = { AF_INET, AF_INET6 };
/* A new process would have all rights in its own namespaces. */
static const unsigned namespaces = CLONE_NEWNS | CLONE_NEWCGROUP |
				   CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
				   CLONE_NEWPID | CLONE_NEWNET;

enum { MAX_STEPS = 336 };

struct filter {
	struct sock_filter step[MAX_STEPS];
	unsigned short n;
};

static void
add(struct filter *f, struct sock_filter step)
{
	f->step[f->n++] = step;
}

/* The lower half, and the upper one; MACHINE is little-endian. */
#define LOAD_AT(field, more)                                                   \
	(struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                \
	    (uint32_t)offsetof(struct seccomp_data, field) + (more))
#define LOAD(field) LOAD_AT(field, 0)
#define LOAD_HIGH(field) LOAD_AT(field, sizeof(uint32_t))
#define RETURN(what) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, what)
#define SKIP_IF(is, value, n)                                                  \
	(struct sock_filter) BPF_JUMP(BPF_JMP | BPF_K | (is), value, n, 0)
#define SKIP_IF_NOT(is, value, n)                                              \
	(struct sock_filter) BPF_JUMP(BPF_JMP | BPF_K | (is), value, 0, n)
#define NO RETURN(SECCOMP_RET_ERRNO | EPERM)
#define YES RETURN(SECCOMP_RET_ALLOW)

static void
forbid(struct filter *f, const unsigned *calls, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		add(f, SKIP_IF_NOT(BPF_JEQ, calls[i], 1));
		add(f, NO);
	}
}

/* The call is allowed if its first argument is that number. */
static void
allow_only(struct filter *f, unsigned call, uint32_t number)
{
	add(f, SKIP_IF_NOT(BPF_JEQ, call, 4));
	add(f, LOAD(args[0]));
	add(f, SKIP_IF(BPF_JEQ, number, 1));
	add(f, NO);
	add(f, YES);
}

/*
 * If the second argument of the call is one of these, and if not.  The kernel,
 * too, looks at the lower half only.
 */
static void
decide(struct filter *f, unsigned call, const unsigned *some, uint8_t n,
    struct sock_filter if_one, struct sock_filter if_none)
{
	add(f, SKIP_IF_NOT(BPF_JEQ, call, (uint8_t)(2 * n + 2)));
	add(f, LOAD(args[1]));
	for (size_t i = 0; i < n; i++) {
		add(f, SKIP_IF_NOT(BPF_JEQ, some[i], 1));
		add(f, if_one);
	}
	add(f, if_none);
}

/* Without a path the file is one that is open: caches mark what they use. */
static void
forbid_times_of_paths(struct filter *f)
{
	add(f, SKIP_IF_NOT(BPF_JEQ, SYS_utimensat, 6));
	add(f, LOAD(args[1]));
	add(f, SKIP_IF_NOT(BPF_JEQ, 0, 3));
	add(f, LOAD_HIGH(args[1]));
	add(f, SKIP_IF_NOT(BPF_JEQ, 0, 1));
	add(f, YES);
	add(f, NO);
}

/*
 * Threads alone: a process could outlive the run.  libc does without clone3(),
 * whose flags a filter cannot see.
 */
static void
forbid_processes(struct filter *f)
{
	add(f, SKIP_IF_NOT(BPF_JEQ, SYS_clone3, 1));
	add(f, RETURN(SECCOMP_RET_ERRNO | ENOSYS));
	add(f, SKIP_IF_NOT(BPF_JEQ, SYS_clone, 6));
	add(f, LOAD(args[0]));
	add(f, SKIP_IF_NOT(BPF_JSET, namespaces, 1));
	add(f, NO);
	add(f, SKIP_IF(BPF_JSET, CLONE_THREAD, 1));
	add(f, NO);
	add(f, YES);
}

/* A terminal with that flag signals all processes before it. */
static void
forbid_async(struct filter *f)
{
	add(f, SKIP_IF_NOT(BPF_JEQ, SYS_fcntl, 7));
	add(f, LOAD(args[1]));
	add(f, SKIP_IF_NOT(BPF_JEQ, F_SETFL, 4));
	add(f, LOAD(args[2]));
	add(f, SKIP_IF_NOT(BPF_JSET, O_ASYNC, 1));
	add(f, NO);
	add(f, YES);
	add(f, LOAD(nr));
}

static void
hold_domains(struct filter *f)
{
	const uint8_t n = CP_ARRAY_LEN(domains);

	add(f, SKIP_IF_NOT(BPF_JEQ, SYS_socket, (uint8_t)(2 * n + 2)));
	add(f, LOAD(args[0]));
	for (size_t i = 0; i < n; i++) {
		add(f, SKIP_IF_NOT(BPF_JEQ, domains[i], 1));
		add(f, YES);
	}
	add(f, NO);
}

static void
forbid_others(struct filter *f, bool terminal)
{
	uint8_t n = CP_ARRAY_LEN(ioctls) - (terminal ? 0 : MODES);

	/* A thread may signal threads of its own process: abort() does. */
	allow_only(f, SYS_tgkill, (uint32_t)getpid());
	for (size_t i = 0; i < CP_ARRAY_LEN(about_one); i++)
		allow_only(f, about_one[i], 0);
	decide(f, SYS_ioctl, ioctls, n, YES, NO);
	forbid_async(f);
	decide(f, SYS_fcntl, fcntls, CP_ARRAY_LEN(fcntls), NO, YES);
	forbid_times_of_paths(f);
	forbid_processes(f);
	hold_domains(f);
}

bool
cp_seccomp_enter(bool network, bool terminal)
{
	struct filter f = { .n = 0 };
	struct sock_fprog program = { .filter = f.step };

	add(&f, LOAD(arch));
	add(&f, SKIP_IF(BPF_JEQ, MACHINE, 1));
	add(&f, NO);
	add(&f, LOAD(nr));
	add(&f, SKIP_IF_NOT(BPF_JGE, OTHER_ABI, 1));
	add(&f, NO);
	forbid(&f, forbidden, CP_ARRAY_LEN(forbidden));
	if (!network)
		forbid(&f, sockets, CP_ARRAY_LEN(sockets));
	forbid_others(&f, terminal);
	add(&f, YES);
	program.len = f.n;
	/* Without the flag, kernels before 5.16 make the process slower. */
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		   SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0;
}
_Static_assert(2 * (CP_ARRAY_LEN(forbidden) + CP_ARRAY_LEN(sockets) +
		       CP_ARRAY_LEN(ioctls) + CP_ARRAY_LEN(fcntls) +
		       CP_ARRAY_LEN(domains)) +
		       5 * (CP_ARRAY_LEN(about_one) + 1) + 40 <=
		   MAX_STEPS,
    "a filter has room for all");
#else
bool
cp_seccomp_enter(bool network, bool terminal)
{
	return false;
}
#endif
