/* SPDX-License-Identifier: MIT */
/*
 * Symbols in the capture itself: BPF programs, simpleperf's symbols.
 */
#include "symbolize/symbolizers/symbolizers.h"

#include "base/elf.h"
#include "base/limits.h"

bool
cp_object_load_captured(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso_info *d = o->dso;

	for (size_t i = 0; i < CP_MIN(d->symbols.len, CP_MAX_SYMBOLS); i++) {
		const struct cp_capture_symbol *c = &d->symbols.data[i];

		*cp_symtab_push(&o->tab) = (struct cp_entry){
			.start = c->start,
			.end = CP_MAX(c->start, c->end),
			.name = cp_strings_get(s->strings, c->name),
			.bind = STB_GLOBAL,
			.type = STT_FUNC,
		};
	}
	cp_symtab_settle(&o->tab, CP_SETTLE_ELF);
	o->trust = CP_TRUST_VERIFIED;
	return o->tab.all.len != 0;
}

const struct cp_symbolizer cp_symbolizer_capture = {
	.name = "capture",
	.source = CP_SOURCE_CAPTURE,
	.open = cp_object_load_captured,
};
