/* SPDX-License-Identifier: MIT */
/* selftest: tries the actions that --sandbox forbids, without and with it. */
#define _GNU_SOURCE /* prlimit() */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sandbox/sandbox.h"
#include "cli/command/command.h"
#include "cli/status.h"

/* Each returns 0, or the error of the kernel. */
static int
or_errno(int result)
{
	return result >= 0 ? 0 : errno;
}

static int
open_to_write(void)
{
	return or_errno(open("/dev/null", O_WRONLY | O_CLOEXEC));
}

/* Next to an output, too. */
static int
make_file(void)
{
	char name[40];
	int fd;

	snprintf(name, sizeof(name), "coldperf-selftest.%ld", (long)getpid());
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	close(fd);
	unlink(name);
	return 0;
}

static int
make_folder(void)
{
	char name[40];
	int error;

	snprintf(name, sizeof(name), "coldperf-selftest.%ld", (long)getpid());
	error = or_errno(mkdir(name, 0700));
	if (error == 0)
		rmdir(name);
	return error;
}

static int
open_socket(void)
{
	return or_errno(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int
open_local_socket(void)
{
	return or_errno(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int
start_process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return or_errno(pid);
}

static int
start_program(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0)
		dup2(null, STDOUT_FILENO);
	execl("/proc/self/exe", "coldperf", "version", (char *)NULL);
	return errno;
}

static int
signal_parent(void)
{
	return or_errno(kill(getppid(), 0));
}

/* A file that is ready signals its owner. */
static int
own_a_file(void)
{
	int ends[2];

	if (pipe(ends) != 0)
		return errno;
	return or_errno(fcntl(ends[0], F_SETOWN, getppid()));
}

/* A terminal that is ready signals all processes before it. */
static int
signal_when_ready(void)
{
	int ends[2];

	if (pipe(ends) != 0)
		return errno;
	return or_errno(fcntl(ends[0], F_SETFL, O_ASYNC));
}

static int
limit_parent(void)
{
	struct rlimit is;

	return or_errno(prlimit(getppid(), RLIMIT_CORE, NULL, &is));
}

/* No file is open at -1, which is another error than that of a wall. */
static int
type_in(void)
{
	return or_errno(ioctl(-1, TIOCSTI, ""));
}

static int
be_traced(void)
{
	return or_errno((int)ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static const struct attempt {
	const char *what;
	int (*try)(void);
	bool network; /* even if servers are asked */
} attempts[] = {
	{ "open a file for writing", open_to_write, true },
	{ "make a file", make_file, true },
	{ "make a folder", make_folder, true },
	{ "open a socket", open_socket, false },
	{ "open a local socket", open_local_socket, true },
	{ "start a program", start_program, true },
	{ "start a process", start_process, true },
	{ "signal another process", signal_parent, true },
	{ "signal through a file", own_a_file, true },
	{ "signal when a file is ready", signal_when_ready, true },
	{ "limit another process", limit_parent, true },
	{ "trace a process", be_traced, true },
	{ "type into the terminal", type_in, true },
};

/*
 * Runs an attempt in a process of its own, because walls cannot be taken away,
 * and some attempts would change this process.
 */
static int
outcome_of(const struct attempt *a, bool walls)
{
	const struct cp_sandbox s = { .network = a->network };
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		if (walls)
			(void)cp_sandbox_enter(&s);
		_exit(a->try());
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static bool
is_denied(int outcome)
{
	return outcome == EPERM || outcome == EACCES || outcome == EROFS;
}

int
cp_command_selftest(struct cp_cli *cli)
{
	size_t open = 0;

	for (size_t i = 0; i < CP_ARRAY_LEN(attempts); i++) {
		bool without = is_denied(outcome_of(&attempts[i], false));
		bool denied = is_denied(outcome_of(&attempts[i], true));

		printf("%-27s  %s\n", attempts[i].what,
		    !denied   ? "NOT denied"
		    : without ? "denied, without walls too"
			      : "denied");
		open += !denied;
	}
	if (open != 0)
		cp_diag(&cli->diags, CP_D_SANDBOX, "%zu of %zu are not denied",
		    open, CP_ARRAY_LEN(attempts));
	return cp_cli_status(cli);
}
