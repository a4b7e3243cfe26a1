/* SPDX-License-Identifier: MIT */
#include "symbolize/file-index/index.h"

/* Backwards, so that the first file heads its list. */
static void
link_files(struct cp_symindex *x)
{
	for (size_t i = x->files.len; i-- > 0;) {
		struct cp_indexed *f = &x->files.data[i];
		uint32_t *first;

		if (f->build_id_size != 0)
			first = cp_map64_put(&x->by_id,
			    cp_symindex_id_key(f->build_id, f->build_id_size));
		else if (cp_indexed_is_elf(f))
			first = cp_map64_put(
			    &x->by_name, cp_symindex_name_key(f->name));
		else
			continue;
		f->next = *first;
		*first = (uint32_t)i + 1;
	}
}

void
cp_symindex_ready(struct cp_symindex *x)
{
	pthread_mutex_lock(&x->lock);
	if (!x->ready) {
		for (size_t i = 0; i < x->places.len; i++)
			cp_folder_look(x, &x->places.data[i]);
		link_files(x);
		cp_map64_free(&x->visited);
		x->ready = true;
	}
	pthread_mutex_unlock(&x->lock);
}
