/* SPDX-License-Identifier: MIT */
#include "symbolize/object/jit-files.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/strings.h"
#include "symbolize/object/object.h"

static const char *
join(struct cp_arena *a, const char *dir, const char *sub, const char *name)
{
	size_t n = strlen(dir) + strlen(sub) + strlen(name) + 3;
	char *p = cp_arena_alloc(a, n);

	snprintf(p, n, "%s/%s%s%s", dir, sub, sub[0] != '\0' ? "/" : "", name);
	return p;
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The folders to search: the capture's, and those of --symbols. */
static void
folders(const struct cp_symbolize_options *o, struct cp_arena *a, cp_paths *out)
{
	if (o->beside != NULL)
		*cp_vec_push(out) = o->beside;
	for (size_t i = 0; i < o->n_paths; i++) {
		if (!is_folder(o->paths[i]))
			continue;
		*cp_vec_push(out) = o->paths[i];
		*cp_vec_push(out) = join(a, o->paths[i], "", "tmp");
	}
}

void
cp_jitfiles_named(const struct cp_symbolize_options *o, const char *name,
    struct cp_arena *a, cp_paths *out)
{
	cp_paths dirs = { 0 };

	for (size_t i = 0; i < o->n_paths; i++)
		if (strcmp(cp_basename(o->paths[i]), name) == 0)
			*cp_vec_push(out) = o->paths[i];
	folders(o, a, &dirs);
	for (size_t i = 0; i < dirs.len; i++)
		*cp_vec_push(out) = join(a, dirs.data[i], "", name);
	cp_vec_free(&dirs);
}

static bool
is_map_name(const char *name)
{
	const char *s = name + strlen("perf-");

	if (strncmp(name, "perf-", strlen("perf-")) != 0)
		return false;
	return s[strspn(s, "0123456789")] == '.' && *s != '.' &&
	       strcmp(s + strspn(s, "0123456789"), ".map") == 0;
}

static int
map_filter(const struct dirent *d)
{
	return is_map_name(d->d_name);
}

static void
maps_in(const char *dir, struct cp_arena *a, cp_paths *out)
{
	struct dirent **names = NULL;
	int n = scandir(dir, &names, map_filter, alphasort);

	for (int i = 0; i < n; i++) {
		if (out->len < CP_MAX_JIT_FILES)
			*cp_vec_push(out) = join(a, dir, "", names[i]->d_name);
		free(names[i]);
	}
	free(names);
}

static void
given_maps(const struct cp_symbolize_options *o, cp_paths *out)
{
	for (size_t i = 0; i < o->n_paths; i++)
		if (is_map_name(cp_basename(o->paths[i])))
			*cp_vec_push(out) = o->paths[i];
}

static void
folder_maps(
    const struct cp_symbolize_options *o, struct cp_arena *a, cp_paths *out)
{
	cp_paths dirs = { 0 };

	folders(o, a, &dirs);
	for (size_t i = 0; i < dirs.len; i++)
		maps_in(dirs.data[i], a, out);
	cp_vec_free(&dirs);
}

static void
list(struct cp_symbols *s, struct cp_jit_maps *m)
{
	cp_paths paths = { 0 };
	size_t given;

	given_maps(&s->opt, &paths);
	given = paths.len;
	folder_maps(&s->opt, &m->arena, &paths);
	cp_text_file_perf_maps(s, NULL, &paths);
	for (size_t i = 0; i < paths.len; i++)
		*cp_vec_push(&m->all) = (struct cp_jit_map){
			.path = paths.data[i],
			.given = i < given,
		};
	cp_vec_free(&paths);
	m->listed = true;
}

size_t
cp_jitfiles_maps(struct cp_symbols *s)
{
	size_t n;

	pthread_mutex_lock(&s->lock);
	if (!s->jit_maps.listed)
		list(s, &s->jit_maps);
	n = s->jit_maps.all.len;
	pthread_mutex_unlock(&s->lock);
	return n;
}

struct cp_jit_map
cp_jitfiles_map(struct cp_symbols *s, size_t i)
{
	struct cp_jit_map m;

	pthread_mutex_lock(&s->lock);
	m = s->jit_maps.all.data[i];
	pthread_mutex_unlock(&s->lock);
	return m;
}

void
cp_jitfiles_learn(struct cp_symbols *s, size_t i, uint64_t low, uint64_t high)
{
	struct cp_jit_map *m;

	pthread_mutex_lock(&s->lock);
	m = &s->jit_maps.all.data[i];
	m->known = true;
	m->low = low;
	m->high = high;
	pthread_mutex_unlock(&s->lock);
}

void
cp_jitfiles_free(struct cp_symbols *s)
{
	cp_vec_free(&s->jit_maps.all);
	cp_arena_free(&s->jit_maps.arena);
}

/* The pid in the innermost namespace of the process; 0: not known. */
static uint32_t
innermost_pid(uint32_t pid)
{
	char path[64], line[256];
	uint32_t found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/status", pid);
	f = fopen(path, "re");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		const char *last = strrchr(line, '\t');

		if (strncmp(line, "NSpid:", 6) == 0 && last != NULL)
			found = (uint32_t)strtoul(last, NULL, 10);
	}
	if (f != NULL)
		(void)fclose(f);
	return found;
}

const char *
cp_jitfiles_container(uint32_t pid, struct cp_arena *a)
{
	struct stat ours, theirs;
	char path[96];
	uint32_t inside;
	int n = snprintf(path, sizeof(path), "/proc/%" PRIu32 "/root/tmp", pid);

	if (stat("/tmp", &ours) != 0 || stat(path, &theirs) != 0 ||
	    (ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino))
		return NULL;
	inside = innermost_pid(pid);
	if (inside == 0)
		return NULL;
	n += snprintf(path + n, sizeof(path) - (size_t)n,
	    "/perf-%" PRIu32 ".map", inside);
	return cp_arena_strndup(a, path, (size_t)n);
}
