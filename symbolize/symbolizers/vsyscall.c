/* SPDX-License-Identifier: MIT */
/*
 * The vsyscall page of x86-64: a legacy page with three entries at fixed
 * addresses, and in no file.
 */

#include "symbolize/symbolizers/symbolizers.h"
#include "base/elf.h"

static bool
vsyscall_open(struct cp_symbols *s, struct cp_object *o)
{
	static const char *const names[] = { "vsyscall gettimeofday",
		"vsyscall time", "vsyscall getcpu" };
	const uint64_t apart = 1024;

	if (strcmp(cp_object_name(s, o), "[vsyscall]") != 0)
		return false;
	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++)
		*cp_symtab_push(&o->tab) = (struct cp_entry){
			.start = i * apart,
			.end = (i + 1) * apart,
			.name = names[i],
			.bind = STB_GLOBAL,
			.type = STT_FUNC,
		};
	cp_symtab_settle(&o->tab, CP_SETTLE_ELF);
	o->trust = CP_TRUST_VERIFIED;
	return true;
}

const struct cp_symbolizer cp_symbolizer_vsyscall = {
	.name = "vsyscall",
	.source = CP_SOURCE_CAPTURE,
	.open = vsyscall_open,
};
