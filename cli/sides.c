/* SPDX-License-Identifier: MIT */
/*
 * sides: `diff --before a*.data --after b*.data', and folders of captures:
 * `flame FOLDER'.
 *
 * The words after --before belong to it up to --after, whatever options come in
 * between.  A folder stands for the captures in it, sorted by name, unless it
 * is a capture itself.
 */
#include "cli/cli.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "render/render.h"

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A pipe in a folder may have no writer: opening it would wait for ever. */
static bool
is_pipe(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

static const char *
join(struct cp_cli *cli, const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	char *path = cp_arena_alloc(&cli->arena, size);

	snprintf(path, size, "%s/%s", folder, name);
	return path;
}

/*
 * Was a folder made by perf record --threads, or are its files one recording of
 * --switch-output?
 */
static bool
is_capture(struct cp_cli *cli, const char *path)
{
	struct stat st;
	bool is = !is_folder(path) || stat(join(cli, path, "data"), &st) == 0;
	int dir = is ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir >= 0) {
		is = cp_series_is(dir);
		close(dir);
	}
	return is;
}

/*
 * Accepts x.data and perf.data.3, but not perf.data.old, the recording before.
 */
static bool
has_name(const char *name)
{
	size_t n = strlen(name);

	if (n > 5 && strcmp(name + n - 5, ".data") == 0)
		return name[0] != '.';
	return strncmp(name, "perf.data", 9) == 0 &&
	       (n < 4 || strcmp(name + n - 4, ".old") != 0);
}

/*
 * True if a file lies beside a capture and is made of it: the bundle or
 * snapshot of a capture that is there, too, or a report.
 */
static bool
is_made(struct cp_cli *cli, const char *folder, const char *name)
{
	const struct cp_renderer *r = cp_renderer_of_path(name);
	const char *end = strstr(name, ".tar");
	char *capture;

	if (r != NULL && strcmp(r->name, "snapshot") != 0)
		return true;
	if (end == NULL)
		end = strstr(name, ".cold");
	if (end == NULL)
		return false;
	capture = cp_arena_strndup(&cli->arena, name, (size_t)(end - name));
	return access(join(cli, folder, capture), F_OK) == 0;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int
add_folder(struct cp_cli *cli, const char *folder, cp_words *to)
{
	size_t first = to->len;
	DIR *dir = opendir(folder);
	struct dirent *e;

	while (dir != NULL && (e = readdir(dir)) != NULL)
		if (has_name(e->d_name) && !is_made(cli, folder, e->d_name) &&
		    !is_pipe(join(cli, folder, e->d_name)) &&
		    is_capture(cli, join(cli, folder, e->d_name)))
			*cp_vec_push(to) = join(cli, folder, e->d_name);
	if (dir != NULL)
		closedir(dir);
	if (to->len == first) {
		cp_diag(&cli->diags, CP_D_USAGE,
		    "no captures (*.data) in the folder %.200s", folder);
		return CP_FAIL;
	}
	qsort(&to->data[first], to->len - first, sizeof(*to->data), compare);
	return CP_OK;
}

static int
add_word(struct cp_cli *cli, const char *word, cp_words *to)
{
	if (!is_capture(cli, word))
		return add_folder(cli, word, to);
	*cp_vec_push(to) = word;
	return CP_OK;
}

/* Returns the side of a word: that of the option before it. */
static const char *
side_at(const struct cp_cli *cli, size_t at)
{
	const char *side = NULL;

	for (size_t i = 0; i < cli->run.given.len; i++) {
		const struct cp_given *g = &cli->run.given.data[i];

		if (g->at <= at && (strcmp(g->name, "before") == 0 ||
				       strcmp(g->name, "after") == 0))
			side = g->name;
	}
	return side;
}

/* Adds the values of an option and the words that follow it. */
static int
add_side(struct cp_cli *cli, const char *name, cp_words *to)
{
	int status = CP_OK;

	for (size_t i = 0; i < cli->run.given.len && status == CP_OK; i++)
		if (strcmp(cli->run.given.data[i].name, name) == 0)
			status =
			    add_word(cli, cli->run.given.data[i].value, to);
	for (size_t i = 0; i < cli->captures.len && status == CP_OK; i++) {
		const char *side = side_at(cli, i);

		if (side != NULL && strcmp(side, name) == 0)
			status = add_word(cli, cli->captures.data[i], to);
	}
	return status;
}

static bool
is_given(const struct cp_cli *cli, const char *name)
{
	for (size_t i = 0; i < cli->run.given.len; i++)
		if (strcmp(cli->run.given.data[i].name, name) == 0)
			return true;
	return false;
}

static int
usage(struct cp_cli *cli, const char *what)
{
	cp_diag(&cli->diags, CP_D_USAGE, "%s", what);
	return CP_FAIL;
}

/* Assigns captures by both options; every word must follow one. */
static int
by_options(struct cp_cli *cli, cp_words *to, size_t *before)
{
	if (!is_given(cli, "before") || !is_given(cli, "after"))
		return usage(
		    cli, "--before and --after must be given together");
	if (cli->captures.len != 0 && side_at(cli, 0) == NULL)
		return usage(cli, "a capture is given ahead of --before");
	if (is_given(cli, "baseline"))
		return usage(cli, "--baseline and --before exclude each other");
	if (add_side(cli, "before", to) != CP_OK)
		return CP_FAIL;
	*before = to->len;
	return add_side(cli, "after", to);
}

/*
 * Without the options two words are the two sides; of more words, --baseline
 * says how many are before.
 */
static int
by_words(struct cp_cli *cli, cp_words *to, size_t *before)
{
	for (size_t i = 0; i < cli->captures.len; i++) {
		if (add_word(cli, cli->captures.data[i], to) != CP_OK)
			return CP_FAIL;
		if (i == 0)
			*before = to->len;
	}
	if (cli->captures.len != 2 || to->len == 2 || is_given(cli, "baseline"))
		*before = 0;
	return CP_OK;
}

/* Each word is a version, of one or more runs; "2,1,3" says of how many. */
static int
by_versions(struct cp_cli *cli, cp_words *to)
{
	struct cp_buf runs;

	if (is_given(cli, "before") || is_given(cli, "after") ||
	    is_given(cli, "baseline"))
		return usage(cli,
		    "--versions excludes --before, --after and --baseline");
	cp_buf_init(&runs, 1u << 20);
	for (size_t i = 0; i < cli->captures.len; i++) {
		size_t first = to->len;

		if (add_word(cli, cli->captures.data[i], to) != CP_OK) {
			cp_buf_free(&runs);
			return CP_FAIL;
		}
		cp_buf_printf(
		    &runs, "%s%zu", i != 0 ? "," : "", to->len - first);
	}
	*cp_vec_push(&cli->run.given) = (struct cp_given){ .name = "versions",
		.value = cp_arena_strndup(
		    &cli->arena, cp_buf_text(&runs), runs.len) };
	cp_buf_free(&runs);
	return CP_OK;
}

int
cp_cli_sides(struct cp_cli *cli)
{
	bool options = is_given(cli, "before") || is_given(cli, "after");
	cp_words all = { 0 };
	size_t before = 0;
	int status = is_given(cli, "versions") ? by_versions(cli, &all)
		     : options                 ? by_options(cli, &all, &before)
					       : by_words(cli, &all, &before);

	if (status == CP_OK && before != 0) {
		char *text = cp_arena_alloc(&cli->arena, 24);

		snprintf(text, 24, "%zu", before);
		*cp_vec_push(&cli->run.given) =
		    (struct cp_given){ .name = "baseline", .value = text };
	}
	cp_vec_free(&cli->captures);
	cli->captures = all;
	if (all.len != 0)
		cli->run.capture = all.data[0];
	return status;
}

/* ------------------------------------------------------------- several as one
 */

static bool
is_one_of(const struct stat *st, const struct stat *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (all[i].st_ino == st->st_ino && all[i].st_dev == st->st_dev)
			return true;
	return false;
}

/* A file given twice, also by another path or a link, would count twice. */
static int
refuse_doubles(struct cp_cli *cli)
{
	struct stat *seen = cp_xcalloc(cli->captures.len + 1, sizeof(*seen));
	const char *twice = NULL;
	size_t n = 0;

	for (size_t i = 0; i < cli->captures.len && twice == NULL; i++)
		if (stat(cli->captures.data[i], &seen[n]) != 0)
			continue; /* "-", or what cannot be opened either */
		else if (is_one_of(&seen[n], seen, n))
			twice = cli->captures.data[i];
		else
			n++;
	free(seen);
	if (twice == NULL)
		return CP_OK;
	cp_diag(&cli->diags, CP_D_USAGE, "%.200s is given twice", twice);
	return CP_FAIL;
}

int
cp_cli_captures(struct cp_cli *cli)
{
	cp_words all = { 0 };
	int status = CP_OK;

	if (cli->captures.len == 0 && strcmp(cli->command, "merge") == 0)
		return cp_cli_bad(cli, "merge needs the captures to merge");
	for (size_t i = 0; i < cli->captures.len && status == CP_OK; i++)
		status = add_word(cli, cli->captures.data[i], &all);
	/* Two that are browsed are before and after. */
	if (all.len > 1 && !(strcmp(cli->command, "browse") == 0 &&
			       cli->captures.len == 2 && all.len == 2))
		qsort(all.data, all.len, sizeof(*all.data), compare);
	cp_vec_free(&cli->captures);
	cli->captures = all;
	if (all.len != 0)
		cli->run.capture = all.data[0];
	return status == CP_OK ? refuse_doubles(cli) : status;
}
