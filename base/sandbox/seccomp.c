/* SPDX-License-Identifier: MIT */
/*
 * seccomp: system calls that reading a capture never needs fail with EPERM.
 *
 * The filter is a list of numbers, one comparison each: that needs no library.
 * It names what is forbidden, not what is allowed: libc and libraries that are
 * loaded at run time may use any harmless call.
 */
#include "config.h" /* syscall() */

#include "base/sandbox/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <stddef.h>
#include <sys/ioctl.h>
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
};

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
	SYS_truncate,
	SYS_mknodat,
	/* memory and messages that processes share by number */
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
#ifdef SYS_chmod
	SYS_chmod,
	SYS_chown,
	SYS_lchown,
	SYS_mknod,
#endif
};
/* Connections; the client of debuginfod servers needs them. */
static const unsigned sockets[] = { SYS_socket, SYS_socketpair, SYS_connect,
	SYS_bind, SYS_listen };
/* Calls about the process whose number is their first argument; 0: its own. */
static const unsigned about_one[] = { SYS_prlimit64, SYS_sched_setaffinity,
	SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
	SYS_setpgid, SYS_migrate_pages, SYS_move_pages };
/* TIOCSTI types into the terminal: its shell would start what was typed. */
static const unsigned ioctls[] = { TIOCSTI, TIOCLINUX, TIOCSETD, FIOSETOWN,
	SIOCSPGRP };
/* The kernel would send any signal, to any process, when a file is ready. */
static const unsigned fcntls[] = { F_SETOWN, F_SETOWN_EX, F_SETSIG };

enum { MAX_STEPS = 256 };

struct filter {
	struct sock_filter step[MAX_STEPS];
	unsigned short n;
};

static void
add(struct filter *f, struct sock_filter step)
{
	f->step[f->n++] = step;
}

#define LOAD(field)                                                            \
	(struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                \
	    (uint32_t)offsetof(struct seccomp_data, field))
#define RETURN(what) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, what)
#define SKIP_IF(is, value, n)                                                  \
	(struct sock_filter) BPF_JUMP(BPF_JMP | BPF_K | (is), value, n, 0)
#define SKIP_IF_NOT(is, value, n)                                              \
	(struct sock_filter) BPF_JUMP(BPF_JMP | BPF_K | (is), value, 0, n)
#define NO RETURN(SECCOMP_RET_ERRNO | EPERM)

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
	add(f, RETURN(SECCOMP_RET_ALLOW));
}

/* The call is allowed unless its second argument is one of these. */
static void
forbid_some(struct filter *f, unsigned call, const unsigned *some, uint8_t n)
{
	add(f, SKIP_IF_NOT(BPF_JEQ, call, (uint8_t)(2 * n + 2)));
	/* The kernel, too, looks at the lower half only. */
	add(f, LOAD(args[1]));
	forbid(f, some, n);
	add(f, RETURN(SECCOMP_RET_ALLOW));
}

static void
forbid_others(struct filter *f)
{
	/* A thread may signal threads of its own process: abort() does. */
	allow_only(f, SYS_tgkill, (uint32_t)getpid());
	for (size_t i = 0; i < CP_ARRAY_LEN(about_one); i++)
		allow_only(f, about_one[i], 0);
	forbid_some(f, SYS_ioctl, ioctls, CP_ARRAY_LEN(ioctls));
	forbid_some(f, SYS_fcntl, fcntls, CP_ARRAY_LEN(fcntls));
}

bool
cp_seccomp_enter(bool network)
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
	forbid_others(&f);
	add(&f, RETURN(SECCOMP_RET_ALLOW));
	program.len = f.n;
	/* Without the flag, kernels before 5.16 make the process slower. */
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		   SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0;
}
_Static_assert(2 * (CP_ARRAY_LEN(forbidden) + CP_ARRAY_LEN(sockets) +
		       CP_ARRAY_LEN(ioctls) + CP_ARRAY_LEN(fcntls)) +
		       5 * (CP_ARRAY_LEN(about_one) + 1) + 13 <=
		   MAX_STEPS,
    "a filter has room for all");
#else
bool
cp_seccomp_enter(bool network)
{
	return false;
}
#endif
