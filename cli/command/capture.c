/* SPDX-License-Identifier: MIT */
/*
 * capture: records by a plan of capture/, then packs with the command pack, in
 * a process of its own, which has its walls.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/record.h"
#include "cli/command/command.h"
#include "cli/status.h"
#include "render/common/escape.h"

static void
say(const char *line)
{
	struct cp_buf b;

	cp_buf_init(&b, 1 << 16);
	cp_escape_terminal(&b, line);
	fprintf(stderr, "coldperf: %s\n", cp_buf_text(&b));
	cp_buf_free(&b);
}

/* A number with a unit: "2%", "30s". */
static int
amount(struct cp_cli *cli, const char *option, const char *value,
    const char *unit, double *out)
{
	char *end = NULL;

	*out = value != NULL ? strtod(value, &end) : 0;
	if (value == NULL ||
	    (end != value && (*end == '\0' || strcmp(end, unit) == 0) &&
		*out > 0 && *out <= 86400))
		return CP_OK;
	return cp_cli_bad(cli, "--%s wants a number, as 2%s, not `%.40s'",
	    option, unit, value);
}

static int
find_question(struct cp_cli *cli, enum cp_advice_id *id)
{
	const char *name = cli->capture.question;

	*id = CP_ADVICE_cpu;
	if (name == NULL)
		return CP_OK;
	for (int i = 0; i < CP_ADVICE_COUNT; i++)
		if (cp_advice[i].question != NULL &&
		    strcmp(cp_advice[i].name, name) == 0) {
			*id = (enum cp_advice_id)i;
			return CP_OK;
		}
	return cp_cli_bad(cli, "--for %.40s is no question", name);
}

static const char *
joined(struct cp_cli *cli, const cp_words *words)
{
	struct cp_buf b;
	const char *text;

	if (words->len == 0)
		return NULL;
	cp_buf_init(&b, 1 << 16);
	for (size_t i = 0; i < words->len; i++)
		cp_buf_printf(&b, "%s%s", i != 0 ? "," : "", words->data[i]);
	text = cp_arena_strndup(&cli->arena, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
	return text;
}

static const char *
joined_text(struct cp_cli *cli, const char *a, const char *b)
{
	size_t size = strlen(a) + strlen(b) + 1;
	char *text = cp_arena_alloc(&cli->arena, size);

	snprintf(text, size, "%s%s", a, b);
	return text;
}

/* Is it one that is known, or a command that can start? */
static int
check_trigger(struct cp_cli *cli, const char *trigger)
{
	char path[4096], *end, *name;
	size_t n;

	if (strcmp(trigger, "signal") == 0)
		return CP_OK;
	if (strncmp(trigger, "runq>", 5) == 0) {
		(void)strtoul(trigger + 5, &end, 10);
		if (trigger[5] >= '0' && trigger[5] <= '9' && *end == '\0')
			return CP_OK;
		return cp_cli_bad(cli,
		    "--trigger wants a number, as runq>8, not `%.40s'",
		    trigger);
	}
	trigger += strspn(trigger, " \t");
	n = strcspn(trigger, " \t");
	name = cp_arena_strndup(&cli->arena, trigger, n);
	if (memchr(name, '\'', n) != NULL || memchr(name, '"', n) != NULL ||
	    cp_host_program(name, path, sizeof(path)))
		return CP_OK;
	return cp_cli_bad(
	    cli, "--trigger `%.40s' is no command that can start", trigger);
}

/* Do the processes exist? */
static int
check_pids(struct cp_cli *cli, const char *pids)
{
	for (const char *s = pids; s != NULL; s++) {
		char *end;
		long pid = strtol(s, &end, 10);

		if (end == s || pid <= 0 || pid > INT32_MAX ||
		    (*end != ',' && *end != '\0'))
			return cp_cli_bad(
			    cli, "--pid %.40s is no process", pids);
		if (kill((pid_t)pid, 0) != 0 && errno == ESRCH) {
			cp_diag(&cli->diags, CP_D_NO_RECORDING,
			    "there is no process %ld", pid);
			return CP_FAIL;
		}
		s = end;
		if (*s == '\0')
			break;
	}
	return CP_OK;
}

/* Can the command start, or the interpreter of a script? */
static int
check_command(struct cp_cli *cli, const char *name)
{
	char path[4096];
	struct stat st;

	if (cp_host_program(name, path, sizeof(path))) {
		(void)cp_target_frames(path, sizeof(path));
		if (path[0] == '\0' || access(path, X_OK) == 0)
			return CP_OK;
		cp_diag(&cli->diags, CP_D_NO_RECORDING,
		    "`%.300s' cannot start: no interpreter %.300s", name, path);
		return CP_FAIL;
	}
	cp_diag(&cli->diags, CP_D_NO_RECORDING, "`%.300s' cannot start: %s",
	    name,
	    strchr(name, '/') == NULL ? "no such program in $PATH"
	    : stat(name, &st) != 0    ? strerror(errno)
	    : !S_ISREG(st.st_mode)    ? "no regular file"
				      : "not executable");
	return CP_FAIL;
}

/* Can perf write its file, and pack the bundle? */
static int
check_output(struct cp_cli *cli, const char *bundle, const char *raw)
{
	struct stat st;
	int fd;

	if (stat(bundle, &st) == 0 && S_ISDIR(st.st_mode)) {
		cp_diag(&cli->diags, CP_D_OUTPUT, "%.300s is a folder", bundle);
		return CP_FAIL;
	}
	fd = open(raw, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) {
		cp_diag(&cli->diags, CP_D_OUTPUT, "%.300s: %s", raw,
		    strerror(errno));
		return CP_FAIL;
	}
	close(fd);
	(void)unlink(raw);
	return CP_OK;
}

/* Reads the options.  The words from `first` on are the command. */
static int
read_ask(struct cp_cli *cli, size_t first, struct cp_recorder *r)
{
	struct cp_capture_ask *a = &r->ask;
	double percent, ring;

	if (find_question(cli, &a->id) != CP_OK ||
	    amount(cli, "budget", cli->capture.budget, "%", &percent) !=
		CP_OK ||
	    amount(cli, "ring", cli->capture.ring, "s", &ring) != CP_OK)
		return CP_FAIL;
	a->ring = (unsigned)ring;
	a->pids = joined(cli, &cli->run.pids);
	a->cgroup = joined(cli, &cli->run.cgroups);
	a->all = cli->all;
	if (cli->captures.len > first) {
		*cp_vec_push(&cli->captures) = NULL;
		cli->captures.len--;
		a->command =
		    (char *const *)(uintptr_t)(cli->captures.data + first);
	}
	cli->captures.len = 0; /* messages are about no capture */
	r->budget = percent / 100;
	r->seconds = cli->capture.seconds;
	r->say = say;
	if (a->ring != 0)
		r->trigger = cli->capture.trigger != NULL ? cli->capture.trigger
							  : "signal";
	else if (cli->capture.trigger != NULL)
		return cp_cli_bad(cli, "--trigger ends a --ring");
	if (a->command == NULL && a->pids == NULL && a->cgroup == NULL &&
	    !a->all)
		return cp_cli_bad(cli,
		    "what is recorded? -- COMMAND, --pid, --cgroup or --all");
	if (a->pids != NULL && (a->all || a->cgroup != NULL))
		return cp_cli_bad(cli, "--pid, --cgroup and --all exclude each "
				       "other");
	if (r->trigger != NULL && check_trigger(cli, r->trigger) != CP_OK)
		return CP_FAIL;
	if (a->command != NULL && check_command(cli, a->command[0]) != CP_OK)
		return CP_FAIL;
	return check_pids(cli, a->pids);
}

/* "capture-cpu-20260131-120000.tar.zst" */
static const char *
bundle_name(struct cp_cli *cli, const struct cp_recorder *r)
{
	time_t t = time(NULL);
	struct tm tm;
	char text[100], date[40] = "";

	if (cli->output != NULL)
		return cli->output;
	if (localtime_r(&t, &tm) != NULL)
		(void)strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	snprintf(text, sizeof(text), "capture-%s-%s.tar.zst",
	    cp_advice[r->ask.id].name, date);
	return cp_arena_strndup(&cli->arena, text, strlen(text));
}

/* Says why, and the command: to stdout if that is all. */
static void
explain(const struct cp_recorder *r, bool all)
{
	struct cp_buf b;

	for (size_t i = 0; i < r->plan.why.len; i++)
		say(r->plan.why.data[i]);
	cp_buf_init(&b, 1 << 20);
	cp_plan_print(&b, r->plan.argv.data, r->plan.argv.len);
	if (all)
		printf("%s\n", cp_buf_text(&b));
	else if (!r->ask.attach)
		say(cp_buf_text(&b));
	cp_buf_free(&b);
}

/* The raw capture, which perf may have moved aside when it began anew. */
static void
drop_raw(struct cp_cli *cli, const char *raw)
{
	(void)unlink(raw);
	(void)unlink(joined_text(cli, raw, ".old"));
}

static int
pack(struct cp_cli *cli, const struct cp_recorder *r, const char *bundle)
{
	const struct cp_advice *a = &cp_advice[r->plan.id];
	const char *begin[] = { "/proc/self/exe", "pack", "--no-config",
		"--progress=never", "--label",
		joined_text(cli, "for=", a->name) };
	const char *end[] = { "-o", bundle, "--", r->ask.output, NULL };
	CP_VEC(const char *) words = { 0 };
	char line[200];
	int status;

	for (size_t i = 0; i < CP_ARRAY_LEN(begin); i++)
		*cp_vec_push(&words) = begin[i];
	for (size_t i = 0; i < cli->capture.labels.len; i++) {
		*cp_vec_push(&words) = "--label";
		*cp_vec_push(&words) = cli->capture.labels.data[i];
	}
	for (size_t i = 0; i < CP_ARRAY_LEN(end); i++)
		*cp_vec_push(&words) = end[i];
	status = cp_await(cp_start(words.data, -1));
	cp_vec_free(&words);
	if (status == CP_EXIT_OK || status == CP_EXIT_PARTIAL) {
		drop_raw(cli, r->ask.output);
		snprintf(line, sizeof(line), "coldperf %.*s reads it",
		    (int)strcspn(a->commands, " "), a->commands);
		say(line);
		return CP_EXIT_OK;
	}
	cp_diag(&cli->diags, CP_D_OUTPUT, "packing failed; %.300s is left",
	    r->ask.output);
	return cp_cli_status(cli);
}

/* Says how the recording ended, and packs what there is. */
static int
finish(struct cp_cli *cli, struct cp_recorder *r, const char *bundle)
{
	char line[100];
	struct stat st;
	int status;

	if (r->budget > 0 && r->cost >= 0)
		fprintf(stderr,
		    "coldperf: recording cost %.2f %% of a CPU, as estimated\n",
		    r->cost * 100);
	if (stat(r->ask.output, &st) != 0 || st.st_size == 0) {
		cp_diag(&cli->diags, CP_D_NO_RECORDING,
		    "perf wrote no capture; --dry-run prints its command, "
		    "which says more without -q");
		return cp_cli_status(cli);
	}
	if (r->lost)
		say("perf was killed: the end of the recording is missing, and "
		    "the command was ended");
	status = pack(cli, r, bundle);
	cp_record_wait(r);
	if (r->exit_status > 128)
		snprintf(line, sizeof(line), "the command ended by signal %d",
		    r->exit_status - 128);
	else
		snprintf(line, sizeof(line), "the command ended with status %d",
		    r->exit_status);
	if (r->exit_status > 0)
		say(line);
	return status;
}

int
cp_capture_to(
    struct cp_cli *cli, size_t first, const char *bundle, int *exit_status)
{
	struct cp_host host;
	struct cp_recorder r = { .host = &host };
	const char *refused;
	int status;

	*exit_status = -1;
	if (read_ask(cli, first, &r) != CP_OK)
		return cp_cli_status(cli);
	if (bundle == NULL)
		bundle = bundle_name(cli, &r);
	r.ask.output = joined_text(cli, bundle, ".perf.data");
	cp_host_look(&host);
	refused = cp_record_plan(&r);
	if (refused != NULL) {
		cp_diag(&cli->diags, CP_D_NO_RECORDING, "%s", refused);
		cp_record_free(&r);
		return cp_cli_status(cli);
	}
	if (cli->capture.dry_run) {
		explain(&r, true);
		cp_record_free(&r);
		return CP_EXIT_OK;
	}
	drop_raw(cli, r.ask.output);
	if (check_output(cli, bundle, r.ask.output) != CP_OK) {
		cp_record_free(&r);
		return cp_cli_status(cli);
	}
	explain(&r, false);
	if (r.trigger != NULL && strcmp(r.trigger, "signal") == 0)
		fprintf(stderr, "coldperf: kill -USR1 %d ends the ring\n",
		    (int)getpid());
	cp_record_run(&r);
	status = finish(cli, &r, bundle);
	cp_record_wait(&r);
	*exit_status = r.lost ? -2 : r.exit_status;
	cp_record_free(&r);
	return status;
}

int
cp_command_capture(struct cp_cli *cli)
{
	int ended, status = cp_capture_to(cli, 0, NULL, &ended);

	if (status != CP_EXIT_OK || ended == -1)
		return status;
	return ended == -2 ? CP_EXIT_PARTIAL : ended;
}
