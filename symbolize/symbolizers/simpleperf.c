/* SPDX-License-Identifier: MIT */
/*
 * Names that simpleperf wrote into the capture: of functions that were hit.
 *
 * It took them from the files that ran, on the device, so there is no build ID
 * to compare.  A complete file that is found comes first.  Rules of addresses
 * are those of its IpToVaddrInFile().
 */

#include "base/limits.h"
#include "base/elf.h"
#include "model/info.h"
#include "symbolize/symbolizers/symbolizers.h"

static const struct cp_sp_file *
file_of(const struct cp_symbols *s, const struct cp_object *o)
{
	const struct cp_info *in = s->opt.info;
	const char *name = cp_object_name(s, o);

	for (size_t i = 0; in != NULL && i < in->sp_files.len; i++)
		if (strcmp(in->sp_files.data[i].path, name) == 0 &&
		    in->sp_files.data[i].symbols.len != 0)
			return &in->sp_files.data[i];
	return NULL;
}

/* What to add to its addresses to have those of frames. */
static uint64_t
delta(const struct cp_object *o, const struct cp_sp_file *f)
{
	if (f->type != CP_SP_ELF && f->type != CP_SP_MODULE)
		return 0; /* offsets in the file, or run-time addresses */
	if (f->has_offset)
		return f->offset_of_min_vaddr - f->min_vaddr;
	return o->dso->map_offset - f->min_vaddr;
}

/* Places without a symbol have made-up names: "unknown", "libc.so[+1f0]". */
static bool
is_made_up(const struct cp_sp_symbol *s)
{
	return s->name[0] == '\0' || s->len == UINT32_MAX ||
	       strcmp(s->name, "unknown") == 0 ||
	       (s->len <= 1 && strstr(s->name, "[+") != NULL);
}

static bool
simpleperf_open(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_sp_file *f = file_of(s, o);
	uint64_t add;

	if (f == NULL)
		return false;
	add = delta(o, f);
	for (size_t i = 0; i < CP_MIN(f->symbols.len, CP_MAX_SYMBOLS); i++) {
		const struct cp_sp_symbol *y = &f->symbols.data[i];
		uint64_t start = y->vaddr + add;
		uint64_t end = start + CP_MAX(y->len, 1u);

		if (is_made_up(y) || end < start)
			continue;
		*cp_symtab_push(&o->tab) = (struct cp_entry){ .start = start,
			.end = end,
			.name = y->name,
			.bind = STB_GLOBAL,
			.type = STT_FUNC };
	}
	cp_symtab_settle(&o->tab, CP_SETTLE_ELF);
	o->trust = CP_TRUST_RECORDED;
	return o->tab.all.len != 0;
}

const struct cp_symbolizer cp_symbolizer_simpleperf = {
	.name = "simpleperf",
	.source = CP_SOURCE_SIMPLEPERF,
	.open = simpleperf_open,
};
