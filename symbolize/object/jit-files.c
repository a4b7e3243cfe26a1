/* SPDX-License-Identifier: MIT */
#include "symbolize/object/jit-files.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/strings.h"

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

void
cp_jitfiles_maps(
    const struct cp_symbolize_options *o, struct cp_arena *a, cp_paths *out)
{
	cp_paths dirs = { 0 };

	for (size_t i = 0; i < o->n_paths; i++)
		if (is_map_name(cp_basename(o->paths[i])))
			*cp_vec_push(out) = o->paths[i];
	folders(o, a, &dirs);
	for (size_t i = 0; i < dirs.len; i++)
		maps_in(dirs.data[i], a, out);
	cp_vec_free(&dirs);
}
