/* SPDX-License-Identifier: MIT */
/*
 * coldperf/names.h: stacks, their frames and the names of these; instructions
 * and source text; the files they come from.  Most is for finish().
 */
#ifndef COLDPERF_NAMES_H
#define COLDPERF_NAMES_H

#include <coldperf/model.h>

#ifdef __cplusplus
extern "C" {
#endif

CP_API uint32_t cp_stack_count(const struct cp_run *); /* ids are < it */
CP_API cp_stack_id cp_stack_parent(const struct cp_run *, cp_stack_id);
CP_API cp_frame_id cp_stack_frame(const struct cp_run *, cp_stack_id);
CP_API const struct cp_frame *cp_frame_get(const struct cp_run *, cp_frame_id);

/*
 * Names all frames on the given stacks, in batches.  Call it in
 * finish() only: samples that come later would not be named.  Then
 * cp_frame_symbol() answers NULL for frames that were not asked for or have no
 * name.  What stands for lost callers (CP_FRAME_LOST) has a symbol and dso 0.
 */
CP_API void cp_run_name(struct cp_run *, const cp_stack_id *, size_t);
/* Does the same for frames. */
CP_API void cp_run_name_frames(struct cp_run *, const cp_frame_id *, size_t);
CP_API const struct cp_symbol *cp_frame_symbol(
    const struct cp_run *, cp_frame_id);

/*
 * Returns the frame's address as objdump shows it; UINT64_MAX: not known from
 * the available files.  Only for finish().
 */
CP_API uint64_t cp_frame_vaddr(struct cp_run *, cp_frame_id);

/*
 * Returns the frame's symbol.  If it has none, returns the nameless function
 * around the address, whose bounds are in the object's unwind tables; its name
 * is made of object and address, "gzip+0x4300", with CP_SOURCE_BOUNDS and
 * CP_TRUST_NONE.  NULL: the bounds are not known either.  Only for finish(),
 * after the frame was asked for.
 */
CP_API const struct cp_symbol *cp_frame_function(struct cp_run *, cp_frame_id);

/* A function that is active at an address, and the line in it. */
struct cp_spot {
	const struct cp_symbol *symbol; /* NULL: the frame's own */
	const char *file;               /* NULL: not known */
	uint32_t line, column;          /* 0: not known */
};
/*
 * Finds the frame's own function and those inlined at its address, outermost
 * first.  Returns their number; 0: there is no debug information.  Only for
 * frames that were asked for, as with cp_frame_symbol().
 */
CP_API size_t cp_frame_spots(
    const struct cp_run *, cp_frame_id, const struct cp_spot **);
/*
 * Returns the stack with inlined functions as frames of their own
 * (CP_FRAME_INLINED); the stack itself if there are none.  Only for finish(),
 * after cp_run_name().
 */
CP_API cp_stack_id cp_stack_inlined(struct cp_run *, cp_stack_id);

/*
 * Counts the instructions from the one at first to the one at last, both
 * included, without a branch between them.  0: not known, because the object's
 * file is missing or no instruction begins at last.  Only for finish().
 */
CP_API uint32_t cp_run_instructions(
    struct cp_run *, cp_frame_id first, cp_frame_id last);

/* One instruction of a function, or an address in it. */
struct cp_instruction {
	uint64_t addr;    /* in the terms of cp_frame.addr */
	uint64_t shown;   /* the same as objdump shows it for the object */
	const char *text; /* with its target: "jne 0x1139 <main+0x10>" */
	const struct cp_spot *spots; /* as of cp_frame_spots(); or NULL */
	uint32_t n_spots;
	uint32_t size; /* 0: no instruction is known to begin here */
};

struct cp_code {
	const struct cp_instruction *at; /* ascending */
	size_t n;
	const char *why; /* NULL, or why instructions are not known */
};

enum {
	CP_CODE_INTEL = 1, /* Intel's way to write x86, not AT&T's */
	CP_CODE_QUIET = 2, /* no diagnostic if the code is not available */
};

/*
 * Returns the instructions of a function.  Each of the n ascending addresses
 * has an entry, with size 0 if no instruction begins there.  Only for finish().
 */
CP_API struct cp_code cp_run_code(struct cp_run *, const struct cp_symbol *,
    unsigned flags, const uint64_t *addr, size_t n);

/* The text of a source file. */
struct cp_listing {
	const char *path;  /* where it is from; NULL: not found */
	const char *check; /* text on its version, or why it was not found */
	const char *const *line; /* [0] is line 1 */
	uint32_t lines;
	uint8_t source; /* enum cp_source */
	uint8_t trust;  /* enum cp_trust */
};
/*
 * Returns the text of a spot's file, in an object that cp_run_code() was called
 * for; file is the pointer in the spot.
 */
CP_API struct cp_listing cp_run_listing(
    struct cp_run *, uint32_t dso, const char *file);

/*
 * For a CP_DSO_KERNEL: returns the recorded run-time address of the reference
 * symbol, _text or _stext; 0: not known.
 */
CP_API uint64_t cp_run_dso_base(const struct cp_run *, uint32_t id);
/* Return the name of that symbol, and the kernel's release; NULL: not known. */
CP_API const char *cp_run_dso_base_name(const struct cp_run *, uint32_t id);
CP_API const char *cp_run_dso_release(const struct cp_run *, uint32_t id);

/* The source of an object's names. */
struct cp_dso_state {
	const char *symbolizer; /* NULL: nothing was found */
	const char *path;       /* of the file used, or NULL */
	uint64_t symbols;       /* in it */
	const char *reason;     /* of the trust; NULL: not known */
	uint8_t source;         /* enum cp_source */
	uint8_t trust;          /* enum cp_trust */
	bool mismatch; /* a file of another build was found, and not used */
	/* a file was found that is not an object, or truncated */
	bool damaged;
	bool code;     /* the file that was mapped was found */
	bool stripped; /* it lacks symbols that were asked for */
};
/*
 * Returns the state of a dso id; only finish() may call it, after
 * cp_run_name().
 */
CP_API struct cp_dso_state cp_run_dso_state(struct cp_run *, uint32_t id);
/*
 * Does the same, but may leave out the number of symbols: counting those of a
 * kernel takes long.
 */
CP_API struct cp_dso_state cp_run_dso_found(struct cp_run *, uint32_t id);

/* The available files of an object; NULL: none.  All may be the same. */
struct cp_dso_files {
	const char *code;    /* the mapped file */
	const char *symbols; /* with .symtab */
	const char *debug;   /* with debug information */
};
CP_API struct cp_dso_files cp_run_dso_files(struct cp_run *, uint32_t id);

#ifdef __cplusplus
}
#endif

#endif
