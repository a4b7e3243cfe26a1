/* SPDX-License-Identifier: MIT */
/* main: runs the command, and ends the process. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "cli/command/command.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/idle/idle.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "cli/plugin.h"
#include "cli/progress.h"
#include "cli/redact.h"
#include "cli/status.h"
#include "cli/suggest.h"
#include "render/render.h"

/* Bytes of stack that a command may need: chains of the largest size, twice. */
#define STACK ((rlim_t)4 << 20)

static CP_NORETURN void
no_memory(size_t wanted)
{
	char text[96];
	int n = snprintf(text, sizeof(text),
	    "coldperf: output: out of memory (memory): %zu bytes\n", wanted);

	cp_output_files_abandon();
	if (write(STDERR_FILENO, text, (size_t)n) < 0)
		_exit(CP_EXIT_BUG);
	_exit(CP_EXIT_BUG);
}

static int
usage(struct cp_cli *cli, const char *what)
{
	cp_diag(&cli->diags, CP_D_USAGE, "%s; see coldperf help", what);
	return cp_cli_status(cli);
}

static bool
is(const struct cp_cli *cli, const char *command)
{
	return strcmp(cli->command, command) == 0;
}

/* Returns the format asked for, by name or by the output's suffix; or NULL. */
static const char *
format_asked(const struct cp_cli *cli)
{
	const struct cp_renderer *r = NULL;

	if (cli->format != NULL)
		return cli->format;
	/* The outputs of these commands are a bundle, a folder and tables. */
	if (cli->output != NULL && !is(cli, "pack") && !is(cli, "unpack") &&
	    !is(cli, "snapshot") && !is(cli, "merge"))
		r = cp_renderer_of_path(cli->output);
	/* It says itself which of its inputs become a snapshot. */
	if (r != NULL && is(cli, "redact") && strcmp(r->name, "snapshot") == 0)
		r = NULL;
	return r != NULL ? r->name : NULL;
}

static int
names_format(struct cp_cli *cli, const char *format)
{
	cli->format = format;
	if (format == NULL || strcmp(format, "csv") == 0 ||
	    strcmp(format, "ndjson") == 0)
		return CP_OK;
	cp_diag(&cli->diags, CP_D_USAGE,
	    "names writes csv or ndjson, not `%.40s'", format);
	return CP_FAIL;
}

/* A report has all formats, and as many outputs as are asked for. */
static bool
writes_report(const struct cp_cli *cli)
{
	return is(cli, "symbols") || is(cli, "sql") || is(cli, "check") ||
	       cp_cli_analysis(cli, cli->command) != NULL;
}

static int
check_outputs(struct cp_cli *cli)
{
	if (cli->outputs.len <= 1 || writes_report(cli))
		return CP_OK;
	cp_diag(&cli->diags, CP_D_USAGE, "%s takes one -o, not %zu",
	    cli->command, cli->outputs.len);
	return CP_FAIL;
}

/* Is the file in a folder that is a capture? */
static bool
lies_in(const char *path, const struct stat *folder)
{
	char *real = realpath(path, NULL), *slash;
	struct stat st;
	bool in;

	if (real == NULL)
		return false;
	slash = strrchr(real, '/');
	slash[slash == real] = '\0';
	in = stat(real, &st) == 0 && st.st_dev == folder->st_dev &&
	     st.st_ino == folder->st_ino;
	free(real);
	return in;
}

/* Is the output a file that is read, under whatever name? */
static bool
is_input(const char *output, const char *capture)
{
	struct stat in, out;
	int status = strcmp(capture, "-") == 0 ? fstat(STDIN_FILENO, &in)
					       : stat(capture, &in);

	return status == 0 && strcmp(output, "-") != 0 &&
	       stat(output, &out) == 0 && S_ISREG(out.st_mode) &&
	       ((in.st_dev == out.st_dev && in.st_ino == out.st_ino) ||
		   (S_ISDIR(in.st_mode) && lies_in(output, &in)));
}

/* No output replaces what is read: it may be all that is left of a host. */
static int
check_inputs(struct cp_cli *cli)
{
	for (size_t i = 0; i < cli->outputs.len; i++)
		for (size_t j = 0; j < cli->captures.len; j++) {
			if (!is_input(
				cli->outputs.data[i], cli->captures.data[j]))
				continue;
			cp_diag(&cli->diags, CP_D_USAGE,
			    "--output %.60s is what is read, and would be "
			    "lost: give it another name",
			    cli->outputs.data[i]);
			return CP_FAIL;
		}
	return CP_OK;
}

/* It is known early, not after a long reading. */
static int
check_places(struct cp_cli *cli)
{
	bool folder = is(cli, "unpack") || is(cli, "redact");

	for (size_t i = 0; i < cli->outputs.len; i++)
		if (cp_output_check(cli, cli->outputs.data[i], folder) != CP_OK)
			return CP_FAIL;
	return CP_OK;
}

/* Commands without a report have one format each, except names. */
static int
check_format(struct cp_cli *cli)
{
	const char *format = format_asked(cli);

	if (is(cli, "names"))
		return names_format(cli, format);
	if (format == NULL || strcmp(format, "text") == 0 ||
	    writes_report(cli) || is(cli, "run"))
		return CP_OK;
	cp_diag(&cli->diags, CP_D_USAGE,
	    "%s has no other format than text, not `%.40s'", cli->command,
	    format);
	return CP_FAIL;
}

/* Does the command count several captures as one? */
static bool
takes_several(const struct cp_cli *cli, const struct cp_analysis *a)
{
	return (a != NULL && (a->wants & CP_WANT_MERGED) != 0) ||
	       is(cli, "merge") || is(cli, "sql") || is(cli, "browse");
}

/*
 * Verifies a bundle; with --names also compares the names of its capture with
 * elfutils.
 */
static int
verify(struct cp_cli *cli)
{
	int status;

	if (cli->names && cli->outputs.len != 0) {
		cp_diag(&cli->diags, CP_D_USAGE,
		    "verify --names writes to standard output alone; check "
		    "takes -o");
		return cp_cli_status(cli);
	}
	status = cp_command_verify(cli);
	return cli->names && status == CP_EXIT_OK ? cp_command_check(cli)
						  : status;
}

static int
run_command(struct cp_cli *cli)
{
	if (is(cli, "names"))
		return cp_command_names(cli);
	if (is(cli, "script"))
		return cp_command_script(cli);
	if (is(cli, "dump"))
		return cp_command_dump(cli);
	if (is(cli, "pack"))
		return cp_command_pack(cli);
	if (is(cli, "redact") || (is(cli, "unpack") && cli->redact != NULL))
		return cp_command_redact(cli);
	if (is(cli, "unpack"))
		return cp_command_unpack(cli);
	if (is(cli, "verify"))
		return verify(cli);
	if (is(cli, "repair"))
		return cp_command_repair(cli);
	if (is(cli, "check"))
		return cp_command_check(cli);
	if (is(cli, "browse"))
		return cp_command_browse(cli);
	if (is(cli, "sql"))
		return cp_command_sql(cli);
	if (is(cli, "snapshot"))
		return cp_command_snapshot(cli);
	if (is(cli, "merge"))
		return cp_command_merge(cli);
	if (is(cli, "symbols"))
		return cp_command_symbols(cli);
	return cp_command_analyse(cli);
}

static int
on_capture(struct cp_cli *cli)
{
	const struct cp_analysis *a = cp_cli_analysis(cli, cli->command);

	if (check_outputs(cli) != CP_OK || check_format(cli) != CP_OK)
		return cp_cli_status(cli);
	if (is(cli, "capture") || is(cli, "run"))
		return is(cli, "run") ? cp_command_run(cli)
				      : cp_command_capture(cli);
	if (is(cli, "selftest") && cli->captures.len != 0)
		return usage(cli, "selftest reads no capture");
	if (is(cli, "selftest"))
		return cp_command_selftest(cli);
	if (a != NULL && a->captures > 1 && cp_cli_sides(cli) != CP_OK)
		return cp_cli_status(cli);
	if (takes_several(cli, a) && cp_cli_captures(cli) != CP_OK)
		return cp_cli_status(cli);
	if (cli->captures.len == 0 && !is(cli, "names"))
		return usage(cli, "which capture? there is no ./perf.data");
	if (cli->captures.len > 1 && (a == NULL || a->captures < 2) &&
	    !takes_several(cli, a))
		return usage(cli, "one capture at a time");
	if (cp_default_output(cli) != CP_OK)
		return cp_cli_status(cli);
	cp_cli_idle(cli);
	if (check_inputs(cli) != CP_OK ||
	    (!writes_report(cli) && check_places(cli) != CP_OK) ||
	    cp_cli_redact(cli) != CP_OK)
		return cp_cli_status(cli);
	cli->run.tables = takes_several(cli, a) ||
			  (a != NULL && a->captures > 1) ||
			  is(cli, "snapshot") || is(cli, "redact");
	if (cp_cli_walls(cli, a != NULL && cli->redact == NULL) != CP_OK)
		return cp_cli_status(cli);
	cp_progress_watch(cli);
	cp_cli_redact_learn(cli);
	return run_command(cli);
}

static int
completion(struct cp_cli *cli, const char *shell)
{
	if (!cp_completion_print(shell))
		return usage(cli, "completion wants bash, zsh or fish");
	return CP_EXIT_OK;
}

/* Of commands without options; others find --help among theirs. */
static bool
asks_for_help(int argc, char **argv)
{
	static const char *const bare[] = { "list", "completion", "help",
		"version" };

	for (size_t i = 0; i < CP_ARRAY_LEN(bare); i++)
		if (strcmp(argv[1], bare[i]) == 0)
			return argc == 3 && (strcmp(argv[2], "--help") == 0 ||
						strcmp(argv[2], "-h") == 0);
	return false;
}

/* The words that commands without a capture take after their name. */
static int
check_words(struct cp_cli *cli, int argc, char **argv)
{
	static const struct {
		const char *command;
		int words;
	} bare[] = { { "list", 0 }, { "version", 0 }, { "--version", 0 },
		{ "-V", 0 }, { "--examples", 0 }, { "--help", 1 }, { "-h", 1 },
		{ "help", 1 }, { "completion", 1 } };

	for (size_t i = 0; i < CP_ARRAY_LEN(bare); i++)
		if (strcmp(argv[1], bare[i].command) == 0 &&
		    argc - 2 > bare[i].words) {
			cp_diag(&cli->diags, CP_D_USAGE,
			    "%s takes %s, not `%.60s'", argv[1],
			    bare[i].words == 0 ? "no words" : "one word",
			    argv[2 + bare[i].words]);
			return CP_FAIL;
		}
	return CP_OK;
}

static int
dispatch(struct cp_cli *cli, int argc, char **argv)
{
	if (argc < 2)
		return usage(cli, "which command? there is no ./perf.data to "
				  "report");
	cli->command = argv[1];
	if (asks_for_help(argc, argv))
		return cp_help(cli, argv[1]);
	if (check_words(cli, argc, argv) != CP_OK)
		return cp_cli_status(cli);
	if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "list") == 0) {
		cp_plugins_find(cli);
		if (strcmp(argv[1], "list") == 0)
			cp_list(cli);
		else
			cp_help(cli, argc > 2 ? argv[2] : NULL);
		return cp_cli_status(cli);
	}
	if (strcmp(argv[1], "--examples") == 0) {
		cp_examples_print(NULL);
		return CP_EXIT_OK;
	}
	if (strcmp(argv[1], "completion") == 0)
		return completion(cli, argc > 2 ? argv[2] : "");
	if (strcmp(argv[1], "version") == 0 || strcmp(argv[1], "-V") == 0 ||
	    strcmp(argv[1], "--version") == 0) {
		printf("%s\n", PACKAGE_STRING);
		return CP_EXIT_OK;
	}
	if (cp_command_find(argv[1]) == NULL &&
	    cp_cli_analysis(cli, argv[1]) == NULL) {
		cp_diag(&cli->diags, CP_D_USAGE,
		    "no such command or file `%.60s'%s; see coldperf help",
		    argv[1], cp_suggest_command(cli, argv[1]).text);
		return cp_cli_status(cli);
	}
	if (cp_cli_parse(cli, argc, argv) != CP_OK)
		return cp_cli_status(cli);
	if (cli->help)
		return cp_help(cli, cli->command);
	return on_capture(cli);
}

static int
run(struct cp_cli *cli, int argc, char **argv)
{
	const char *fail = getenv("COLDPERF_FAIL_ALLOCATION");
	cp_argv words = { 0 };
	int status;

	if (fail != NULL) /* tests/cli: every allocation can fail */
		cp_mem_fail_after(strtoull(fail, NULL, 10));
	if (cp_plugins_given(cli, &argc, argv) == CP_OK &&
	    cp_command_line(cli, &words, argc, argv) == CP_OK)
		status = dispatch(cli, (int)words.len, words.data);
	else
		status = cp_cli_status(cli);
	cp_vec_free(&words);
	return status;
}

static void
seed_hashes(void)
{
	uint64_t seed[2];

	if (getentropy(seed, sizeof(seed)) == 0)
		cp_hash_seed(seed[0], seed[1]);
}

/* Help, lists and the like are written here, whole: errno is of that. */
static int
end_stdout(int status)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr,
	    "coldperf: output: writing the output failed (output): standard "
	    "output: %s\n",
	    strerror(errno != 0 ? errno : EIO));
	return CP_EXIT_BUG;
}

struct arguments {
	int argc;
	char **argv;
	int status;
};

static void *
command(void *arg)
{
	static char standard[256 << 10]; /* more than a completion has */
	struct arguments *a = arg;
	struct cp_cli cli = { 0 };
	int status;

	/*
	 * A limit on file sizes makes a write fail, but does not end the
	 * process.
	 */
	signal(SIGXFSZ, SIG_IGN);
	/*
	 * No file that is opened gets the number of a standard one that is
	 * closed.  What is read or written there fails.
	 */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null",
			fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			_exit(CP_EXIT_BUG);
	(void)setvbuf(stdout, standard, _IOFBF, sizeof(standard));
	cp_mem_large_pages();
	seed_hashes();
	cp_mem_on_oom(no_memory);
	cp_diags_init(&cli.diags);
	status = run(&cli, a->argc, a->argv);
	cp_cli_redact_end(&cli, status);
	cp_output_files_end();
	cp_cli_free(&cli);
	a->status = end_stdout(status);
	return NULL;
}

/*
 * Runs the command in a thread whose stack is large enough: the limit of the
 * shell may be too small, and not ours to raise.  Threads started later get as
 * much, too.  False: no such thread can be made.
 */
static bool
command_apart(struct arguments *a)
{
	pthread_attr_t attr;
	pthread_t thread;
	bool made = pthread_attr_init(&attr) == 0 &&
		    pthread_attr_setstacksize(&attr, STACK) == 0 &&
#ifdef __GLIBC__
		    pthread_setattr_default_np(&attr) == 0 &&
#endif
		    pthread_create(&thread, &attr, command, a) == 0;
	return made && pthread_join(thread, NULL) == 0;
}

int
main(int argc, char **argv)
{
	struct arguments a = { argc, argv, 0 };
	struct rlimit stack;

	if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= STACK ||
	    !command_apart(&a))
		command(&a);
	return a.status;
}
