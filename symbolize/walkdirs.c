/* SPDX-License-Identifier: MIT */
/*
 * The walk keeps its own stack, sorts each folder's names (the order of a
 * directory is not the same everywhere) and never follows a link.
 */
#include "symbolize/walkdirs.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "symbolize/elf.h"

struct walk {
	struct cp_symdirs *dirs;
	struct cp_diags *diags;
	CP_VEC(struct todo {
		const char *path;
		unsigned depth;
	})
	todo;
};

/* "ffffffff81000000 T _text", as kallsyms begins. */
static bool
looks_like_kallsyms(int fd)
{
	char b[32] = { 0 };
	ssize_t n = pread(fd, b, sizeof(b) - 1, 0);
	size_t hex = strspn(b, "0123456789abcdefABCDEF");

	return n > 12 && hex >= 8 && hex <= 16 && b[hex] == ' ' &&
	       b[hex + 2] == ' ';
}

/* Caches keep a kernel's symbols as .../<build ID>/kallsyms. */
static uint8_t
id_of_folder(const char *path, uint8_t id[20])
{
	const char *end = strrchr(path, '/'), *s = end;
	unsigned byte;
	uint8_t n = 0;

	while (s != NULL && s > path && s[-1] != '/')
		s--;
	if (s == NULL || (end - s) % 2 != 0 || end - s > 40)
		return 0;
	for (; s < end; s += 2)
		if (sscanf(s, "%2x", &byte) != 1)
			return 0;
		else
			id[n++] = (uint8_t)byte;
	return n;
}

static void
add_file(struct walk *w, const char *path, bool given)
{
	struct cp_symdir_file f = { .path = path, .given = given };
	const char *slash = strrchr(path, '/');
	int fd = cp_objfile_open(path);
	struct cp_elf elf;

	if (fd < 0)
		return;
	if ((given ||
		strcmp(slash != NULL ? slash + 1 : path, "kallsyms") == 0) &&
	    looks_like_kallsyms(fd)) {
		f.build_id_size = id_of_folder(path, f.build_id);
		*cp_vec_push(&w->dirs->files) = f;
		close(fd);
	} else if (cp_elf_open(&elf, fd)) {
		f.elf = true;
		f.build_id_size = elf.build_id_size;
		memcpy(f.build_id, elf.build_id, sizeof(f.build_id));
		f.symbols = cp_elf_section_of_type(&elf, SHT_SYMTAB) != NULL;
		*cp_vec_push(&w->dirs->files) = f;
		cp_elf_free(&elf);
	}
}

static void
add_path(struct walk *w, const char *path, unsigned depth)
{
	struct stat st;

	if (w->dirs->files.len + w->todo.len >= CP_MAX_SYMBOL_FILES) {
		cp_diag(w->diags, CP_D_LIMIT, "CP_MAX_SYMBOL_FILES: %s", path);
		return;
	}
	if (lstat(path, &st) != 0)
		return;
	if (S_ISREG(st.st_mode))
		add_file(w, path, false);
	else if (S_ISDIR(st.st_mode) && depth < CP_MAX_SYMBOL_DEPTH)
		*cp_vec_push(&w->todo) = (struct todo){ path, depth };
}

static void
read_folder(struct walk *w, const char *path, unsigned depth)
{
	struct dirent **names = NULL;
	int n = scandir(path, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;
		size_t size = strlen(path) + strlen(name) + 2;

		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
			char *sub = cp_arena_alloc(&w->dirs->arena, size);

			snprintf(sub, size, "%s/%s", path, name);
			add_path(w, sub, depth + 1);
		}
		free(names[i]);
	}
	free(names);
}

static void
scan_one(struct walk *w, const char *given)
{
	char *path = cp_arena_strndup(&w->dirs->arena, given, strlen(given));
	struct stat st;

	/* The user's own word: a link here is followed. */
	if (stat(path, &st) != 0) {
		cp_diag(w->diags, CP_D_NO_OBJECT, "--symbols %s", path);
		return;
	}
	if (!S_ISDIR(st.st_mode)) {
		add_file(w, path, true);
		return;
	}
	*cp_vec_push(&w->dirs->roots) = path;
	*cp_vec_push(&w->todo) = (struct todo){ path, 0 };
	while (w->todo.len > 0) {
		struct todo t = w->todo.data[--w->todo.len];

		read_folder(w, t.path, t.depth);
	}
}

void
cp_symdirs_scan(struct cp_symdirs *d, const char *const *paths, size_t n,
    struct cp_diags *diags)
{
	struct walk w = { .dirs = d, .diags = diags };

	for (size_t i = 0; i < n; i++)
		scan_one(&w, paths[i]);
	cp_vec_free(&w.todo);
	d->scanned = true;
}

void
cp_symdirs_free(struct cp_symdirs *d)
{
	cp_vec_free(&d->files);
	cp_vec_free(&d->roots);
	cp_arena_free(&d->arena);
}
