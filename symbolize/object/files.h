/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/files.h: the ELF files of an object, found and verified, for
 * all who need more of them than names: unwinding, inlines, lines, code.
 *
 * A file is looked for when it is first asked for, in the order of list.def
 * and no further than needed: the mapped file without its symbols, its debug
 * file without its supplement.  No symbol table is read for it.  NULL: there
 * is none, or none whose build ID is the recorded one.
 *
 * What is returned lives until cp_symbols_free() and does not change.  Any
 * thread may ask for any object at any time; objects have a lock each.
 */
#ifndef CP_SYMBOLIZE_OBJECT_FILES_H
#define CP_SYMBOLIZE_OBJECT_FILES_H

#include "base/diag.h"
#include "model/dso.h"
#include "symbolize/elf/elf-file.h"

struct cp_symbols;

/* The file that was mapped: code, .eh_frame, load segments. */
const struct cp_elf *cp_symbols_runtime(
    struct cp_symbols *, const struct cp_dso_info *);
/*
 * The file with .debug_info, or else .debug_frame or .debug_line; the mapped
 * file itself or a separate one.
 */
const struct cp_elf *cp_symbols_debug(
    struct cp_symbols *, const struct cp_dso_info *);
/* The same, fetched if that is allowed, for tables that are nowhere else. */
const struct cp_elf *cp_symbols_tables(
    struct cp_symbols *, const struct cp_dso_info *);
/*
 * What tells where the mapped file's bytes were mapped: that file, or a debug
 * file, which has none of them.
 */
const struct cp_elf *cp_symbols_layout(
    struct cp_symbols *, const struct cp_dso_info *);
/* What dwz moved out of the debug file: .gnu_debugaltlink. */
const struct cp_elf *cp_symbols_alt(
    struct cp_symbols *, const struct cp_dso_info *);
/* What the mapped file of a Go program keeps of its functions. */
struct cp_gotab;
const struct cp_gotab *cp_symbols_gotab(
    struct cp_symbols *, const struct cp_dso_info *);
/*
 * The path that the user is told for a file that was returned; of a file on
 * disk it is its path, else that of the bundle and the member.
 */
const char *cp_symbols_path_of(
    struct cp_symbols *, const struct cp_dso_info *, const struct cp_elf *);

/*
 * All files of the object, each once: at most max of them, which it asks every
 * place for.  For bundles.
 */
struct cp_found {
	const struct cp_elf *elf;
	const char *path;
	bool runtime, symbols, debug, alt;
	bool names, lines; /* of all its code, without the above */
	enum cp_trust trust;
};
size_t cp_symbols_found(struct cp_symbols *, const struct cp_dso_info *,
    struct cp_found *out, size_t max);
/*
 * From cp_frame.addr to the address that symbols and debug information of the
 * object use.  False if the files at hand do not say it.  In relocatable files
 * (modules) it counts from the start of .text.
 */
bool cp_symbols_vaddr(struct cp_symbols *, const struct cp_dso_info *,
    uint64_t addr, uint64_t *vaddr);

/*
 * What was looked for and is not there, of a file with code, symbols, debug
 * information.
 */
struct cp_lacks {
	bool code, symbols, debug;
};
struct cp_lacks cp_symbols_lack(
    struct cp_symbols *, const struct cp_dso_info *);

/* What the symbolizers found for an object; for `info` and `quality`. */
struct cp_object_state {
	const char *symbolizer; /* NULL: none accepted */
	const char *path;       /* of the file used, or NULL */
	enum cp_source source;
	enum cp_trust trust;
	size_t symbols;
	bool mismatch; /* a file of another build was found, not used */
	bool damaged;  /* a file was found that is no object, or cut */
};
struct cp_object_state cp_symbols_state(
    struct cp_symbols *, const struct cp_dso_info *);

#endif
