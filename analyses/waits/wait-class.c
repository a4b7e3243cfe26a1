/* SPDX-License-Identifier: MIT */
#include "analyses/waits/wait-class.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NO_LINE UINT32_MAX

/* Names of kernel functions from Linux 3.x to 6.x, and of libc's. */
#define FUTEX "futex"
/* A thread of a pool that has nothing to do, not one that wants a lock. */
#define IDLE "idle"

static const struct {
	const char *class, *patterns;
} lines[] = {
	{ "lock",
	    "mutex_lock* __mutex_lock* rwsem_down_* down_read* down_write* "
	    "__down_* down down_interruptible* percpu_down_* "
	    "percpu_rwsem_wait* rt_mutex_lock* rt_mutex_slowlock* "
	    "__rt_mutex_* rwbase_*_lock ww_mutex_lock* flock_lock_inode* "
	    "locks_lock_inode* posix_lock_inode* do_lock_file_wait "
	    "fcntl_setlk* *sys_flock u:flock u:lockf" },
	{ "page-fault",
	    "handle_mm_fault* __handle_mm_fault* do_page_fault "
	    "__do_page_fault do_user_addr_fault exc_page_fault "
	    "do_translation_fault do_mem_abort faultin_page* "
	    "try_to_free_pages* __alloc_pages_direct_* shrink_node* "
	    "throttle_direct_reclaim balance_dirty_pages* "
	    "mem_cgroup_handle_over_high* handle_userfault" },
	{ "io_uring", "io_cqring_wait* io_run_task_work_sig io_wq_worker "
		      "io_wqe_worker io_sq_thread" },
	{ IDLE, "u:pthread_cond_*wait* u:___pthread_cond_*wait* "
		"u:__pthread_cond_*wait* u:std::condition_variable*wait* "
		"u:std::_V2::condition_variable_any* u:*Condvar*wait* "
		"u:*ConditionObject.await*" },
	{ FUTEX, "futex_* do_futex __futex_* *sys_futex* "
		 "u:__futex_abstimed_wait_* u:__lll_lock_wait* "
		 "u:pthread_mutex_lock* u:__pthread_mutex_lock* "
		 "u:futex_wait* u:__new_sem_wait*" },
	{ "poll", "ep_poll do_epoll_wait do_poll* do_sys_poll do_select "
		  "core_sys_select poll_schedule_timeout* u:epoll_wait "
		  "u:epoll_pwait* u:poll u:__poll u:ppoll u:select u:__select "
		  "u:pselect" },
	{ "sleep", "hrtimer_nanosleep do_nanosleep common_nsleep* msleep* "
		   "usleep_range* *sys_nanosleep *sys_clock_nanosleep "
		   "u:*nanosleep u:*nanosleep_time64 u:usleep u:sleep" },
	{ "child", "do_wait kernel_wait4 kernel_waitid do_wait4 *sys_vfork "
		   "kernel_clone _do_fork wait_for_vfork_done u:wait4 "
		   "u:__wait4 u:waitpid u:__waitpid "
		   "u:waitid" },
	{ "pipe", "pipe_read pipe_write pipe_wait* anon_pipe_read "
		  "anon_pipe_write fifo_open wait_for_partner" },
	{ "unix-socket", "unix_stream_* unix_dgram_* unix_wait_for_peer "
			 "unix_accept*" },
	{ "network",
	    "sk_wait_data sk_stream_wait_* inet_csk_accept* "
	    "inet_stream_connect inet_wait_for_connect tcp_recvmsg* "
	    "tcp_sendmsg* udp_recvmsg udpv6_recvmsg "
	    "__skb_wait_for_more_packets skb_recv_datagram "
	    "__skb_recv_datagram sock_alloc_send_pskb netlink_recvmsg "
	    "sock_recvmsg* sock_sendmsg* __sys_accept4* "
	    "wait_for_packet packet_recvmsg vsock_* rpc_wait_bit_* "
	    "nfs_wait_* cifs_* smb2_* u:recv u:recvfrom u:recvmsg u:accept "
	    "u:accept4 u:connect u:__libc_recv* u:__libc_accept" },
	{ "disk", "io_schedule* blk_* __blk_* submit_bio_wait "
		  "folio_wait_* wait_on_page_* __wait_on_buffer "
		  "wait_on_buffer rq_qos_wait wbt_wait jbd2_* ext4_* xfs_* "
		  "btrfs_* f2fs_* __iomap_dio_rw iomap_* blkdev_* "
		  "filemap_* do_blockdev_direct_IO wait_for_common_io "
		  "wait_for_completion_io* sync_inodes_* writeback_* "
		  "read_events do_io_getevents u:fsync u:fdatasync" },
	{ "signal", "do_sigtimedwait* sigsuspend *sys_pause *sys_rt_sigsuspend "
		    "signalfd_*read* u:sigwait* u:pause u:sigsuspend" },
	{ "stopped", "do_signal_stop ptrace_stop* ptrace_do_notify "
		     "do_freezer_trap __refrigerator jobctl_trap_*" },
	{ "terminal", "n_tty_read n_tty_write tty_* " },
	{ "completion",
	    "wait_for_completion* wait_for_common* stop_one_cpu* "
	    "__synchronize_* synchronize_* rcu_barrier* __wait_rcu_gp "
	    "flush_work* __flush_work* wait_on_bit*" },
	{ "event", "eventfd_read eventfd_*ead* timerfd_read* "
		   "inotify_read fanotify_read do_msgrcv do_msgsnd "
		   "do_semtimedop __do_semtimedop wq_sleep perf_read "
		   "fuse_dev_do_read vhost_*" },
	{ "exit", "do_exit do_group_exit make_task_dead" },
	{ "kernel", "kthread worker_thread rescuer_thread smpboot_thread_fn "
		    "rcu_gp_* kswapd kcompactd* kauditd_thread vhost_task_fn" },
};

static void
line_add(struct cp_waitclasses *c, const char *class, const char *patterns)
{
	cp_grow_to(c->run, c->line, &c->cap, c->n);
	c->line[c->n++] =
	    (struct cp_waitline){ cp_run_intern(c->run, class), patterns };
}

/* ------------------------------------------------------------------ files */

static int
bad_line(struct cp_waitclasses *c, const char *path, unsigned number)
{
	cp_run_diag(c->run, CP_D_USAGE, "%s:%u: a line is `class: pattern ...'",
	    path, number);
	return CP_FAIL;
}

static int
read_line(
    struct cp_waitclasses *c, char *text, const char *path, unsigned number)
{
	char *colon, *class = text + strspn(text, " \t");

	text[strcspn(text, "#\n")] = '\0';
	if (class[strspn(class, " \t\r")] == '\0')
		return CP_OK;
	colon = strchr(class, ':');
	if (colon == NULL || colon == class ||
	    strcspn(class, " \t") < (size_t)(colon - class) ||
	    colon[1 + strspn(colon + 1, " \t\r")] == '\0')
		return bad_line(c, path, number);
	*colon = '\0';
	line_add(
	    c, class, cp_run_string(c->run, cp_run_intern(c->run, colon + 1)));
	return CP_OK;
}

static int
read_file(struct cp_waitclasses *c, const char *path)
{
	FILE *f = fopen(path, "re");
	char text[8192];
	unsigned number = 0;
	int status = CP_OK;

	if (f == NULL) {
		cp_run_diag(c->run, CP_D_USAGE, "--wait-classes: %s: %s", path,
		    strerror(errno));
		return CP_FAIL;
	}
	while (status == CP_OK && fgets(text, sizeof(text), f) != NULL) {
		number++;
		if (strlen(text) == sizeof(text) - 1)
			status = bad_line(c, path, number);
		else
			status = read_line(c, text, path, number);
	}
	fclose(f);
	return status;
}

int
cp_waitclasses_init(
    struct cp_waitclasses *c, struct cp_run *run, const char *path)
{
	*c = (struct cp_waitclasses){ .run = run };
	if (path != NULL && read_file(c, path) != CP_OK)
		return CP_FAIL;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		line_add(c, lines[i].class, lines[i].patterns);
	return CP_OK;
}

/* --------------------------------------------------------------- matching */

/* True if the text matches the pattern. */
static bool
matches(const char *pattern, size_t m, const char *text, size_t n)
{
	size_t p = 0, t = 0, star = SIZE_MAX, mark = 0;

	while (t < n) {
		if (p < m && pattern[p] == '*') {
			star = p++;
			mark = t;
		} else if (p < m && pattern[p] == text[t]) {
			p++;
			t++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			t = ++mark;
		} else {
			return false;
		}
	}
	while (p < m && pattern[p] == '*')
		p++;
	return p == m;
}

static bool
line_matches(const char *at, const char *name, bool user)
{
	size_t length = strcspn(name, ".");

	if (length == 0)
		length = strlen(name);
	for (;;) {
		size_t n;

		at += strspn(at, " \t\r");
		n = strcspn(at, " \t\r");
		if (n == 0)
			return false;
		if ((n > 2 && at[0] == 'u' && at[1] == ':') == user &&
		    matches(
			at + (user ? 2 : 0), n - (user ? 2 : 0), name, length))
			return true;
		at += n;
	}
}

static uint32_t
line_of(struct cp_waitclasses *c, cp_frame_id id)
{
	const struct cp_symbol *sym = cp_frame_symbol(c->run, id);
	bool user = cp_frame_get(c->run, id)->level != CP_LEVEL_KERNEL;
	uint32_t i = 0;

	if (sym == NULL)
		return NO_LINE;
	cp_grow_to(c->run, c->of_frame, &c->frame_cap, id);
	if (c->of_frame[id] != 0)
		return c->of_frame[id] - 1 < c->n ? c->of_frame[id] - 1
						  : NO_LINE;
	while (i < c->n && !line_matches(c->line[i].patterns, sym->name, user))
		i++;
	c->of_frame[id] = i + 1;
	return i < c->n ? i : NO_LINE;
}

static bool
is_class(const struct cp_waitclasses *c, uint32_t line, const char *name)
{
	return strcmp(cp_run_string(c->run, c->line[line].class), name) == 0;
}

cp_string_id
cp_waitclass(struct cp_waitclasses *c, cp_stack_id stack)
{
	uint32_t best[2] = { NO_LINE, NO_LINE }; /* kernel, user */

	for (; stack != 0; stack = cp_stack_parent(c->run, stack)) {
		cp_frame_id id = cp_stack_frame(c->run, stack);
		bool user = cp_frame_get(c->run, id)->level != CP_LEVEL_KERNEL;
		uint32_t i = line_of(c, id);

		if (i < best[user])
			best[user] = i;
	}
	if (best[0] == NO_LINE ||
	    (best[1] != NO_LINE && is_class(c, best[0], FUTEX) &&
		is_class(c, best[1], IDLE)))
		best[0] = best[1];
	return best[0] != NO_LINE ? c->line[best[0]].class
				  : cp_run_intern(c->run, "unknown");
}
