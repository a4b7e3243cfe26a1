/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolize.h: (object, address) -> name, through a chain of
 * symbolizers.
 *
 * For each object the symbolizers of list.def are asked in order; the first
 * that accepts it answers for all its addresses.  A file is used only if its
 * build ID equals the recorded one, or if one of the two has none, and then
 * the names are marked CP_TRUST_ABSENT.  Results are the same whatever the
 * number of workers.
 *
 * This is the face of symbolize/: it may use all rooms, and none includes it.
 * An address's way to its name: symbolize.c takes the requests, object/ask.c
 * asks symbolizers/ for files and names, object/elf-symbols.c fills the table
 * of symtab/, demangle/ makes the name readable.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZE_H
#define CP_SYMBOLIZE_SYMBOLIZE_H

#include "base/diag.h"
#include "base/mem.h"
#include "model/dso.h"
#include "symbolize/code/source-text.h"
#include "symbolize/inlines/inlines.h"
#include "symbolize/object/files.h"
#include "symbolize/object/options.h"
#include "symbolize/symbolizers/kernel.h"
#include "symbolize/symbolizers/perf-script.h"

struct cp_symbols *cp_symbols_new(const struct cp_symbolize_options *,
    const struct cp_strings *, struct cp_diags *);
void cp_symbols_free(struct cp_symbols *);

/*
 * Remembers the first kernel, and that of each virtual machine: they name the
 * modules.  Requests do this for their own objects.
 */
void cp_symbols_meet(struct cp_symbols *, const struct cp_dso_info *);

/*
 * Names n ascending addresses of one object; out[i] is NULL without a name.
 * For one thread at a time.
 */
void cp_symbols_names(struct cp_symbols *, const struct cp_dso_info *,
    const uint64_t *addr, size_t n, const struct cp_symbol **out);

/* One request in a batch over many objects. */
struct cp_names {
	const struct cp_dso_info *dso;
	const uint64_t *addr; /* ascending */
	size_t n;
	const struct cp_symbol **out;
};
void cp_symbols_batch(struct cp_symbols *, struct cp_names *, size_t n);
/* Makes the symbol of frames that stand for no code of any object. */
const struct cp_symbol *cp_symbols_word(struct cp_symbols *, const char *name);

#endif
