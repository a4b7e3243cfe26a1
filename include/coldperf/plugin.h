/* SPDX-License-Identifier: MIT */
/*
 * coldperf/plugin.h: the contract between coldperf and its analyses.
 *
 * Built-in analyses and those loaded with --plugin live by this header alone.
 * An analysis is a const table (struct cp_analysis) of callbacks.  During the
 * run it is handed samples in time order and tallies them by ids; names exist
 * only in finish(), after cp_run_name() was asked for the stacks that count.
 *
 * Ownership: everything reachable from struct cp_run or a report belongs to
 * the host and lives until the run ends.  Nothing here is freed by an
 * analysis.  Pointers passed to sample() are valid until it returns.
 *
 * Units: times are nanoseconds of the capture's own clock, addresses are as
 * recorded, weights are unsigned integers in the unit of the chosen --weight.
 */
#ifndef COLDPERF_PLUGIN_H
#define COLDPERF_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CP_ABI 3

#if defined(__GNUC__)
#define CP_API __attribute__((visibility("default")))
#define CP_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define CP_MUST_USE __attribute__((warn_unused_result))
#else
#define CP_API
#define CP_PRINTF(f, a)
#define CP_MUST_USE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Status of a call: 0 or negative.  The reason is a diagnostic. */
enum { CP_OK = 0, CP_FAIL = -1 };

enum cp_diag_id {
#define CP_DIAG(id, level, slug, text) CP_D_##id,
#include <coldperf/diag.def>
#undef CP_DIAG
	CP_D_COUNT
};

/* Ids.  0 is "none" (the empty stack, no frame, the empty string). */
typedef uint32_t cp_stack_id;
typedef uint32_t cp_frame_id;
typedef uint32_t cp_string_id;

#define CP_NO_TIME UINT64_MAX
#define CP_NO_ID UINT32_MAX /* pid, tid or cpu not recorded */

struct cp_run;

/* Privilege level of an address: the record's cpumode or a chain marker. */
enum cp_level {
	CP_LEVEL_UNKNOWN,
	CP_LEVEL_KERNEL,
	CP_LEVEL_USER,
	CP_LEVEL_HYPERVISOR,
	CP_LEVEL_GUEST_KERNEL,
	CP_LEVEL_GUEST_USER,
};

/* An object that code was mapped from. */
struct cp_dso {
	uint32_t id;       /* 1...; dense */
	cp_string_id name; /* full recorded path, or [kernel.kallsyms] ... */
	cp_string_id short_name; /* its last component, or the same */
	uint8_t level;           /* enum cp_level: kernel or user */
	uint8_t kind;            /* enum cp_dso_kind */
	uint8_t build_id_size;   /* 0: none was recorded */
	uint8_t build_id[20];
	uint32_t pid; /* CP_DSO_ANON: the process of the JIT map */
	bool runs;    /* of user space: some of it was mapped executable */
};

enum cp_dso_kind {
	CP_DSO_FILE,   /* an ELF file, by path */
	CP_DSO_KERNEL, /* the kernel image; addresses are run-time ones */
	CP_DSO_MODULE, /* kernel module; addresses count from its start */
	CP_DSO_BPF,    /* a KSYMBOL; addresses are run-time ones */
	CP_DSO_VDSO,
	CP_DSO_ANON, /* no file: //anon, [heap], JIT; run-time addresses */
	CP_DSO_JIT,  /* a jitdump; addresses are those of the code in it */
};

enum {
	CP_FRAME_CALLER = 1, /* addr is a return address, not a sampled ip */
	/* Without an unwind table: by the frame pointer, unless EDGE or SCANNED
	 * say otherwise. */
	CP_FRAME_GUESSED = 2,
	CP_FRAME_INLINED = 4,  /* part of the frame that called it */
	CP_FRAME_HOST = 8,     /* has such parts; see cp_stack_inlined() */
	CP_FRAME_SCANNED = 16, /* by a look at each word (--stack-scan) */
	CP_FRAME_EDGE = 32,    /* by what the code at hand was about to do */
};

/* One code address, unique: same dso, addr, level and flags, same frame id. */
struct cp_frame {
	uint64_t addr; /* byte offset in the dso's file, or see cp_dso_kind */
	uint32_t dso;  /* dso id, 0: the address was in no mapping */
	uint8_t level; /* enum cp_level */
	uint8_t flags;
};

/* What a guessed frame was found by, the most certain first. */
enum cp_guess {
	CP_GUESS_NONE,    /* an unwind table, or it was recorded */
	CP_GUESS_EDGE,    /* what the code was about to do, the link register */
	CP_GUESS_POINTER, /* the frame pointer */
	CP_GUESS_SCAN,    /* a look at each word of the stack */
	CP_GUESSES
};
CP_API enum cp_guess cp_frame_guess(const struct cp_frame *);
/* "frame pointer"; "" of CP_GUESS_NONE. */
CP_API const char *cp_guess_name(enum cp_guess);

/* Where a name came from, and how far it can be trusted. */
enum cp_source {
	CP_SOURCE_NONE,
	CP_SOURCE_CAPTURE, /* in the capture: KSYMBOL, simpleperf */
	CP_SOURCE_BUNDLE,
	CP_SOURCE_CACHE, /* build-id cache */
	CP_SOURCE_DEBUGINFOD,
	CP_SOURCE_LOCAL, /* a file of this machine */
	CP_SOURCE_KALLSYMS,
	CP_SOURCE_JITDUMP,
	CP_SOURCE_PERF_MAP,
	CP_SOURCE_GOPCLNTAB,  /* what a Go program keeps of itself */
	CP_SOURCE_SIMPLEPERF, /* what simpleperf wrote of the functions hit */
	CP_SOURCE_BOUNDS,     /* no name: where it begins and ends is known */
};

enum cp_trust {
	CP_TRUST_NONE,     /* no name */
	CP_TRUST_VERIFIED, /* build IDs compared equal */
	CP_TRUST_ABSENT,   /* no build ID to compare */
	CP_TRUST_MISMATCH, /* used against a different build ID, on request */
	CP_TRUST_RECORDED, /* the recorder's: it had the file that ran */
};

/* Interned: the same symbol is the same pointer. */
struct cp_symbol {
	const char *name;    /* demangled as the user asked */
	const char *raw;     /* as in the object */
	uint64_t start, end; /* in the terms of cp_frame.addr */
	uint32_t id;         /* 1...; dense */
	uint32_t dso;
	uint8_t source; /* enum cp_source */
	uint8_t trust;  /* enum cp_trust */
};

struct cp_evsel {
	uint32_t index;
	const char *name;
	uint32_t type;
	uint64_t config;
	uint64_t sample_type;
	uint64_t sample_period; /* or frequency in Hz */
	uint64_t branch_type;   /* PERF_SAMPLE_BRANCH_*; 0: no branches */
	bool freq;
	bool dummy; /* software dummy: carries only side-band records */
	bool tracepoint;
	uint64_t samples; /* so far */
	uint64_t period;  /* their sum */
	uint64_t lost;    /* records lost of it */
	uint64_t lost_samples;
	uint64_t throttled;  /* THROTTLE records */
	uint32_t stack_user; /* bytes of user stack asked for; 0: none */
	bool on_exec;        /* begins when a command is executed */
	bool rates;          /* captures at lower ones were added up, too */
};

/* How the unwinding of a dumped user stack ended. */
enum cp_unwind_end {
	CP_UNWIND_NONE,        /* nothing was unwound */
	CP_UNWIND_COMPLETE,    /* at the outermost frame */
	CP_UNWIND_CUT,         /* the dump ends before the stack does */
	CP_UNWIND_NO_TABLE,    /* no unwind table, and no frame pointer */
	CP_UNWIND_UNREADABLE,  /* an address outside the dump */
	CP_UNWIND_LOOP,        /* the stack does not go up */
	CP_UNWIND_UNSUPPORTED, /* a rule or registers that make no sense */
	CP_UNWIND_LIMIT,       /* too many frames or steps */
};

/* One sample.  What the capture does not hold has the value named. */
struct cp_sample {
	uint64_t time;          /* CP_NO_TIME */
	uint64_t ip;            /* 0 */
	uint64_t period;        /* sample_period of the event if not recorded */
	uint64_t weight;        /* what --weight asks to count */
	uint64_t addr;          /* 0 */
	uint64_t cgroup;        /* 0 */
	uint32_t pid, tid, cpu; /* CP_NO_ID */
	uint32_t evsel;         /* index */
	cp_string_id comm;      /* name of the thread at that time */
	cp_stack_id stack; /* innermost frame's node; 0: no address at all */
	uint8_t level;     /* enum cp_level of ip */
	/* False only with CP_WANT_ALL: --comm, --time ... leave it out. */
	bool kept;
	const uint8_t *raw; /* NULL, or raw_size bytes, tracepoint payload */
	uint32_t raw_size;
	uint8_t unwound;      /* enum cp_unwind_end */
	uint32_t unwound_dso; /* whose code ended it; 0: none, or not known */
	/* With CP_WANT_RAW; 0 where not recorded. */
	uint64_t latency; /* PERF_SAMPLE_WEIGHT */
	uint64_t data_src, phys_addr;
	uint32_t branches; /* entries of its branch stack */
	/* Of counter values (PERF_SAMPLE_READ); else 0. */
	uint32_t reading;          /* the same for all counters of one record */
	uint64_t enabled, running; /* ns, since the value before */
	uint32_t event;            /* cp_run_event_of(evsel) */
};

/* What happened to a task, other than a sample. */
enum cp_sideband_kind {
	CP_SIDE_SWITCH_OUT, /* tid stops running on cpu; other is next */
	CP_SIDE_SWITCH_IN,  /* tid begins to; other was before it */
	CP_SIDE_FORK,       /* tid begins; other is its parent */
	CP_SIDE_EXIT,
	CP_SIDE_COMM,     /* tid has another name now */
	CP_SIDE_LOST,     /* of cpu: records or samples were lost before it */
	CP_SIDE_THROTTLE, /* of cpu: an event stopped, there were too many */
	CP_SIDE_UNTHROTTLE,
};

struct cp_sideband {
	uint64_t time;                 /* CP_NO_TIME */
	uint64_t lost;                 /* CP_SIDE_LOST: how many */
	uint8_t kind;                  /* enum cp_sideband_kind */
	bool preempted;                /* SWITCH_OUT: it could have run on */
	bool exec;                     /* COMM: by exec */
	uint32_t pid, tid, cpu;        /* CP_NO_ID */
	uint32_t other_pid, other_tid; /* CP_NO_ID */
	cp_string_id comm;             /* of tid, after it happened */
};

/* One branch of a sample's branch stack, newest first. */
struct cp_branch {
	uint64_t from, to;
	bool mispredicted, predicted; /* both false: not recorded */
	bool in_tx, abort;
	uint16_t cycles; /* since the branch before; 0: not recorded */
	uint8_t type;    /* PERF_BR_*; 0: not recorded */
};

/* ------------------------------------------------------------------ run */

CP_API uint32_t cp_run_evsel_count(const struct cp_run *);
CP_API const struct cp_evsel *cp_run_evsel(const struct cp_run *, uint32_t);
/*
 * Whether an event is the better one to show: the one that measures CPU time
 * (cycles, then cpu-clock, then task-clock) before any other that is sampled,
 * tracepoints last; of equal ones the one with more samples.
 */
CP_API bool cp_event_before(const struct cp_evsel *a, uint64_t samples_a,
    const struct cp_evsel *b, uint64_t samples_b);
/*
 * The first event of the same meaning: a hybrid processor has one for each kind
 * of core, and they are shown together.
 */
CP_API uint32_t cp_run_event_of(struct cp_run *, uint32_t evsel);
/*
 * Its name: those of all of its meaning that have samples, "cpu_atom/cycles/ +
 * cpu_core/cycles/".
 */
CP_API const char *cp_run_event_name(struct cp_run *, uint32_t event);
CP_API const char *cp_run_string(const struct cp_run *, cp_string_id);
CP_API cp_string_id cp_run_intern(struct cp_run *, const char *);
CP_API const struct cp_dso *cp_run_dso(const struct cp_run *, uint32_t id);
CP_API uint32_t cp_run_dso_count(const struct cp_run *); /* ids are <= it */
CP_API const char *cp_run_cgroup(const struct cp_run *, uint64_t id);
CP_API void cp_run_diag(struct cp_run *, enum cp_diag_id, const char *, ...)
    CP_PRINTF(3, 4);

/*
 * Replaces the table's `wants` when the options need less (or more): without
 * CP_WANT_STACKS no chain is resolved.  Only begin() may call it.
 */
CP_API void cp_run_wants(struct cp_run *, uint32_t wants);

/*
 * Of a gate (diff --fail-over): coldperf says why and exits with status 1,
 * if nothing worse happened.  For finish().
 */
CP_API void cp_run_fail(struct cp_run *, const char *, ...) CP_PRINTF(2, 3);
/* The same of a gate that cannot be decided: status 6. */
CP_API void cp_run_undecided(struct cp_run *, const char *, ...)
    CP_PRINTF(2, 3);

/* Zeroed memory that lives as long as the run.  Never NULL. */
CP_API void *cp_run_alloc(struct cp_run *, size_t);
/*
 * Gives back n bytes of cp_run_alloc() at once; for large arrays.  n must be
 * what was asked for; NULL is ignored.
 */
CP_API void cp_run_free(struct cp_run *, void *, size_t n);

/*
 * The analysis that the user asked for.  One that is run in addition (quality,
 * for machines) shall not make the run cost more.
 */
CP_API const char *cp_run_command(const struct cp_run *);
/*
 * An analysis that is run in addition: the functions with more than this share
 * of an event's weight have their code in the page; 0: none.
 */
CP_API double cp_run_code_share(const struct cp_run *);

/* Value of one of the analysis' own options, or its default. */
CP_API const char *cp_run_option(const struct cp_run *, const char *name);
CP_API bool cp_run_option_bool(const struct cp_run *, const char *name);
CP_API uint64_t cp_run_option_u64(const struct cp_run *, const char *name);
CP_API double cp_run_option_double(const struct cp_run *, const char *name);

/*
 * What the user typed as an option's value to choose symbols by name, a glob
 * or a regular expression.  NULL: not given, or refused.
 */
struct cp_pattern;
CP_API const struct cp_pattern *cp_run_option_pattern(
    struct cp_run *, const char *name);
/*
 * Whether a symbol fits: the whole name, the name without parameters and
 * template arguments, or what follows any "::" of either.
 */
CP_API bool cp_pattern_fits_symbol(const struct cp_pattern *, const char *name);
/* Says that none of these names fits the option, the nearest first. */
CP_API void cp_run_no_match(
    struct cp_run *, const char *option, const char *const *names, size_t n);

/* What --weight counts: "period", "samples", "time", or a field's name. */
CP_API const char *cp_run_weight_name(const struct cp_run *);

/* Whether several captures are one here: see CP_WANT_MERGED. */
CP_API bool cp_run_merged(const struct cp_run *);

/* Facts about the capture as (key, value) pairs in a fixed order. */
struct cp_fact {
	const char *group; /* "host", "recording", "file", "event" ... */
	const char *key;
	const char *value;
};
CP_API size_t cp_run_facts(const struct cp_run *, const struct cp_fact **);
CP_API const char *cp_run_fact(const struct cp_run *, const char *key);

/* The moment that "+seconds" of --time count from; CP_NO_TIME: not known. */
CP_API uint64_t cp_run_start(const struct cp_run *);
/* In capture(): the report that finish() will get; NULL: there is none yet. */
CP_API struct cp_report *cp_run_report(const struct cp_run *);
/* A moment of the capture as wall-clock text; false: clock not known. */
CP_API bool cp_run_wall_clock(
    const struct cp_run *, uint64_t time, char *buf, size_t size);

/* Exact account of what was read and what was lost. */
struct cp_quality {
	uint64_t bytes_total; /* of the input; 0: a stream of unknown length */
	uint64_t bytes_parsed;
	uint64_t bytes_skipped;
	uint64_t bytes_missing; /* its header tells of them; it ends before */
	uint64_t gaps;          /* damaged spans jumped over */
	uint64_t gap_time_ns;   /* between the samples before and after them */
	uint64_t records;
	uint64_t unknown_records;
	uint64_t samples;      /* read from the input */
	uint64_t samples_kept; /* passed the filters */
	uint64_t samples_unknown_id;
	uint64_t weight_kept;
	uint64_t lost; /* records, by the LOST records */
	uint64_t lost_samples;
	uint64_t throttled;
	uint64_t out_of_order;
	uint64_t truncated_chains; /* at the recorder's depth limit */
	uint64_t unmapped_ips;     /* samples whose ip lies in no mapping */
	uint64_t user_stacks;      /* samples with dumped stacks */
	uint64_t unwound;      /* of these, those whose stack was asked for */
	uint64_t unwound_part; /* and ended before the stack did */
	uint64_t aux_bytes;    /* not decoded */
	uint64_t first_time, last_time; /* of samples; CP_NO_TIME if none */
	double weight_sq; /* sum of squared weights kept, for intervals */
	bool killed;      /* the recorder, before it wrote the file's head */
	bool cut;         /* the input ends in the middle of a record */
};
CP_API const struct cp_quality *cp_run_quality(const struct cp_run *);

/* -------------------------------------------------------------- samples */

/*
 * A field of a tracepoint's payload, by name; NULL: the event is none, or has
 * no such field.  In a pipe the layout is known from the event's first sample
 * on.  Lives as long as the run.
 */
struct cp_field;
CP_API const struct cp_field *cp_run_field(
    struct cp_run *, uint32_t evsel, const char *name);
/* The number in it, sign-extended; false: it is none, or is cut off. */
CP_API bool cp_field_u64(
    const struct cp_field *, const struct cp_sample *, uint64_t *out);
/* The same of part i of n equal ones that an array is made of. */
CP_API bool cp_field_item(const struct cp_field *, const struct cp_sample *,
    uint32_t i, uint32_t n, uint64_t *out);
/*
 * Where a number is, for those who read it of millions of samples: size 1, 2,
 * 4 or 8 bytes at offset of the payload.  False: it is no number.
 */
struct cp_field_at {
	uint32_t offset, size;
	bool is_signed, swap; /* swap: the other byte order */
};
CP_API bool cp_field_place(const struct cp_field *, struct cp_field_at *);
/* Its text, which has no NUL at its end; NULL: it is none, or is cut off. */
CP_API const char *cp_field_text(
    const struct cp_field *, const struct cp_sample *, size_t *len);
/* How the kernel prints the event, from its format; "" if not recorded. */
CP_API const char *cp_run_print_format(const struct cp_run *, uint32_t evsel);

/* Branch number i < branches of the sample at hand. */
CP_API struct cp_branch cp_sample_branch(
    const struct cp_run *, const struct cp_sample *, uint32_t i);
/*
 * The frame of another address at the moment of the sample at hand: a branch,
 * a data address.  It is a frame like those of stacks, and named like them.
 * CP_LEVEL_UNKNOWN: user or kernel, as the address lies.
 */
CP_API cp_frame_id cp_sample_frame(
    struct cp_run *, const struct cp_sample *, uint64_t addr, enum cp_level);

/* A thread as it is now; false: never heard of. */
CP_API bool cp_run_thread(
    const struct cp_run *, uint32_t tid, uint32_t *pid, cp_string_id *comm);
/*
 * Whether it runs a 32-bit program now: on a 64-bit kernel that makes system
 * calls by other numbers.  Told by the vdso; false if that was not recorded.
 */
CP_API bool cp_run_thread_narrow(const struct cp_run *, uint32_t tid);
/* Whether the filters of the command line let a task or moment through. */
CP_API bool cp_run_keeps_task(
    const struct cp_run *, uint32_t pid, uint32_t tid, cp_string_id comm);
CP_API bool cp_run_keeps_cpu(const struct cp_run *, uint32_t cpu);
CP_API bool cp_run_keeps_time(struct cp_run *, uint64_t time);
/* The moments that --time lets through, both included: 0...UINT64_MAX. */
CP_API void cp_run_window(struct cp_run *, uint64_t *from, uint64_t *to);
/*
 * Returns how much of the time between first and last sample that is, in ns: of
 * captures added up it is chosen of each.
 */
CP_API uint64_t cp_run_window_length(struct cp_run *);

/* --------------------------------------------------------------- stacks */

CP_API uint32_t cp_stack_count(const struct cp_run *); /* ids are < it */
CP_API cp_stack_id cp_stack_parent(const struct cp_run *, cp_stack_id);
CP_API cp_frame_id cp_stack_frame(const struct cp_run *, cp_stack_id);
CP_API const struct cp_frame *cp_frame_get(const struct cp_run *, cp_frame_id);

/*
 * Names all frames on the given stacks, in batches.  Only finish() may call
 * it; cp_frame_symbol() answers NULL for frames that were not asked for or
 * have no name.
 */
CP_API void cp_run_name(struct cp_run *, const cp_stack_id *, size_t);
/* The same for frames. */
CP_API void cp_run_name_frames(struct cp_run *, const cp_frame_id *, size_t);
CP_API const struct cp_symbol *cp_frame_symbol(
    const struct cp_run *, cp_frame_id);

/*
 * The frame's address as objdump shows it in the object; UINT64_MAX: the files
 * at hand do not tell.  Only for finish().
 */
CP_API uint64_t cp_frame_vaddr(struct cp_run *, cp_frame_id);

/*
 * The frame's symbol, or else the function without a name that its address is
 * in: the object's unwind tables tell where it begins and ends.  It is called
 * by object and address, "gzip+0x4300", with CP_SOURCE_BOUNDS and
 * CP_TRUST_NONE.  NULL: that is not known either.  Only for finish(), after
 * the frame was asked for.
 */
CP_API const struct cp_symbol *cp_frame_function(struct cp_run *, cp_frame_id);

/* A function that is active at an address, and where in it. */
struct cp_spot {
	const struct cp_symbol *symbol; /* NULL: the frame's own */
	const char *file;               /* NULL: not known */
	uint32_t line, column;          /* 0: not known */
};
/*
 * The frame's own function and those inlined into it there, outermost first;
 * their number, 0 if no debug information tells.  Like cp_frame_symbol() it
 * answers for frames that were asked for.
 */
CP_API size_t cp_frame_spots(
    const struct cp_run *, cp_frame_id, const struct cp_spot **);
/*
 * The same stack in which inlined functions are frames of their own
 * (CP_FRAME_INLINED); the stack itself if there are none.  Only for finish(),
 * after cp_run_name().
 */
CP_API cp_stack_id cp_stack_inlined(struct cp_run *, cp_stack_id);

/*
 * Instructions of the straight run of code from the one at first to the one at
 * last, both counted.  0: not known, for want of the object's file or because
 * the run does not end where an instruction begins.  Only for finish().
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
	uint32_t size; /* 0: no instruction begins here, as far as is known */
};

struct cp_code {
	const struct cp_instruction *at; /* ascending */
	size_t n;
	const char *why; /* NULL, or why instructions are not known */
};

enum {
	CP_CODE_INTEL = 1, /* Intel's way to write x86, not AT&T's */
	CP_CODE_QUIET = 2, /* no diagnostic of code that is not to be had */
};

/*
 * The instructions of a function.  Each of the n ascending addresses is among
 * them: if no instruction begins there, as an entry without size.  Only for
 * finish().
 */
CP_API struct cp_code cp_run_code(struct cp_run *, const struct cp_symbol *,
    unsigned flags, const uint64_t *addr, size_t n);

/* The text of a source file. */
struct cp_listing {
	const char *path;  /* where it is from; NULL: not found */
	const char *check; /* what is known of its version, or why not found */
	const char *const *line; /* [0] is line 1 */
	uint32_t lines;
	uint8_t source; /* enum cp_source */
	uint8_t trust;  /* enum cp_trust */
};
/*
 * Of a spot's file, in an object that cp_run_code() was asked about; file is
 * the pointer that the spot has.
 */
CP_API struct cp_listing cp_run_listing(
    struct cp_run *, uint32_t dso, const char *file);

/*
 * CP_DSO_KERNEL: the run-time address of the symbol by which the recorder told
 * where the kernel lies, _text or _stext; 0: not known.
 */
CP_API uint64_t cp_run_dso_base(const struct cp_run *, uint32_t id);
/* That symbol, and the kernel's release; NULL: not known. */
CP_API const char *cp_run_dso_base_name(const struct cp_run *, uint32_t id);
CP_API const char *cp_run_dso_release(const struct cp_run *, uint32_t id);

/* What was found to name an object's addresses. */
struct cp_dso_state {
	const char *symbolizer; /* NULL: nothing was found */
	const char *path;       /* of the file used, or NULL */
	uint64_t symbols;       /* in it */
	uint8_t source;         /* enum cp_source */
	uint8_t trust;          /* enum cp_trust */
	bool mismatch; /* a file of another build was found, and not used */
	bool damaged;  /* a file was found that is no object, or cut */
	bool code;     /* the file that was mapped was found */
};
/* Of a dso id; only finish() may call it, after cp_run_name(). */
CP_API struct cp_dso_state cp_run_dso_state(struct cp_run *, uint32_t id);
/*
 * The same without the number of symbols, which may not be set: to count those
 * of a kernel takes long.
 */
CP_API struct cp_dso_state cp_run_dso_found(struct cp_run *, uint32_t id);

/* The files at hand for an object; NULL: none.  All may be the same. */
struct cp_dso_files {
	const char *code;    /* what was mapped */
	const char *symbols; /* with .symtab */
	const char *debug;   /* with debug information */
};
CP_API struct cp_dso_files cp_run_dso_files(struct cp_run *, uint32_t id);

/* ---------------------------------------------------------------- tally */

/* Counts by a 128-bit key: (a, b) is what the analysis makes of it. */
struct cp_tally;
struct cp_tally_row {
	uint64_t a, b;
	uint64_t count; /* samples */
	uint64_t weight;
	double weight_sq; /* sum of their squares, for intervals */
};
CP_API struct cp_tally *cp_tally_new(struct cp_run *);
CP_API void cp_tally_add(
    struct cp_tally *, uint64_t a, uint64_t b, uint64_t weight);
/* Takes all rows away; their memory is used again. */
CP_API void cp_tally_clear(struct cp_tally *);
CP_API size_t cp_tally_rows(
    const struct cp_tally *, const struct cp_tally_row **);

/* --------------------------------------------------------------- shares */

/*
 * A share is a part of a whole, and how sure it is depends on the samples of
 * the whole.  Hence an interval is made of these two, which are of different
 * types, and never of a number of samples: a row's number would be the wrong
 * one.
 */
struct cp_mass {
	uint64_t weight;
	double weight_sq; /* sum of the squared weights */
};
struct cp_whole {
	struct cp_mass mass;
	/* The variance measured, by that of independent samples; 0: 1. */
	double dispersion;
	bool complete; /* all that happened was recorded: nothing to guess */
};
/* What a row's samples weigh. */
CP_API struct cp_mass cp_row_mass(const struct cp_tally_row *);
/* All rows of the tally whose a is the event. */
CP_API struct cp_whole cp_tally_whole(
    const struct cp_run *, const struct cp_tally *, uint32_t evsel);
/* Whether each occurrence was recorded (-c 1), not a sample of them. */
CP_API bool cp_evsel_complete(const struct cp_evsel *);
/* Independent samples of equal weight that would tell as much of the share. */
CP_API double cp_effective(struct cp_mass part, struct cp_whole);
/* Wilson's 95 % interval of the share; lo > hi if the whole is complete. */
CP_API void cp_interval(
    struct cp_mass part, struct cp_whole, double *lo, double *hi);

/* --------------------------------------------------------------- report */

struct cp_report;
struct cp_table;
struct cp_tree;
struct cp_histogram;
struct cp_grid;
struct cp_lanes;

/* What a column holds decides how renderers align and format it. */
enum cp_column_type {
	CP_COL_TEXT,
	CP_COL_COUNT,  /* uint64, a number of things */
	CP_COL_WEIGHT, /* uint64, in the report's weight */
	CP_COL_SHARE,  /* 0...1 with its 95 % interval */
	CP_COL_TIME,   /* ns, a duration; CP_NO_TIME: not known */
	CP_COL_CLOCK,  /* ns, a moment of the capture's clock; the same */
	CP_COL_BYTES,
	CP_COL_ADDRESS,
	CP_COL_RATE,   /* double with its 95 % interval */
	CP_COL_CHANGE, /* signed fraction with its 95 % interval */
	CP_COL_CHANCE, /* double 0...1: a probability, a p-value */
	CP_COL_NUMBER, /* double, shown as it is */
};

/* Kind of a frame, for colours and level letters. */
enum cp_kind {
	CP_KIND_NONE, /* a thread, a total */
	CP_KIND_USER,
	CP_KIND_KERNEL,
	CP_KIND_INLINED,
	CP_KIND_JIT,
	CP_KIND_CXX,
	CP_KIND_HYPERVISOR,
	CP_KIND_GUEST,
	CP_KIND_UNKNOWN, /* no name */
};

/*
 * Sections are shown in the order they were added.  Texts are copied; they
 * are raw bytes and each renderer escapes them for its target.
 */
CP_API struct cp_table *cp_report_table(
    struct cp_report *, const char *slug, const char *title);
/* A table of code, with an event's name for a title: only pages show it. */
CP_API struct cp_table *cp_report_code(
    struct cp_report *, const char *slug, const char *title);
CP_API void cp_table_column(
    struct cp_table *, const char *name, enum cp_column_type);
/* Its name for machines ("run_ns"), if not made of the name: of CSV. */
CP_API void cp_table_key(struct cp_table *, const char *);
/*
 * The event that its rows are of: CSV, which has one table, makes one of the
 * tables of a slug, with a column that tells the event.
 */
CP_API void cp_table_event(struct cp_table *, const char *);
/*
 * Its rows are a text, in its last column, to be read on: people see nothing
 * where a number is 0, and on a narrow terminal fewer numbers.
 */
CP_API void cp_table_listing(struct cp_table *);
/* Its texts are sentences: below the row where a line has no room for them. */
CP_API void cp_table_prose(struct cp_table *);
/* Starts a row; then one cp_table_* call per column, in order. */
CP_API void cp_table_row(struct cp_table *);
CP_API void cp_table_text(struct cp_table *, const char *);
CP_API void cp_table_u64(struct cp_table *, uint64_t);
CP_API void cp_table_value(
    struct cp_table *, double value, double lo, double hi);
/* The share that part has of the whole, with its interval. */
CP_API void cp_table_share(
    struct cp_table *, struct cp_mass part, struct cp_whole);
/* Rows that were left out: how many and their weight. */
CP_API void cp_table_rest(struct cp_table *, uint64_t rows, uint64_t weight);
/* Text shows the first n rows; other formats have all. */
CP_API void cp_table_brief(struct cp_table *, size_t n);
/* Indents the current row under the one before it (callees of a row ...). */
CP_API void cp_table_indent(struct cp_table *, unsigned depth);
/*
 * The code that the current row is about, as struct cp_frame has addresses; of
 * a row of functions where the function begins.  JSON and pages have it.
 */
CP_API void cp_table_at_code(struct cp_table *, uint64_t addr);
/*
 * n rows, where they are too many to be kept: each is made while it is
 * written, by fn, which starts it and fills it.  They are asked for in
 * order, from 0 on, maybe more than once.  The table has no other rows.
 */
typedef void (*cp_row_fn)(void *ctx, struct cp_table *, uint64_t row);
CP_API void cp_table_rows(
    struct cp_table *, uint64_t n, cp_row_fn fn, void *ctx);

/* Weighted tree (flame graph). Node 0 is the root, made with the tree. */
struct cp_tree_node {
	const char *name;
	const char *detail; /* object, or "" */
	uint32_t parent;
	uint8_t kind;                  /* enum cp_kind */
	uint64_t self, total;          /* total is computed by the report */
	uint64_t samples;              /* behind self */
	double value;                  /* of its scale; not a number: unknown */
	uint64_t before, before_total; /* in the capture compared with */
};
CP_API struct cp_tree *cp_report_tree(
    struct cp_report *, const char *slug, const char *title);
/*
 * Adds a node and returns its number; parents first.  Nodes are not merged.
 * name and detail are kept, not copied: they must outlive the report (names
 * of symbols and interned strings do).
 */
CP_API uint32_t cp_tree_node(struct cp_tree *, uint32_t parent,
    const char *name, const char *detail, enum cp_kind);
CP_API void cp_tree_add(
    struct cp_tree *, uint32_t node, uint64_t weight, uint64_t samples);

/*
 * So much of the node's total, with all below it, is from stacks in which its
 * frame was guessed.
 */
CP_API void cp_tree_guess(
    struct cp_tree *, uint32_t node, enum cp_guess, uint64_t weight);

/*
 * What the tree's weights are, if not the report's: their name and type, and
 * what its samples are ("waits").  Texts are copied.
 */
CP_API void cp_tree_unit(struct cp_tree *, const char *name,
    enum cp_column_type, const char *samples);

/*
 * The tree's samples stand for others, as those of a clock do: another run has
 * others, and pictures mark nodes of so few that it may have none of them.
 */
CP_API void cp_tree_sampled(struct cp_tree *);

/* What the values of nodes mean, and so which colours they get. */
enum cp_scale {
	CP_SCALE_NONE, /* there are none: colours by kind of frame */
	/*
	 * -1 (blue, shrank) ... 0 (neutral) ... 1 (red, grew); in a tree with
	 * weights before: the binary logarithm of after / before
	 */
	CP_SCALE_CHANGE,
	/* against that of the whole: a quarter is blue, four times red */
	CP_SCALE_RATIO,
};
/* legend names the value: "CPI", "change".  whole: CP_SCALE_RATIO's. */
CP_API void cp_tree_scale(
    struct cp_tree *, enum cp_scale, double whole, const char *legend);
/* A node without a value, or with one that is no number, is neutral. */
CP_API void cp_tree_value(struct cp_tree *, uint32_t node, double value);
/*
 * Adds to what the node alone weighs in the capture that the tree's is
 * compared with.  In a tree that has such weights they are shown, too.
 */
CP_API void cp_tree_before(struct cp_tree *, uint32_t node, uint64_t weight);
/* Has such a tree laid out by the weights before instead. */
CP_API void cp_tree_reverse(struct cp_tree *);

/*
 * Histogram of a value.  A bin holds lo <= value < hi; bins are added in
 * ascending order, do not overlap, and may leave gaps.
 */
CP_API struct cp_histogram *cp_report_histogram(struct cp_report *,
    const char *slug, const char *title, const char *value,
    enum cp_column_type);
CP_API void cp_histogram_bin(
    struct cp_histogram *, uint64_t lo, uint64_t hi, uint64_t count);
/* Has bins weigh something beside their counts: "total", CP_COL_TIME. */
CP_API void cp_histogram_unit(
    struct cp_histogram *, const char *name, enum cp_column_type);
/* What the bin added last weighs. */
CP_API void cp_histogram_weight(struct cp_histogram *, uint64_t weight);

/*
 * An axis of a grid: count cells.  Cell i holds the values from + i * step up
 * to from + (i + 1) * step; or, with edges, edges[i] up to edges[i + 1]; or,
 * with labels, whatever labels[i] says (its type is CP_COL_TEXT).
 */
struct cp_axis {
	const char *name;
	enum cp_column_type type;
	uint32_t count;
	uint64_t from, step;
	const uint64_t *edges;     /* count + 1 */
	const char *const *labels; /* count */
};
/* Heat map.  value and type say what its cells hold; all is copied. */
CP_API struct cp_grid *cp_report_grid(struct cp_report *, const char *slug,
    const char *title, const struct cp_axis *x, const struct cp_axis *y,
    const char *value, enum cp_column_type);
/*
 * Adds to a cell; cells outside the axes are dropped.  Most may be empty.  A
 * value of CP_COL_RATE is in thousandths.
 */
CP_API void cp_grid_add(
    struct cp_grid *, uint32_t x, uint32_t y, uint64_t value);
/* What is shown of several cells where there is no room for each. */
enum cp_merge { CP_MERGE_SUM, CP_MERGE_MEAN, CP_MERGE_MOST };
CP_API void cp_grid_merge(struct cp_grid *, enum cp_merge);

/* What a span of time was: how renderers colour its kind. */
enum cp_tone {
	CP_TONE_PLAIN,
	CP_TONE_RUN,   /* running, on a CPU */
	CP_TONE_WAIT,  /* could run and does not */
	CP_TONE_BLOCK, /* waits for something else */
	CP_TONE_IDLE,
	CP_TONE_UNKNOWN,
};
/* Lanes of spans, over the capture's clock: one per thread, CPU, ... */
CP_API struct cp_lanes *cp_report_lanes(
    struct cp_report *, const char *slug, const char *title);
/* Adds a kind of spans, or a lane; answers its number, from 0. */
CP_API uint32_t cp_lanes_kind(
    struct cp_lanes *, const char *name, enum cp_tone);
CP_API uint32_t cp_lanes_lane(struct cp_lanes *, const char *name);
/*
 * start...end in ns of the capture's clock; text, which is copied, or NULL
 * says more.  Spans of a lane are added in order of time.
 */
CP_API void cp_lanes_span(struct cp_lanes *, uint32_t lane, uint32_t kind,
    uint64_t start, uint64_t end, const char *text);
/* How full the span added last was, 0...1; 1 if not said. */
CP_API void cp_lanes_level(struct cp_lanes *, double level);

/* The event that the report is about, if not cp_event_before()'s choice. */
CP_API void cp_report_event(struct cp_report *, const char *name);
CP_API void cp_report_scalar(struct cp_report *, const char *section,
    const char *key, enum cp_column_type, uint64_t value);
CP_API void cp_report_scalar_text(struct cp_report *, const char *section,
    const char *key, const char *value);
CP_API void cp_report_scalar_share(
    struct cp_report *, const char *section, const char *key, double value);
/* A share or a rate with its 95 % interval. */
CP_API void cp_report_scalar_value(struct cp_report *, const char *section,
    const char *key, enum cp_column_type, double value, double lo, double hi);
CP_API void cp_report_note(struct cp_report *, const char *fmt, ...)
    CP_PRINTF(2, 3);

/* ------------------------------------------------------------- analyses */

enum {
	CP_WANT_SAMPLES = 1,
	CP_WANT_STACKS = 2, /* else cp_sample.stack holds the ip only */
	CP_WANT_NAMES = 4,
	CP_WANT_RAW = 8,  /* cp_sample.raw, latency, data_src, branches ... */
	CP_WANT_ALL = 16, /* samples that the filters leave out, too */
	CP_WANT_OVERVIEW = 32, /* is part of `coldperf report` */
	CP_WANT_NO_STACK = 64, /* cp_sample.stack may be 0: saves time */
	CP_WANT_SPOTS = 128, /* inlined functions and lines of what is named */
	/*
	 * Several captures may be given, and are one to the analysis: their
	 * samples come one capture after the other, with one clock and without
	 * side-band records.
	 */
	CP_WANT_MERGED = 256,
	CP_WANT_BITS = 511, /* all of these */
};

/* One called "function" may be given as the word behind the capture, too. */
struct cp_option {
	const char *name;     /* long option, without dashes */
	const char *arg;      /* name of its argument, NULL: a switch */
	const char *fallback; /* default value, NULL: unset */
	const char *help;
};

struct cp_analysis {
	uint32_t abi;        /* CP_ABI */
	const char *name;    /* the command: coldperf NAME */
	const char *summary; /* one line, lower case, no full stop */
	uint32_t wants;
	const struct cp_option *options; /* ends with a NULL name; or NULL */
	size_t state_size; /* zeroed memory handed to every callback */
	int (*begin)(struct cp_run *, void *state);
	int (*sample)(struct cp_run *, void *state, const struct cp_sample *);
	/* Side-band records, in order with the samples; never filtered. */
	int (*event)(struct cp_run *, void *state, const struct cp_sideband *);
	int (*finish)(struct cp_run *, void *state, struct cp_report *);
	/*
	 * How many captures it takes; 0: one.  With several, capture() is
	 * called at the end of each (index from 0), where names of it can be
	 * asked for as in finish().  What the host handed out about it
	 * (strings, symbols, ids, fields) dies then; tallies, the state and
	 * memory of cp_run_alloc() live on.  finish() comes last, once.
	 */
	uint32_t captures;
	int (*capture)(struct cp_run *, void *state, uint32_t index);
};

/* A plug-in defines exactly one of these; built-ins are in list.def. */
#ifdef CP_BUILT_IN
#define CP_ANALYSIS_DEFINE(id) const struct cp_analysis cp_analysis_##id
#else
#define CP_ANALYSIS_DEFINE(id)                                                 \
	CP_API extern const struct cp_analysis cp_plugin;                      \
	const struct cp_analysis cp_plugin
#endif

#ifdef __cplusplus
}
#endif

#endif
