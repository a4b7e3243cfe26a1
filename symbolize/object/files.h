/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/files.h: an object's ELF files, found and verified, for
 * unwinding, inlines, lines and code.
 *
 * A file is looked for on first use, in the order of list.def, and no further
 * than needed: the mapped file without its symbols, its debug file without its
 * supplement.  No symbol table is read.  NULL: no file, or none with the
 * recorded build ID.  Results live until cp_symbols_free() and do not change.
 * Any thread may call this at any time; each object has a lock.
 */
#ifndef CP_SYMBOLIZE_OBJECT_FILES_H
#define CP_SYMBOLIZE_OBJECT_FILES_H

#include "base/diag.h"
#include "model/dso.h"
#include "symbolize/elf/elf-file.h"

struct cp_symbols;

/* The mapped file: code, .eh_frame, load segments. */
const struct cp_elf *cp_symbols_runtime(
    struct cp_symbols *, const struct cp_dso_info *);
/*
 * The file with .debug_info, or else .debug_frame or .debug_line: the mapped
 * file or a separate one.
 */
const struct cp_elf *cp_symbols_debug(
    struct cp_symbols *, const struct cp_dso_info *);
/* Does the same, and fetches the file if allowed and if no other has tables. */
const struct cp_elf *cp_symbols_tables(
    struct cp_symbols *, const struct cp_dso_info *);
/*
 * The file whose segments tell which bytes were mapped: the mapped file, or a
 * debug file, which has no bytes.
 */
const struct cp_elf *cp_symbols_layout(
    struct cp_symbols *, const struct cp_dso_info *);
/* The runtime tables of a Go program. */
struct cp_gotab;
const struct cp_gotab *cp_symbols_gotab(
    struct cp_symbols *, const struct cp_dso_info *);
/*
 * The path of a returned file, for messages: on disk its path, else bundle and
 * member.
 */
const char *cp_symbols_path_of(
    struct cp_symbols *, const struct cp_dso_info *, const struct cp_elf *);

/*
 * Finds all files of the object, each once, at most max.  Asks every place.
 * For bundles.
 */
struct cp_found {
	const struct cp_elf *elf;
	const char *path;
	bool runtime, symbols, debug, alt;
	/* without an ELF file: all its code has names, lines */
	bool names, lines;
	enum cp_trust trust;
};
size_t cp_symbols_found(struct cp_symbols *, const struct cp_dso_info *,
    struct cp_found *out, size_t max);
/*
 * Converts cp_frame.addr to the address in symbols and debug information.
 * False if the available files do not tell.  In relocatable files (modules) it
 * counts from the start of .text.
 */
bool cp_symbols_vaddr(struct cp_symbols *, const struct cp_dso_info *,
    uint64_t addr, uint64_t *vaddr);

/*
 * Files that were looked for and not found: code, symbols, debug information.
 */
struct cp_lacks {
	bool code, symbols, debug;
};
struct cp_lacks cp_symbols_lack(
    struct cp_symbols *, const struct cp_dso_info *);

/* The result of the search for an object; for `info` and `quality`. */
struct cp_object_state {
	const char *symbolizer; /* NULL: none had the object */
	const char *path;       /* of the file used, or NULL */
	const char *path_below; /* a parent's perf map, used as well, or NULL */
	enum cp_source source;
	enum cp_trust trust;
	const char *why; /* reason of the trust, or of the mismatch, or NULL */
	bool mismatch;   /* a file of another build was found, not used */
	bool damaged;  /* a file was found that is no ELF file, or truncated */
	bool code;     /* the mapped file was found */
	bool stripped; /* it lacks symbols that were asked for */
};
/* The path of the mapped file, if a snapshot tells that it was found. */
const char *cp_symbols_recorded_code(
    struct cp_symbols *, const struct cp_dso_info *);
struct cp_object_state cp_symbols_state(
    struct cp_symbols *, const struct cp_dso_info *);
/*
 * The number of symbols in the file used.  To count those of a kernel, all of
 * its text is parsed.
 */
size_t cp_symbols_count(struct cp_symbols *, const struct cp_dso_info *);

#endif
