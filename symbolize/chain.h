/* SPDX-License-Identifier: MIT */
/*
 * symbolize/chain.h: what the symbolizers of list.def are and share.
 *
 * A symbolizer finds a file (or other source) for one object and fills its
 * symbol table.  It is called by workers: it writes to its object only, and
 * takes the lock for what is shared.  What it has to say goes to the object's
 * notes, which become diagnostics in the order of the requests.
 */
#ifndef CP_SYMBOLIZE_CHAIN_H
#define CP_SYMBOLIZE_CHAIN_H

#include <pthread.h>

#include "symbolize/elf.h"
#include "symbolize/kallsyms.h"
#include "symbolize/symbolize.h"
#include "symbolize/walkdirs.h"
#include "symbolize/symtab.h"

struct cp_note {
	enum cp_diag_id id;
	char text[160];
};

/* One object, opened. */
struct cp_object {
	const struct cp_dso_info *dso;
	bool tried;
	bool mismatch; /* a file of another build was found */
	const struct cp_symbolizer *by; /* NULL: no names */
	const char *path;               /* in the arena, or NULL */
	enum cp_trust trust;
	struct cp_symtab tab;
	CP_VEC(struct cp_elf) files; /* that names lead into */
	CP_VEC(struct cp_note) notes;
	struct cp_arena arena;
	/* By number of the symbol; made when first asked for. */
	const struct cp_symbol **interned;
	const char **shown; /* demangled by the workers */
};

struct cp_shared_kallsyms {
	char *path;
	bool usable;
	struct cp_kallsyms k;
};

struct cp_symbols {
	struct cp_symbolize_options opt;
	const struct cp_strings *strings;
	struct cp_diags *diags;
	char *cache_dir;                    /* "": none */
	CP_VEC(struct cp_object *) objects; /* by id of the dso - 1 */
	const struct cp_dso_info *kernel;   /* whose modules are looked up */
	struct cp_arena arena;
	uint32_t last_id;
	pthread_mutex_t lock; /* of what follows */
	CP_VEC(struct cp_shared_kallsyms *) kallsyms;
	struct cp_symdirs dirs;
};

struct cp_symbolizer {
	const char *name;
	enum cp_source source;
	/* Fills the object; false if it has nothing for it. */
	bool (*open)(struct cp_symbols *, struct cp_object *);
};

#define CP_SYMBOLIZER(id) extern const struct cp_symbolizer cp_symbolizer_##id;
#include "symbolize/list.def"
#undef CP_SYMBOLIZER

void cp_object_note(struct cp_object *, enum cp_diag_id, const char *fmt, ...)
    CP_PRINTF(3, 4);
const char *cp_object_name(const struct cp_symbols *, const struct cp_object *);

/* loadelf.c */
/*
 * Names from the ELF file behind fd, which it closes (-1: false); path is
 * what the user is told.
 */
bool cp_object_load_elf(
    struct cp_object *, const struct cp_symbols *, int fd, const char *path);
/* The same with two files: one that was mapped, one with its symbols. */
bool cp_object_load_pair(struct cp_object *, const struct cp_symbols *,
    int runtime_fd, int debug_fd, const char *path);
/* The same from memory, which it takes over. */
bool cp_object_load_image(struct cp_object *, const struct cp_symbols *,
    struct cp_content, const char *name);
/* Compares build IDs; false, with a note, if they differ. */
bool cp_object_verify(struct cp_object *, const struct cp_symbols *,
    const uint8_t *id, size_t size, const char *path, enum cp_trust *trust);

/* kernel.c */
/* Names of a kernel or module object from the kallsyms file of that path. */
bool cp_object_load_kallsyms(
    struct cp_object *, struct cp_symbols *, const char *path);
/* The kernel an object belongs to: itself, or that of a module. */
const struct cp_dso_info *cp_object_kernel(
    const struct cp_symbols *, const struct cp_object *);

/* debugfile.c: a separate debug file on this machine, or -1. */
int cp_debugfile_open(const struct cp_elf *, const char *path);

/* chain.c: asks the symbolizers, once. */
void cp_object_open(struct cp_symbols *, struct cp_object *);
void cp_object_free(struct cp_object *);

#endif
