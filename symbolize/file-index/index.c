/* SPDX-License-Identifier: MIT */
#include "symbolize/file-index/index.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strings.h"

void
cp_symindex_init(struct cp_symindex *x, struct cp_diags *diags)
{
	*x = (struct cp_symindex){ .diags = diags };
	pthread_mutex_init(&x->lock, NULL);
}

void
cp_symindex_add(struct cp_symindex *x, const char *path, bool given)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		if (given)
			cp_diag(x->diags, CP_D_NO_SYMBOLS, "%s: %s", path,
			    strerror(errno));
		return;
	}
	*cp_vec_push(&x->places) =
	    (struct cp_place){ cp_arena_strndup(&x->arena, path, strlen(path)),
		    given };
}

void
cp_symindex_free(struct cp_symindex *x)
{
	for (size_t i = 0; i < x->bundles.len; i++)
		cp_spool_close(&x->bundles.data[i]);
	cp_vec_free(&x->places);
	cp_vec_free(&x->bundles);
	cp_vec_free(&x->files);
	cp_vec_free(&x->roots);
	cp_vec_free(&x->todo);
	cp_map64_free(&x->by_id);
	cp_map64_free(&x->by_name);
	cp_map64_free(&x->visited);
	pthread_mutex_destroy(&x->lock);
	cp_arena_free(&x->arena);
}

void
cp_symindex_push(struct cp_symindex *x, const struct cp_indexed *f)
{
	*cp_vec_push(&x->files) = *f;
}

/* The key ignores trailing zeros, as padded IDs compare equal. */
uint64_t
cp_symindex_id_key(const uint8_t *id, size_t size)
{
	while (size > 0 && id[size - 1] == 0)
		size--;
	return cp_hash_bytes(id, size);
}

uint64_t
cp_symindex_name_key(const char *path)
{
	const char *name = cp_basename(path);

	return cp_hash_bytes(name, strlen(name));
}
