/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/object.h: one object (DSO) and its state, and the interface
 * of symbolizers.
 *
 * A symbolizer finds a file (or other source) for an object and fills its
 * symbol table.  Workers call it: it writes only to its object, and takes the
 * lock for shared state.  Its messages go to the object's notes, which become
 * diagnostics in the order of the requests.
 *
 * This room knows the files of an object, verifies them, and has its symbols;
 * symbolizers, unwinding, inlines and code use it.  It may use file-index/,
 * golang/, kernel/, symtab/ and elf/.  Begin in ask.c, which asks the
 * symbolizers for files and names; this header has the types.
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
struct cp_snapshot;
struct cp_symbols;

struct cp_note {
	enum cp_diag_id id;
	char text[320]; /* as a diagnostic has room for */
};

/* Does the debug link of the stripped file name it? */
enum cp_link {
	CP_LINK_NONE,
	CP_LINK_NAME, /* with another CRC */
	CP_LINK_CRC,
};

/* An ELF file found for an object. */
struct cp_file {
	struct cp_elf elf;
	const char *path; /* path for messages; in the object's arena */
	const struct cp_symbolizer *by;
	enum cp_trust trust;
	const char *why; /* reason of the trust, see identity.h */
	enum cp_link link;
	/* of the object's build, but its code was not mapped from there */
	bool elsewhere;
	bool code;     /* the mapped file, not a debug file */
	bool symtab;   /* has .symtab */
	bool layout;   /* its segments tell which bytes were mapped */
	bool shrank;   /* it shrank while it was mapped; was reported */
	bool over;     /* it hit the limit of inflating; was reported */
	uint8_t debug; /* 2: .debug_info, 1: .debug_frame or .debug_line */
};

/* An object: first its files are found, then its names are loaded. */
struct cp_object {
	const struct cp_dso_info *dso;
	const char *name;     /* as recorded, without " (deleted)" */
	bool deleted;         /* its file was deleted when it was mapped */
	pthread_mutex_t lock; /* guards all fields below */
	unsigned asked;       /* bits of symbolizers asked for files */
	unsigned found;       /* number of files kept */
	bool tried;           /* loading names was tried */
	bool alt_tried, rest_tried;
	bool local, local_tried; /* its debug information is of this machine */
	bool mismatch;           /* a file of another build was found */
	bool damaged;            /* a file was no ELF file, or truncated */
	bool stripped;           /* tab is empty, or has only stubs */
	bool stripped_told;
	bool nameless_told;
	bool names_over;    /* reached the limit of names; was reported */
	bool name_cut;      /* a name was too long; was reported */
	bool verified_only; /* from now on reject files without a build ID */
	enum cp_link link;  /* how the file that is offered now was found */
	CP_VEC(struct cp_file *) files; /* own the names in tab */
	struct cp_file *runtime, *symbols, *debug, *alt; /* point into files */
	bool allow_mismatch;
	struct cp_file *wrong_code, *wrong_debug; /* of another build */
	/* Of its build, mapped otherwise; names if the mapped file is found. */
	struct cp_file *elsewhere;
	const struct cp_symbolizer *by; /* NULL: no names */
	const char *path;               /* in the arena, or NULL */
	const char *path_below; /* the parent's perf map, used in addition */
	enum cp_source source;  /* that of `by', or what the snapshot tells */
	enum cp_trust trust;
	const char *why; /* reason of the trust; NULL: not known */
	struct cp_symtab tab;
	/*
	 * The text that names are loaded from when needed; NULL: tab is
	 * complete.
	 */
	struct cp_shared_kallsyms *deferred;
	uint64_t deferred_base;     /* subtracted from the text's addresses */
	CP_VEC(uint64_t) asked_for; /* ascending; only used with `deferred` */
	CP_VEC(struct cp_note) notes;
	/* text that names in tab point into, or empty */
	struct cp_content text;
	struct cp_arena arena;
	/* Per symbol; made on first use. */
	const struct cp_symbol **interned;
	const char **shown; /* names after demangling */
	/* Parameters by name, hashes; UINT32_MAX: several functions have it. */
	struct cp_map64 overloads;
	bool overloads_known;
	struct cp_object_inlines *inlines; /* state of inlines/, or NULL */
	/* For a snapshot: row in its table of objects, and symbols by row. */
	size_t row;
	bool row_known;
	struct cp_map64 recorded;
	CP_VEC(const struct cp_symbol *) recorded_symbols;
	struct cp_gotab *go; /* tables of a Go program, or NULL */
	bool go_tried;
};

/*
 * overloads.c: demangles; functions of one name have their parameters, where
 * perf shows them all as one.
 */
char *cp_object_demangled(
    struct cp_object *, const char *raw, const struct cp_symbolize_options *);

struct cp_shared_kallsyms {
	char *path;
	bool usable;
	struct cp_kallsyms k;
};

/* A perf map, see jit-files.h. */
struct cp_jit_map {
	const char *path;
	bool given;         /* its own path, with --symbols */
	bool known;         /* it was read, so the rest holds */
	uint64_t low, high; /* where its code is; equal: it has none */
};

struct cp_jit_maps {
	CP_VEC(struct cp_jit_map) all;
	struct cp_arena arena;
	bool listed;
};

struct cp_symbols {
	struct cp_symbolize_options opt;
	const struct cp_strings *strings;
	struct cp_diags *diags;
	char *cache_dir;                    /* "": none */
	CP_VEC(struct cp_object *) objects; /* index: id of the dso - 1 */
	/* the kernel that modules belong to */
	const struct cp_dso_info *kernel;
	/* kernels of virtual machines */
	CP_VEC(const struct cp_dso_info *) guests;
	struct cp_arena arena;
	uint32_t last_id;
	size_t name_bytes;   /* of all symbols that were given out */
	time_t capture_time; /* when the capture was last written; 0: unknown */
	/* The symbolizers of list.def, in order. */
	const struct cp_symbolizer *const *symbolizers;
	size_t n_symbolizers;
	/* files of --symbols and next to the capture */
	struct cp_symindex index;
	/* the capture's own names; or NULL */
	struct cp_snapshot *snapshot;
	struct cp_debuginfod *debuginfod;
	struct cp_sharing sharing; /* threads that load tables */
	pthread_mutex_t lock;      /* guards objects and the fields below */
	CP_VEC(struct cp_shared_kallsyms *) kallsyms;
	struct cp_jit_maps jit_maps;
	/* state of code/, or NULL; for one thread */
	struct cp_sources *sources;
};

/* A place with files, or a source of names, or both. */
struct cp_symbolizer {
	const char *name;
	enum cp_source source;
	bool plain; /* names are shown unchanged, as perf does */
	/* Offers its files for the object. */
	void (*find)(struct cp_symbols *, struct cp_object *);
	/* Offers files by the build ID that a found file has. */
	void (*offer_id)(struct cp_symbols *, struct cp_object *,
	    const uint8_t *id, size_t size);
	/* Finds one file by build ID, which another file refers to. */
	bool (*find_id)(struct cp_symbols *, const uint8_t *id, size_t size,
	    struct cp_content *out);
	/* Fetches such a file for the object, if allowed. */
	bool (*fetch_id)(struct cp_symbols *, struct cp_object *,
	    const uint8_t *id, size_t size, struct cp_content *out);
	/* Fetches debug information that names do not need, if allowed. */
	void (*fetch_debug)(struct cp_symbols *, struct cp_object *);
	/* Fills the symbol table.  False if it has no names for the object. */
	bool (*open)(struct cp_symbols *, struct cp_object *);
};

void cp_object_note(struct cp_object *, enum cp_diag_id, const char *fmt, ...)
    CP_PRINTF(3, 4);
/* Notes that a file is damaged.  What is left of it may still have names. */
void cp_object_damaged(struct cp_object *, const char *path, const char *why);
/* Turns the notes into diagnostics. */
void cp_object_give_notes(struct cp_symbols *, struct cp_object *);
const char *cp_object_name(const struct cp_symbols *, const struct cp_object *);

/* Finds or makes the object of a dso. */
struct cp_object *cp_object_of(struct cp_symbols *, const struct cp_dso_info *);

/* The slide of a kernel image; 0 without a reference symbol. */
uint64_t cp_object_slide(
    const struct cp_symbols *, const struct cp_object *, const struct cp_elf *);

/*
 * Keeps the shown names when a new table replaces the old one, and frees that.
 */
void cp_object_keep_shown(struct cp_object *, struct cp_symtab *old);
struct cp_object *cp_object_new(
    const struct cp_symbols *, const struct cp_dso_info *);
void cp_object_free(struct cp_object *);

#endif
