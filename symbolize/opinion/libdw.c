/* SPDX-License-Identifier: MIT */
#include "symbolize/opinion/libdw.h"

#include <pthread.h>

#include "base/library.h"

static struct cp_libdw calls;
static bool usable;

static void
load(void)
{
#define X(call) CP_LIBRARY_CALL(call, cp_libdw, call),
	static const struct cp_library_call list[] = { CP_LIBDW_CALLS(X) };
#undef X

	usable =
	    cp_library_load("libdw.so.1", list, CP_ARRAY_LEN(list), &calls);
}

const struct cp_libdw *
cp_libdw(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return usable ? &calls : NULL;
}

/* The file of a module is its data. */
static int
give_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
    char **path, Elf **elf)
{
	*elf = calls.elf_begin(-1, ELF_C_READ, *data); /* one more reference */
	return -1;
}

/* No other file is looked for: the names are those of this one. */
static int
give_no_debug(Dwfl_Module *module, void **data, const char *name,
    Dwarf_Addr base, const char *file, const char *link, GElf_Word crc,
    char **found)
{
	return -1;
}

const Dwfl_Callbacks cp_libdw_callbacks = { .find_elf = give_elf,
	.find_debuginfo = give_no_debug };

Dwfl_Module *
cp_libdw_report(
    Dwfl *dwfl, Elf *elf, const char *name, uint64_t start, uint64_t end)
{
	Dwfl_Module *m = calls.dwfl_report_module(dwfl, name, start, end);
	void **data;

	if (m == NULL)
		return NULL;
	calls.dwfl_module_info(m, &data, NULL, NULL, NULL, NULL, NULL, NULL);
	*data = elf;
	return m;
}
