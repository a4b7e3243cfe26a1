/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/object.h: what the symbolizers of list.def are and share.
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

#include "base/pool.h"
#include "symbolize/elf/symbols.h"
#include "symbolize/object/files.h"
#include "symbolize/golang/pclntab.h"
#include "symbolize/file-index/index.h"
#include "symbolize/kernel/kallsyms.h"
#include "symbolize/code/source-text.h"
#include "symbolize/symbolize.h"
#include "symbolize/symtab/symtab.h"

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
	struct cp_shared_kallsyms *later;
	uint64_t later_base;        /* taken from its addresses */
	CP_VEC(uint64_t) asked_for; /* ascending; while there is `later` */
	CP_VEC(struct cp_note) notes;
	struct cp_content text; /* that names lead into, or none */
	struct cp_arena arena;
	/* By number of the symbol; made when first asked for. */
	const struct cp_symbol **interned;
	const char **shown;                /* demangled by the workers */
	struct cp_object_inlines *inlines; /* inlines.c's, or NULL */
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
	time_t capture_time;      /* it was last written to; 0: unknown */
	struct cp_symindex index; /* of --symbols and what lies beside */
	struct cp_debuginfod *debuginfod;
	struct cp_sharing sharing; /* who loads tables */
	pthread_mutex_t lock;      /* of objects and of what follows */
	CP_VEC(struct cp_shared_kallsyms *) kallsyms;
	/* srcfile.c; for one thread. */
	struct cp_map64 source_of; /* file as it was answered -> sources + 1 */
	CP_VEC(struct cp_srcfile *) sources;
	CP_VEC(char *) texts;
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
	/* Fills the symbol table; false if it has nothing for the object. */
	bool (*open)(struct cp_symbols *, struct cp_object *);
};

#define CP_SYMBOLIZER(id) extern const struct cp_symbolizer cp_symbolizer_##id;
#include "symbolize/list.def"
#undef CP_SYMBOLIZER

void cp_object_note(struct cp_object *, enum cp_diag_id, const char *fmt, ...)
    CP_PRINTF(3, 4);
/* They become diagnostics. */
void cp_object_give_notes(struct cp_symbols *, struct cp_object *);
const char *cp_object_name(const struct cp_symbols *, const struct cp_object *);

/* offer.c */
/*
 * Takes the ELF file behind fd, which it closes, if its build ID is the
 * object's and it has something that no file before it had; path is what the
 * user is told.  False: not taken; -1 is allowed.
 */
bool cp_object_offer(
    struct cp_object *, const struct cp_symbolizer *, int fd, const char *path);
/* The same from memory, which it takes over in any case. */
bool cp_object_offer_image(struct cp_object *, const struct cp_symbolizer *,
    struct cp_content, const char *name);

/* Takes what was refused, when nothing else was found. */
void cp_object_use_wrong(struct cp_object *);

/* files.c */
enum cp_want {
	CP_WANT_CODE = 1,
	CP_WANT_SYMTAB = 2,
	CP_WANT_DEBUG = 4,
};
/* Asks the places that were not asked yet until all wanted is there. */
void cp_object_find(struct cp_symbols *, struct cp_object *, unsigned want);
/* The same by the build ID of the mapped file, if none was recorded. */
void cp_object_find_rest(struct cp_symbols *, struct cp_object *);
/* The object of a dso; made if new. */
struct cp_object *cp_object_of(struct cp_symbols *, const struct cp_dso_info *);

/* debuginfod.c */
struct cp_debuginfod *cp_debuginfod_new(void);
void cp_debuginfod_free(struct cp_debuginfod *);

/* Debug information of an object whose names need none, if allowed. */
void cp_object_fetch_debug(struct cp_symbols *, struct cp_object *);
/* Path of a source file in its cache, fetched if that is allowed; free(). */
char *cp_debuginfod_source(
    struct cp_symbols *, const struct cp_dso_info *, const char *file);

/* srcfile.c */
void cp_sources_free(struct cp_symbols *);

/* jitdump.c: file and line of an address, in the object's arena. */
struct cp_spots cp_object_jit_spot(
    struct cp_symbols *, struct cp_object *, uint64_t addr);

/* capture.c: the symbols that the dso came with. */
bool cp_object_load_captured(struct cp_symbols *, struct cp_object *);

/* elf-symbols.c: the symbols of the files that were found. */
bool cp_object_load_files(struct cp_symbols *, struct cp_object *);
/* What to add to addresses of a kernel image; 0 without a reference. */
uint64_t cp_object_slide(
    const struct cp_symbols *, const struct cp_object *, const struct cp_elf *);

/* kernel.c */
/*
 * Names of a kernel or module object from the kallsyms file of that path,
 * which is in the index unless f is NULL.
 */
bool cp_object_load_kallsyms(struct cp_object *, struct cp_symbols *,
    const char *path, const struct cp_indexed *f);
/* Takes what names the addresses asked for into the table. */
void cp_object_load_later(struct cp_object *);
/* How many symbols it would have if all were loaded. */
size_t cp_object_count(struct cp_symbols *, struct cp_object *);
/* "/lib/.../snd-hda.ko.xz" and "[snd_hda]" -> "snd_hda". */
bool cp_module_name(const char *name, char *out, size_t size);
/* The kernel an object belongs to: itself, or that of a module. */
const struct cp_dso_info *cp_object_kernel(
    const struct cp_symbols *, const struct cp_object *);

/* files.c: what a Go program keeps of its functions, or NULL. */
const struct cp_gotab *cp_object_gotab(struct cp_object *);

/* inlines.c */
void cp_object_inlines_free(struct cp_object *);

/* chain.c */
extern const struct cp_symbolizer *const cp_symbolizers[];
extern const size_t cp_symbolizers_count;
/* Asks the symbolizers, once. */
void cp_object_open(struct cp_symbols *, struct cp_object *);
/* Adds addresses to what is asked for; false: they are there already. */
bool cp_object_ask(struct cp_object *, const uint64_t *addr, size_t n);
/* A new table shows what the old one showed, which is freed. */
void cp_object_keep_shown(struct cp_object *, struct cp_symtab *old);
struct cp_object *cp_object_new(
    const struct cp_symbols *, const struct cp_dso_info *);
void cp_object_free(struct cp_object *);

#endif
