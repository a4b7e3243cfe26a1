/* SPDX-License-Identifier: MIT */
/*
 * The running kernel's symbols.  They are used only if the capture is of this
 * kernel and of this boot.
 */
#include "symbolize/symbolizers/kernel.h"

#include "base/limits.h"
#include "symbolize/kernel/running-kernel.h"
#include "symbolize/object/kernel-symbols.h"
#include "symbolize/object/text-files.h"
#include "symbolize/symbolizers/symbolizers.h"

static bool
kernel_open(struct cp_symbols *s, struct cp_object *o)
{
	enum cp_trust trust = cp_object_runs_here(s, cp_object_kernel(s, o));

	if (trust == CP_TRUST_NONE ||
	    !cp_object_load_kallsyms(o, s, CP_RUNNING_KALLSYMS, NULL))
		return false;
	o->trust = trust;
	o->why = trust == CP_TRUST_VERIFIED
		     ? "build ID"
		     : "no build ID; its code lies where it ran";
	return true;
}

const struct cp_symbolizer cp_symbolizer_kernel = {
	.name = "kernel",
	.source = CP_SOURCE_KALLSYMS,
	.open = kernel_open,
};

/* Reads the text again: the loaded one was cut into names. */
static bool
read_again(struct cp_symbols *s, const char *path, struct cp_content *out)
{
	if (strcmp(path, CP_RUNNING_KALLSYMS) == 0)
		return cp_object_read_kallsyms(s, path, NULL, out);
	return cp_text_file_read(s, path, CP_MAX_KALLSYMS, out);
}

bool
cp_symbols_kallsyms(
    struct cp_symbols *s, const struct cp_dso_info *d, struct cp_content *out)
{
	static const struct cp_symbolizer *const places[] = {
		&cp_symbolizer_buildid_cache, &cp_symbolizer_symbol_path,
		&cp_symbolizer_kernel
	};
	struct cp_object *o = cp_object_new(s, d);
	bool found = false;

	for (size_t i = 0; i < CP_ARRAY_LEN(places) && !found; i++)
		found = places[i]->open(s, o) && read_again(s, o->path, out);
	cp_object_free(o);
	return found;
}
