/* SPDX-License-Identifier: MIT */
/*
 * Folders that a program was compiled in: DW_AT_comp_dir of each unit, and the
 * folder that contains both this one and the unit's source file, because a
 * build folder may be next to the sources.
 */
#include "base/buf.h"
#include "symbolize/dwarf/internal.h"

#define MAX_PATH 4096

/* Adds the names of a path; "." and ".." are resolved as text. */
static void
add_names(struct cp_buf *b, const char *path)
{
	while (*path != '\0') {
		size_t n = strcspn(path, "/");

		if (n == 2 && path[0] == '.' && path[1] == '.') {
			/* Takes the last name off. */
			while (b->len > 0 && b->data[b->len - 1] != '/')
				b->len--;
			b->len -= b->len > 0;
		} else if (n != 0 && !(n == 1 && path[0] == '.')) {
			cp_buf_char(b, '/');
			cp_buf_add(b, path, n);
		}
		path += n + (path[n] == '/');
	}
}

/* The length of the folders that both begin with. */
static size_t
common(const struct cp_buf *a, const struct cp_buf *b)
{
	size_t n = 0, last = 0;

	while (n < a->len && n < b->len && a->data[n] == b->data[n]) {
		if (a->data[n] == '/')
			last = n;
		n++;
	}
	return n == a->len && n < b->len && b->data[n] == '/' ? n : last;
}

/*
 * True for a path of at least two names: the first folder is shared by all
 * programs.
 */
static bool
is_deep(const char *path, size_t n)
{
	size_t names = 0;

	for (size_t i = 0; i < n; i++)
		names += path[i] == '/';
	return names > 1;
}

void
dw_remember_root(struct cp_dwarf *d, const struct dw_unit *u)
{
	struct cp_buf dir, name;
	size_t n;

	if (u->dir == NULL || u->dir[0] != '/')
		return;
	cp_buf_init(&dir, MAX_PATH);
	cp_buf_init(&name, MAX_PATH);
	add_names(&dir, u->dir);
	if (u->name != NULL && u->name[0] != '/')
		add_names(&name, u->dir);
	if (u->name != NULL)
		add_names(&name, u->name);
	if (!dir.full && !name.full && dir.len != 0) {
		cp_strings_addn(&d->roots, dir.data, dir.len);
		n = common(&dir, &name);
		if (is_deep(dir.data, n))
			cp_strings_addn(&d->roots, dir.data, n);
	}
	cp_buf_free(&name);
	cp_buf_free(&dir);
}
