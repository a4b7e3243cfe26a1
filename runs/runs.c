/* SPDX-License-Identifier: MIT */
#include "runs/runs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_TEXT (1 << 16) /* bytes of run.txt */

/* The lines of run.txt, in this order; those of the index too. */
static const struct {
	const char *key;
	size_t offset;
} fields[] = {
	{ "time", offsetof(struct cp_run_kept, time) },
	{ "host", offsetof(struct cp_run_kept, host) },
	{ "command", offsetof(struct cp_run_kept, command) },
	{ "exit", offsetof(struct cp_run_kept, exit) },
	{ "commit", offsetof(struct cp_run_kept, commit) },
	{ "labels", offsetof(struct cp_run_kept, labels) },
	{ "capture", offsetof(struct cp_run_kept, capture) },
};

static const char **
field(const struct cp_run_kept *r, size_t i)
{
	return (const char **)((uintptr_t)r + fields[i].offset);
}

const char *
cp_runs_path(struct cp_runs *r, const char *id, const char *file)
{
	size_t size = strlen(r->folder) + strlen(file) + 3 +
		      (id != NULL ? strlen(id) : 0);
	char *path = cp_arena_alloc(&r->arena, size);

	(void)snprintf(path, size, "%s/%s%s%s", r->folder, id != NULL ? id : "",
	    id != NULL && file[0] != '\0' ? "/" : "", file);
	return path;
}

/* A regular file below a folder; NULL and errno: there is none. */
static char *
read_text(struct cp_runs *r, int folder, const char *name)
{
	char *text = cp_arena_alloc(&r->arena, MOST_TEXT);
	int fd = openat(
	    folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = read(fd, text, MOST_TEXT - 1);
	close(fd);
	errno = EINVAL;
	text[n > 0 ? n : 0] = '\0';
	return n >= 0 && strlen(text) == (size_t)n ? text : NULL;
}

/* 20260131-120000, and a letter for others of that second. */
static bool
is_id(const char *s)
{
	size_t date = strspn(s, "0123456789"), time;

	if (date != 8 || s[8] != '-')
		return false;
	time = strspn(s + 9, "0123456789");
	s += 9 + time;
	return time == 6 &&
	       (*s == '\0' || (*s >= 'a' && *s <= 'z' && s[1] == '\0'));
}

/* A run is a real folder: a link may lead to files that are not ours. */
static int
open_run(int folder, const char *id)
{
	return openat(
	    folder, id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* A run names its capture, which is in its folder. */
static bool
read_run(struct cp_runs *r, int folder, const char *id, struct cp_run_kept *out)
{
	int fd = open_run(folder, id);
	char *s = fd >= 0 ? read_text(r, fd, "run.txt") : NULL, *line;

	if (fd >= 0)
		close(fd);
	if (s == NULL)
		return false;
	*out = (struct cp_run_kept){ .id = cp_arena_strndup(
					 &r->arena, id, strlen(id)) };
	for (size_t i = 0; i < CP_ARRAY_LEN(fields); i++)
		*field(out, i) = "";
	while ((line = strsep(&s, "\n")) != NULL)
		for (size_t i = 0; i < CP_ARRAY_LEN(fields); i++) {
			size_t n = strlen(fields[i].key);

			if (strncmp(line, fields[i].key, n) == 0 &&
			    strncmp(line + n, ": ", 2) == 0)
				*field(out, i) = line + n + 2;
		}
	return strchr(out->capture, '/') == NULL &&
	       strncmp(out->capture, "capture", 7) == 0;
}

static int
by_time(const void *a, const void *b)
{
	return strcmp(((const struct cp_run_kept *)a)->id,
	    ((const struct cp_run_kept *)b)->id);
}

bool
cp_runs_read(struct cp_runs *r, const char *folder)
{
	struct cp_run_kept one;
	struct dirent *e;
	char *baseline;
	DIR *d;

	*r = (struct cp_runs){ .folder = folder, .baseline = "" };
	d = opendir(folder);
	if (d == NULL)
		return errno == ENOENT;
	while ((e = readdir(d)) != NULL)
		if (is_id(e->d_name) && read_run(r, dirfd(d), e->d_name, &one))
			*cp_vec_push(&r->all) = one;
	if (r->all.len != 0)
		qsort(r->all.data, r->all.len, sizeof(*r->all.data), by_time);
	baseline = read_text(r, dirfd(d), "baseline");
	r->has_baseline = baseline != NULL || errno != ENOENT;
	if (baseline != NULL) {
		baseline += strspn(baseline, " \t\r\n");
		baseline[strcspn(baseline, " \t\r\n")] = '\0';
		r->baseline = baseline;
	}
	closedir(d);
	return true;
}

void
cp_runs_free(struct cp_runs *r)
{
	cp_vec_free(&r->all);
	cp_arena_free(&r->arena);
}

const struct cp_run_kept *
cp_runs_find(const struct cp_runs *r, const char *name)
{
	const struct cp_run_kept *found = NULL;
	char *end = NULL;
	unsigned long back = 0;

	if (strncmp(name, "LAST", 4) == 0) {
		if (name[4] == '~')
			back = strtoul(name + 5, &end, 10);
		if (name[4] != '\0' && (end == NULL || *end != '\0'))
			return NULL;
		return back < r->all.len ? &r->all.data[r->all.len - 1 - back]
					 : NULL;
	}
	if (strcmp(name, "BASELINE") == 0)
		name = r->baseline;
	for (size_t i = 0; i < r->all.len && *name != '\0'; i++) {
		const struct cp_run_kept *at = &r->all.data[i];

		if (strcmp(at->id, name) == 0)
			return at;
		if (strncmp(at->id, name, strlen(name)) != 0)
			continue;
		if (found != NULL)
			return NULL;
		found = at;
	}
	return found;
}

const char *
cp_runs_new(struct cp_runs *r)
{
	time_t t = time(NULL);
	struct tm tm;
	char id[60], date[40] = "0", c = 'a';

	if (mkdir(r->folder, 0777) != 0 && errno != EEXIST)
		return NULL;
	if (gmtime_r(&t, &tm) != NULL)
		(void)strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	/* After all of that second: what was removed leaves no gap to fill. */
	for (size_t i = 0; i < r->all.len; i++)
		if (strncmp(r->all.data[i].id, date, strlen(date)) == 0)
			c = r->all.data[i].id[strlen(date)] == '\0'
				? 'b'
				: (char)(r->all.data[i].id[strlen(date)] + 1);
	for (; c <= 'z'; c++) {
		(void)snprintf(
		    id, sizeof(id), c == 'a' ? "%s" : "%s%c", date, c);
		if (mkdir(cp_runs_path(r, id, ""), 0777) == 0)
			return cp_arena_strndup(&r->arena, id, strlen(id));
		if (errno != EEXIST)
			break;
	}
	return NULL;
}

/* A value is one line, without what separates the columns of the index. */
static void
put_value(struct cp_buf *b, const char *s)
{
	for (; s != NULL && *s != '\0'; s++)
		cp_buf_char(b, (unsigned char)*s < ' ' ? '?' : *s);
}

/* Writes a file under another name first: it is whole or as it was. */
static bool
write_text(struct cp_runs *r, const char *path, const char *text)
{
	size_t size = strlen(path) + 5;
	char *other = cp_arena_alloc(&r->arena, size);
	FILE *f;
	bool ok;

	(void)snprintf(other, size, "%s.new", path);
	(void)unlink(other); /* of a process that was killed, or a link */
	f = fopen(other, "wxe");
	if (f == NULL)
		return false;
	ok = fputs(text, f) != EOF;
	return fclose(f) == 0 && ok && rename(other, path) == 0;
}

bool
cp_runs_keep(struct cp_runs *r, const struct cp_run_kept *one)
{
	struct cp_buf b;
	bool ok;

	cp_buf_init(&b, MOST_TEXT - 1);
	for (size_t i = 0; i < CP_ARRAY_LEN(fields); i++) {
		cp_buf_printf(&b, "%s: ", fields[i].key);
		put_value(&b, *field(one, i));
		cp_buf_char(&b, '\n');
	}
	ok =
	    write_text(r, cp_runs_path(r, one->id, "run.txt"), cp_buf_text(&b));
	cp_buf_free(&b);
	return ok;
}

bool
cp_runs_index(struct cp_runs *r)
{
	const char *folder = r->folder;
	struct cp_buf b;
	bool ok;

	cp_runs_free(r);
	if (!cp_runs_read(r, folder))
		return false;
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_buf_str(&b, "id");
	for (size_t k = 0; k < CP_ARRAY_LEN(fields); k++)
		cp_buf_printf(&b, "\t%s", fields[k].key);
	cp_buf_char(&b, '\n');
	for (size_t i = 0; i < r->all.len; i++) {
		cp_buf_str(&b, r->all.data[i].id);
		for (size_t k = 0; k < CP_ARRAY_LEN(fields); k++) {
			cp_buf_char(&b, '\t');
			put_value(&b, *field(&r->all.data[i], k));
		}
		cp_buf_char(&b, '\n');
	}
	ok = write_text(r, cp_runs_path(r, NULL, "index.tsv"), cp_buf_text(&b));
	cp_buf_free(&b);
	return ok;
}

bool
cp_runs_baseline(struct cp_runs *r, const char *id)
{
	char line[64];

	(void)snprintf(line, sizeof(line), "%s\n", id);
	return write_text(r, cp_runs_path(r, NULL, "baseline"), line);
}

const char *
cp_runs_scratch(struct cp_runs *r, const char *id)
{
	const char *path = cp_runs_path(r, id, ".new-XXXXXX");
	char *made = cp_arena_strndup(&r->arena, path, strlen(path));

	return mkdtemp(made) != NULL ? made + strlen(r->folder) + 1 : NULL;
}

bool
cp_runs_place(struct cp_runs *r, const char *scratch, const char *id,
    const char *const *file, size_t n)
{
	bool ok = true;

	for (size_t i = 0; i < n; i++) {
		const char *from = cp_runs_path(r, scratch, file[i]);

		if (rename(from, cp_runs_path(r, id, file[i])) == 0 ||
		    errno == ENOENT)
			continue;
		ok = false;
		(void)unlink(from);
	}
	(void)rmdir(cp_runs_path(r, scratch, ""));
	return ok;
}

bool
cp_runs_alike(const struct cp_run_kept *a, const struct cp_run_kept *b)
{
	return a == b ||
	       (a->commit[0] != '\0' && strstr(a->commit, "-dirty") == NULL &&
		   strcmp(a->commit, b->commit) == 0 &&
		   strcmp(a->command, b->command) == 0 &&
		   strcmp(a->exit, b->exit) == 0 &&
		   strcmp(a->labels, b->labels) == 0);
}

bool
cp_runs_copy(const char *from, const char *to)
{
	static uint8_t some[1 << 16];
	int in = open(from, O_RDONLY | O_CLOEXEC), out;
	bool ok = in >= 0;
	ssize_t n = 0;

	out = ok ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	while (out >= 0 && (n = read(in, some, sizeof(some))) > 0 && ok)
		ok = write(out, some, (size_t)n) == n;
	ok &= out >= 0 && n == 0;
	if (in >= 0)
		close(in);
	return out >= 0 && close(out) == 0 && ok;
}

/* What the command writes into a run, besides the capture; run.txt last. */
static const char *const files[] = { "report.txt", "report.json", "page.html",
	"stacks.folded", "flame.svg", "functions.csv", "diff.txt", "diff.md",
	"diff.junit.xml", "diff.json", "capture.tar.zst.perf.data",
	"run.txt.new", "run.txt" };

static void
remove_file(int run, const char *name)
{
	struct stat st;

	if (fstatat(run, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(st.st_mode))
		(void)unlinkat(run, name, 0);
}

bool
cp_runs_remove(struct cp_runs *r, const struct cp_run_kept *one)
{
	int folder = open(r->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	    run = folder >= 0 ? open_run(folder, one->id) : -1, error;
	bool ok = run >= 0;

	if (ok) {
		remove_file(run, one->capture);
		for (size_t i = 0; i < CP_ARRAY_LEN(files); i++)
			remove_file(run, files[i]);
		ok = unlinkat(folder, one->id, AT_REMOVEDIR) == 0;
	}
	error = errno;
	if (run >= 0)
		close(run);
	if (folder >= 0)
		close(folder);
	errno = error;
	return ok;
}
