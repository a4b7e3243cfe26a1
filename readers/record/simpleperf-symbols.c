/* SPDX-License-Identifier: MIT */
/*
 * simpleperf-symbols: the records DSO and SYMBOL (--dump-symbols).  simpleperf
 * wrote names this way before it had the feature FILE.
 */
#include "base/limits.h"
#include "readers/record/stream-state.h"

/* Finds or makes the file: a symbol may come before its object. */
static struct cp_sp_file *
file_of(struct cp_info *in, uint64_t id)
{
	uint32_t at = cp_map64_get(&in->sp_by_id, id);

	if (at != 0)
		return &in->sp_files.data[at - 1];
	if (in->sp_files.len >= CP_MAX_DSOS)
		return NULL;
	*cp_vec_push(&in->sp_files) =
	    (struct cp_sp_file){ .path = "", .type = CP_SP_UNKNOWN };
	*cp_map64_put(&in->sp_by_id, id) = (uint32_t)in->sp_files.len;
	return &in->sp_files.data[in->sp_files.len - 1];
}

/* Does only a padded path follow?  The oldest version has no lowest address. */
static bool
names_fill(struct cp_bytes b)
{
	const char *path = cp_bytes_str(&b);

	return path != NULL && path[0] != '\0' && cp_bytes_left(&b) < 8;
}

void
cp_stream_sp_dso(struct cp_stream *s, struct cp_bytes b)
{
	struct cp_info *in = &s->rec->info;
	uint64_t type = cp_bytes_u64(&b), id = cp_bytes_u64(&b);
	uint64_t min_vaddr = names_fill(b) ? 0 : cp_bytes_u64(&b);
	const char *path = cp_bytes_str(&b);
	struct cp_sp_file *f = path != NULL ? file_of(in, id) : NULL;

	if (f == NULL)
		return;
	f->path = cp_info_text(in, path, strlen(path));
	f->type = (uint32_t)CP_MIN(type, (uint64_t)CP_SP_UNKNOWN);
	f->min_vaddr = min_vaddr;
}

void
cp_stream_sp_symbol(struct cp_stream *s, struct cp_bytes b)
{
	struct cp_info *in = &s->rec->info;
	uint64_t addr = cp_bytes_u64(&b), len = cp_bytes_u64(&b);
	uint64_t id = cp_bytes_u64(&b);
	const char *name = cp_bytes_str(&b);
	struct cp_sp_file *f;

	if (name == NULL || len > UINT32_MAX)
		/* simpleperf knows no symbols of an object of number ~0 */
		return;
	if (in->n_sp_symbols >= CP_MAX_SP_SYMBOLS) {
		cp_diag(s->diags, CP_D_LIMIT, "over %u symbols of simpleperf",
		    CP_MAX_SP_SYMBOLS);
		return;
	}
	f = file_of(in, id);
	if (f == NULL)
		return;
	in->n_sp_symbols++;
	*cp_vec_push(&f->symbols) = (struct cp_sp_symbol){ .vaddr = addr,
		.len = (uint32_t)len,
		.name = cp_info_text(in, name, strlen(name)) };
}
