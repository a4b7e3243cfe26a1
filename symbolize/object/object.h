/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/object.h: one object (DSO), what is known of it, and
 * what the symbolizers of list.def are and share.
 *
 * This room knows the files of an object, whether they are its own, and its
 * symbols; symbolizers, unwinding, inlines and code ask it.  It may use
 * file-index/, golang/, kernel/, symtab/ and elf/.  Begin in ask.c, which asks
 * the symbolizers for files and names; this header has the types.
 *
 * A symbolizer finds a file (or other source) for one object and fills its
 * symbol table.  It is called by workers: it writes to its object only, and
 * takes the lock for what is shared.  What it has to say goes to the object's
 * notes, which become diagnostics in the order of the requests.
 */
#ifndef CP_SYMBOLIZE_OBJECT_OBJECT_H
#define CP_SYMBOLIZE_OBJECT_OBJECT_H

#include <pthread.h>
#include <time.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/pool.h"
#include "base/strings.h"
#include "model/dso.h"
#include "symbolize/elf/elf-file.h"
#include "symbolize/file-index/index.h"
#include "symbolize/kernel/kallsyms.h"
#include "symbolize/object/options.h"
#include "symbolize/symtab/symtab.h"

struct cp_gotab;
struct cp_symbols;

struct cp_note {
	enum cp_diag_id id;
	char text[160];
};

/* One ELF file that was found for an object. */
struct cp_file {
	struct cp_elf elf;
	const char *path; /* what the user is told; in the object's arena */
	const struct cp_symbolizer *by;
	enum cp_trust trust;
	bool code;     /* what was mapped: not a debug file */
	bool symtab;   /* has .symtab */
	bool layout;   /* its segments say which byte was mapped where */
	uint8_t debug; /* 2: .debug_info, 1: .debug_frame or .debug_line */
};

/* One object: first its files are found, then its names loaded. */
struct cp_object {
	const struct cp_dso_info *dso;
	pthread_mutex_t lock; /* of all that follows */
	unsigned asked;       /* symbolizers that were asked for files */
	unsigned found;       /* files taken so far */
	bool tried;           /* to load names */
	bool alt_tried, rest_tried;
	bool mismatch;      /* a file of another build was found */
	bool damaged;       /* one that is no object, or cut */
	bool stripped;      /* tab has nothing, or only stubs */
	bool verified_only; /* take no file without a build ID now */
	CP_VEC(struct cp_file *) files; /* that names lead into */
	struct cp_file *runtime, *symbols, *debug, *alt; /* of files */
	bool allow_mismatch;
	struct cp_file *wrong_code, *wrong_debug; /* of another build */
	const struct cp_symbolizer *by;           /* NULL: no names */
	const char *path;                         /* in the arena, or NULL */
	enum cp_trust trust;
	struct cp_symtab tab;
	/* Whose symbols come into tab when they are asked for; NULL: all. */
	struct cp_shared_kallsyms *deferred;
	uint64_t deferred_base;     /* taken from its addresses */
	CP_VEC(uint64_t) asked_for; /* ascending; while there is `deferred` */
	CP_VEC(struct cp_note) notes;
	struct cp_content text; /* that names lead into, or none */
	struct cp_arena arena;
	/* By number of the symbol; made when first asked for. */
	const struct cp_symbol **interned;
	const char **shown;                /* demangled by the workers */
	struct cp_object_inlines *inlines; /* of inlines/, or NULL */
	struct cp_gotab *go;               /* of the mapped file, or NULL */
	bool go_tried;
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
	CP_VEC(const struct cp_dso_info *) guests; /* kernels of machines */
	struct cp_arena arena;
	uint32_t last_id;
	time_t capture_time; /* it was last written to; 0: unknown */
	/* Those of list.def, in the order they are asked. */
	const struct cp_symbolizer *const *symbolizers;
	size_t n_symbolizers;
	struct cp_symindex index; /* of --symbols and what lies beside */
	struct cp_debuginfod *debuginfod;
	struct cp_sharing sharing; /* who loads tables */
	pthread_mutex_t lock;      /* of objects and of what follows */
	CP_VEC(struct cp_shared_kallsyms *) kallsyms;
	struct cp_sources *sources; /* of code/, or NULL; for one thread */
};

/* A place where files may be, or a source of names of its own; or both. */
struct cp_symbolizer {
	const char *name;
	enum cp_source source;
	bool plain; /* perf shows its names as they are */
	/* Offers the files it has for the object. */
	void (*find)(struct cp_symbols *, struct cp_object *);
	/* The same by the build ID of a file that was found. */
	void (*offer_id)(struct cp_symbols *, struct cp_object *,
	    const uint8_t *id, size_t size);
	/* One file by its build ID, for what another refers to. */
	bool (*find_id)(struct cp_symbols *, const uint8_t *id, size_t size,
	    struct cp_content *out);
	/* Fetches debug information that names did not need, if allowed. */
	void (*fetch_debug)(struct cp_symbols *, struct cp_object *);
	/* Fills the symbol table; false if it has nothing for the object. */
	bool (*open)(struct cp_symbols *, struct cp_object *);
};

void cp_object_note(struct cp_object *, enum cp_diag_id, const char *fmt, ...)
    CP_PRINTF(3, 4);
/* They become diagnostics. */
void cp_object_give_notes(struct cp_symbols *, struct cp_object *);
const char *cp_object_name(const struct cp_symbols *, const struct cp_object *);

/* The object of a dso; made if new. */
struct cp_object *cp_object_of(struct cp_symbols *, const struct cp_dso_info *);

/* What to add to addresses of a kernel image; 0 without a reference. */
uint64_t cp_object_slide(
    const struct cp_symbols *, const struct cp_object *, const struct cp_elf *);

/* A new table shows what the old one showed, which is freed. */
void cp_object_keep_shown(struct cp_object *, struct cp_symtab *old);
struct cp_object *cp_object_new(
    const struct cp_symbols *, const struct cp_dso_info *);
void cp_object_free(struct cp_object *);

#endif
