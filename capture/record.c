/* SPDX-License-Identifier: MIT */
/*
 * record: one loop, which looks every tenth of a second: has perf ended, is the
 * time over, did a signal come, did the trigger fire, is the first second over.
 * perf ends by SIGINT: it then writes its file whole, or the ring.
 */
#define _GNU_SOURCE
#include "capture/record.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/cost.h"

#define TICK_MS 100
#define READY_MS 10000 /* perf opens its events */
#define GRACE_MS 3000  /* a command ends after SIGTERM */
#define LEAST_HZ 7

/* By handlers; perf has a SIGINT of the terminal already. */
static volatile sig_atomic_t stop, stop_by_terminal, fired;

static void
on_signal(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (signal == SIGUSR1)
		fired = 1;
	else if (info->si_code == SI_KERNEL)
		stop_by_terminal = 1;
	else
		stop = 1;
}

static void
catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };
	struct sigaction sa = { .sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO };

	stop = stop_by_terminal = fired = 0;
	for (size_t i = 0; i < CP_ARRAY_LEN(signals); i++)
		(void)sigaction(signals[i], &sa, NULL);
}

pid_t
cp_start(const char *const *words, int gate)
{
	pid_t pid = fork();
	char c;

	if (pid != 0)
		return pid;
	(void)signal(SIGXFSZ, SIG_DFL);
	for (int s = SIGHUP; s <= SIGTERM; s++)
		if (s == SIGINT || s == SIGTERM || s == SIGHUP || s == SIGUSR1)
			(void)signal(s, SIG_DFL);
	/* It ends with us, and as after a SIGINT: perf's file is whole. */
	(void)prctl(PR_SET_PDEATHSIG, gate < 0 ? SIGINT : SIGTERM);
	if (gate >= 0 && read(gate, &c, 1) != 1)
		_exit(127);
	(void)execvp(words[0], (char *const *)(uintptr_t)words);
	_exit(errno == ENOENT ? 127 : 126);
}

int
cp_await(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Has it ended?  Then its status is kept. */
static bool
has_ended(pid_t *pid, int *exit_status)
{
	int status;

	if (*pid <= 0 || waitpid(*pid, &status, WNOHANG) != *pid)
		return *pid <= 0;
	*exit_status =
	    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	*pid = 0;
	return true;
}

/* perf writes the size of the data last: 0 if it was killed. */
static bool
is_whole(const char *path)
{
	uint64_t header[7] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		(void)!read(fd, header, sizeof(header));
		close(fd);
	}
	return header[6] != 0;
}

/* A command may catch SIGTERM. */
static bool
ends_soon(pid_t *pid, int *status)
{
	for (unsigned ms = 0; ms < GRACE_MS && !has_ended(pid, status);
	     ms += TICK_MS)
		(void)poll(NULL, 0, TICK_MS);
	return has_ended(pid, status);
}

static void
end_perf(struct cp_recorder *r)
{
	int ignored;

	if (r->perf > 0) {
		if (!stop_by_terminal)
			(void)kill(r->perf, SIGINT);
		if (r->over && !r->ask.attach)
			cp_end_descendants(r->perf, SIGTERM);
		/* perf waits for its command. */
		if (!ends_soon(&r->perf, &ignored)) {
			if (r->over && !r->ask.attach)
				cp_end_descendants(r->perf, SIGKILL);
			(void)cp_await(r->perf);
		}
		r->perf = 0;
	}
	for (int i = 0; i < 2; i++) {
		if (r->control[i] >= 0)
			close(r->control[i]);
		r->control[i] = -1;
	}
}

/* Starts the command, which waits until perf is ready. */
static void
start_command(struct cp_recorder *r)
{
	int gate[2];

	if (pipe2(gate, O_CLOEXEC) != 0)
		return;
	r->command =
	    cp_start((const char *const *)(uintptr_t)r->ask.command, gate[0]);
	close(gate[0]);
	r->gate = gate[1];
}

/*
 * Starts perf; if it attaches it says when it is ready.  False: it ended at
 * once, and has said why.
 */
static bool
start_perf(struct cp_recorder *r)
{
	struct cp_plan *p = &r->plan;
	int to[2] = { -1, -1 }, from[2] = { -1, -1 }, ended = 0;
	char control[40], pid[16], ack[8];
	CP_VEC(const char *) words = { 0 };
	bool ready = true;

	for (size_t i = 0; i < p->argv.len; i++) {
		*cp_vec_push(&words) = p->argv.data[i];
		if (i == 2 && r->ask.attach && pipe(to) == 0 &&
		    pipe(from) == 0) {
			(void)snprintf(control, sizeof(control),
			    "--control=fd:%d,%d", to[0], from[1]);
			*cp_vec_push(&words) = control;
			*cp_vec_push(&words) = "--delay=-1";
		}
		if (i == p->pid_at && i != 0) {
			(void)snprintf(pid, sizeof(pid), "%d", (int)r->command);
			words.data[words.len - 1] = pid;
		}
	}
	*cp_vec_push(&words) = NULL;
	r->perf = cp_start(words.data, -1);
	cp_vec_free(&words);
	if (to[1] >= 0) {
		struct pollfd wait = { .fd = from[0], .events = POLLIN };

		/*
		 * perf has both ends of both pipes: if we are killed none
		 * breaks, which would end it without its file.
		 */
		(void)fcntl(to[1], F_SETFD, FD_CLOEXEC);
		(void)fcntl(from[0], F_SETFD, FD_CLOEXEC);
		close(to[0]);
		close(from[1]);
		(void)!write(to[1], "enable\n", 7);
		ready = poll(&wait, 1, READY_MS) == 1 &&
			read(from[0], ack, sizeof(ack)) > 0;
		/* Open as long as perf runs: it answers once more. */
		r->control[0] = to[1];
		r->control[1] = from[0];
	}
	if (!ready)
		(void)has_ended(&r->perf, &ended);
	if (r->gate >= 0) {
		(void)!write(r->gate, "", 1);
		close(r->gate);
		r->gate = -1;
	}
	return r->perf > 0;
}

/* Splits the trigger at blanks: quotes keep words whole. */
static size_t
split(char *s, const char **words, size_t most)
{
	size_t n = 0;

	while (n + 1 < most && *(s += strspn(s, " \t")) != '\0') {
		char *to = s, quote = 0;

		words[n++] = s;
		for (; *s != '\0' && (quote != 0 || (*s != ' ' && *s != '\t'));
		     s++)
			if (quote == 0 && (*s == '\'' || *s == '"'))
				quote = *s;
			else if (*s == quote)
				quote = 0;
			else
				*to++ = *s;
		s += *s != '\0';
		*to = '\0';
	}
	words[n] = NULL;
	return n;
}

/* Runs the command of the trigger once a second until it ends with 0. */
static bool
command_fires(const struct cp_recorder *r, pid_t *running, int *wait)
{
	const char *words[64];
	int status = -1;
	char *copy;

	if (*running > 0) {
		if (!has_ended(running, &status))
			return false;
		*wait = 1000 / TICK_MS;
		return status == 0;
	}
	if ((*wait)-- > 0)
		return false;
	copy = strdup(r->trigger);
	if (copy != NULL && split(copy, words, CP_ARRAY_LEN(words)) != 0)
		*running = cp_start(words, -1);
	free(copy);
	return false;
}

static bool
triggered(const struct cp_recorder *r, pid_t *running, int *wait)
{
	char text[128];
	const char *s;

	if (r->trigger == NULL)
		return false;
	if (fired || strcmp(r->trigger, "signal") == 0)
		return fired;
	if (strncmp(r->trigger, "runq>", 5) != 0)
		return command_fires(r, running, wait);
	cp_host_read("/proc/loadavg", text, sizeof(text));
	s = strchr(text, '/'); /* "0.1 0.2 0.3 running/all last" */
	while (s != NULL && s > text && s[-1] != ' ')
		s--;
	return s != NULL &&
	       strtol(s, NULL, 10) > strtol(r->trigger + 5, NULL, 10);
}

/*
 * After the first second: another rate if it cost more than the budget, no call
 * graph if there is no rate, or the end.  True: recording goes on.
 */
static bool
keep_budget(struct cp_recorder *r)
{
	unsigned hz = r->plan.frequency;
	char line[200];

	(void)snprintf(line, sizeof(line),
	    "the first second cost %.2f %% of a CPU, the budget is %.2f %%",
	    r->cost * 100, r->budget * 100);
	r->say(line);
	if (r->cost <= r->budget)
		return true;
	if (hz > LEAST_HZ && !r->plan.switches) {
		double wanted = hz * r->budget / r->cost;

		r->ask.frequency =
		    wanted > LEAST_HZ ? (unsigned)wanted | 1 : LEAST_HZ;
		(void)snprintf(line, sizeof(line),
		    "begins anew with %u samples a second instead of %u",
		    r->ask.frequency, hz);
	} else if (r->plan.graph) {
		r->ask.plain = true;
		(void)snprintf(
		    line, sizeof(line), "begins anew without call graphs");
	} else {
		r->say("each event counts here, so there is nothing to leave "
		       "out: the recording ends");
		return false;
	}
	r->say(line);
	end_perf(r);
	cp_plan_free(&r->plan);
	return cp_plan_make(&r->plan, r->host, &r->ask) == NULL &&
	       start_perf(r);
}

static uint64_t
milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* The moment, and what was used by what is recorded. */
static struct cp_cost_mark
mark(const struct cp_recorder *r)
{
	char pid[16];

	(void)snprintf(pid, sizeof(pid), "%d", (int)r->command);
	return cp_cost_mark(r->perf, r->ask.pids != NULL   ? r->ask.pids
				     : r->plan.pid_at != 0 ? pid
							   : NULL);
}

/* If it began anew, and ended at once, the first second is more. */
static void
keep_longer(const struct cp_recorder *r, uint64_t ms)
{
	char old[4096];

	if (r->ask.frequency == 0 && !r->ask.plain)
		return;
	(void)snprintf(old, sizeof(old), "%s.old", r->ask.output);
	if (ms < 1000 && rename(old, r->ask.output) == 0)
		r->say("it ended at once: the first second is kept");
}

static void
watch(struct cp_recorder *r, double ns)
{
	uint64_t begin = milliseconds(), round = begin;
	struct cp_cost_mark first = mark(r), then;
	pid_t trigger = 0;
	int wait = 0, tries = r->budget > 0 ? 2 : 0, command = -1;

	while (!has_ended(&r->perf, &r->exit_status)) {
		(void)poll(NULL, 0, TICK_MS);
		r->over = r->seconds != 0 &&
			  milliseconds() - begin >= r->seconds * 1000ull;
		if (stop || stop_by_terminal || r->over ||
		    triggered(r, &trigger, &wait))
			break;
		if (r->command > 0 && has_ended(&r->command, &command))
			break;
		then = mark(r);
		if (r->perf > 0 && then.perf != 0)
			r->cost = cp_cost_between(&first, &then,
			    r->plan.frequency, r->plan.switches, ns);
		if (tries == 0 || milliseconds() - round < 1000)
			continue;
		tries = r->cost > r->budget ? tries - 1 : 0;
		round = milliseconds();
		if (!keep_budget(r))
			break;
		round = milliseconds();
		first = mark(r);
	}
	if (r->perf <= 0 && r->exit_status == 128 + SIGKILL)
		r->lost = !is_whole(r->ask.output);
	if (command >= 0 || r->ask.attach || stop || stop_by_terminal)
		r->exit_status = command;
	end_perf(r);
	keep_longer(r, milliseconds() - round);
	if (trigger > 0) {
		(void)kill(trigger, SIGTERM);
		(void)cp_await(trigger);
	}
}

const char *
cp_record_plan(struct cp_recorder *r)
{
	r->gate = r->exit_status = r->control[0] = r->control[1] = -1;
	r->cost = -1;
	r->ask.attach =
	    r->ask.command != NULL && (r->budget > 0 || r->ask.ring != 0);
	return cp_plan_make(&r->plan, r->host, &r->ask);
}

void
cp_record_run(struct cp_recorder *r)
{
	pid_t others[CP_CAPTURE_PROCESSES];
	bool copies = false, alone = cp_add_children(getpid(), others, 0) == 0,
	     ends;
	double ns = 0;

	for (size_t i = 0; i < r->plan.argv.len; i++)
		copies |= strncmp(r->plan.argv.data[i], "dwarf,", 6) == 0;
	if (r->budget > 0)
		ns = cp_cost_sample(r->plan.graph, copies ? 8192 : 0);
	catch_signals();
	/* What a killed perf leaves is ours to end. */
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (r->ask.attach)
		start_command(r);
	r->failed = !start_perf(r);
	if (!r->failed)
		watch(r, ns);
	/* A command of ours goes on after the recording, but for --seconds. */
	ends = stop || r->failed || r->over || r->lost;
	if (alone && ends && (r->lost || r->over || r->command > 0))
		cp_end_descendants(getpid(), SIGTERM);
	if (ends && r->command > 0) {
		(void)kill(r->command, SIGTERM);
		if (!ends_soon(&r->command, &r->exit_status))
			(void)kill(r->command, SIGKILL);
		cp_record_wait(r);
	}
	(void)prctl(PR_SET_CHILD_SUBREAPER, 0);
	if (ends || r->ask.command == NULL)
		r->exit_status = -1;
}

void
cp_record_wait(struct cp_recorder *r)
{
	if (r->command > 0)
		r->exit_status = cp_await(r->command);
	r->command = 0;
}

void
cp_record_free(struct cp_recorder *r)
{
	cp_plan_free(&r->plan);
}
