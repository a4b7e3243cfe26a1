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

#define CP_ABI 4

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
	bool runs;    /* user space only: a part of it was mapped executable */
	/* CP_DSO_ANON: that process's parent, whose map may have its code */
	uint32_t parent; /* 0: not known */
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
	CP_FRAME_HOST = 8,     /* has inlined parts; see cp_stack_inlined() */
	CP_FRAME_SCANNED = 16, /* found by a scan of the stack (--stack-scan) */
	/* found by the instructions about to be executed */
	CP_FRAME_EDGE = 32,
	/*
	 * Stands where a chain of frame pointers lacks a caller: alone for one
	 * that is not known, with GUESSED for the only function that can have
	 * been there.
	 */
	CP_FRAME_LOST = 64,
};

/* One code address, unique: same dso, addr, level and flags, same frame id. */
struct cp_frame {
	uint64_t addr; /* byte offset in the dso's file, or see cp_dso_kind */
	uint32_t dso;  /* dso id, 0: the address was in no mapping */
	uint8_t level; /* enum cp_level */
	uint8_t flags;
};

/* How a frame was guessed, the most certain method first. */
enum cp_guess {
	/* not guessed: found by an unwind table, or recorded */
	CP_GUESS_NONE,
	CP_GUESS_EDGE,    /* by the next instructions, or the link register */
	CP_GUESS_POINTER, /* the frame pointer */
	CP_GUESS_SCAN,    /* by a scan of each word of the stack */
	/* a lost caller: the only function whose code leads to the frame */
	CP_GUESS_CALL,
	CP_GUESSES
};
CP_API enum cp_guess cp_frame_guess(const struct cp_frame *);
/* Returns the method as text, "frame pointer"; "" for CP_GUESS_NONE. */
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
	CP_SOURCE_GOPCLNTAB, /* the tables of a Go program */
	/* the functions hit, as simpleperf recorded them */
	CP_SOURCE_SIMPLEPERF,
	CP_SOURCE_PERF_SCRIPT, /* text that perf script printed */
	CP_SOURCE_PROFILE,     /* a profile of another tool, read as it is */
	CP_SOURCE_BOUNDS,      /* no name, but its start and end are known */
};

enum cp_trust {
	CP_TRUST_NONE,     /* no name */
	CP_TRUST_VERIFIED, /* build IDs compared equal */
	CP_TRUST_ABSENT,   /* no build ID to compare */
	CP_TRUST_MISMATCH, /* used against a different build ID, on request */
	CP_TRUST_RECORDED, /* from the recorder, which had the file that ran */
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
	bool mangled;   /* no demangler knows it */
	/*
	 * The name, and those of other functions whose code is the same, as
	 * linkers fold it: "alpha_sum (= beta_sum)".  NULL: there are none.
	 */
	const char *label;
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
	uint64_t lost;    /* number of its records that were lost */
	uint64_t lost_samples;
	uint64_t throttled;  /* THROTTLE records */
	uint32_t stack_user; /* bytes of user stack asked for; 0: none */
	bool on_exec;        /* begins when a command is executed */
	bool rates;          /* captures at lower ones were added up, too */
	const char *unit;    /* of a counter: "msec"; "" */
	double scale;        /* to have that unit */
};

/*
 * What a counter of `perf stat record` counted in one round, which is from one
 * reading to the next.  A counter is of an event on a CPU or of a thread.
 */
struct cp_reading {
	uint32_t event;  /* index of its cp_evsel */
	uint32_t cpu;    /* CP_NO_ID: any */
	uint32_t thread; /* in the capture's list of threads */
	uint32_t tid;    /* CP_NO_ID: all */
	uint32_t round;  /* from 0 */
	uint64_t value;
	uint64_t enabled, running; /* ns; it counted while running */
};
/* How perf stat was asked to show them. */
enum cp_counted_by {
	CP_COUNTED_ALL,
	CP_COUNTED_CPUS,    /* each CPU */
	CP_COUNTED_SOCKETS, /* each socket */
	CP_COUNTED_PARTS,   /* each core, thread, die, ... */
};
struct cp_stat {
	const struct cp_reading *readings;
	size_t n;
	const uint64_t *times; /* ns from the beginning; when rounds ended */
	size_t rounds; /* less than those of readings if the last has no end */
	uint64_t elapsed; /* ns; 0: not known */
	uint8_t by;       /* enum cp_counted_by */
	bool begun;       /* perf stat's own records are there */
	bool unended;     /* the record that ends them is not */
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

/* One sample.  A field that was not recorded has the value in its comment. */
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
	/*
	 * False, only with CP_WANT_ALL, if a filter (--comm, --time ...) leaves
	 * the sample out.
	 */
	bool kept;
	const uint8_t *raw; /* NULL, or raw_size bytes, tracepoint payload */
	uint32_t raw_size;
	uint8_t unwound; /* enum cp_unwind_end */
	/* object whose code ended it; 0: none, or not known */
	uint32_t unwound_dso;
	/* With CP_WANT_RAW; 0 where not recorded. */
	uint64_t latency; /* PERF_SAMPLE_WEIGHT */
	uint64_t data_src, phys_addr;
	uint32_t branches; /* entries of its branch stack */
	/* For counter values (PERF_SAMPLE_READ); else 0. */
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
	CP_SIDE_COMM, /* tid has another name now */
	CP_SIDE_LOST, /* of cpu: records or samples were lost before it */
	/* of cpu: an event was stopped, it had too many samples */
	CP_SIDE_THROTTLE,
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

/* Whose events a capture has. */
enum cp_scope {
	CP_SCOPE_UNKNOWN,
	CP_SCOPE_SYSTEM, /* of all threads */
	CP_SCOPE_CPUS,   /* of all threads on some CPUs */
	CP_SCOPE_TASKS,  /* of some processes or threads, and of no others */
};
/*
 * By the events (enable_on_exec) and perf's command line.  UNKNOWN where
 * neither tells.  In a pipe it is known when the first sample is.
 */
CP_API enum cp_scope cp_run_scope(const struct cp_run *);

CP_API uint32_t cp_run_evsel_count(const struct cp_run *);
CP_API const struct cp_evsel *cp_run_evsel(const struct cp_run *, uint32_t);
/*
 * Is event a better to show than b?  Events that measure CPU time come first
 * (cycles, then cpu-clock, then task-clock), then other sampled events,
 * tracepoints last; among equals the one with more samples.
 */
CP_API bool cp_event_before(const struct cp_evsel *a, uint64_t samples_a,
    const struct cp_evsel *b, uint64_t samples_b);
/*
 * Returns the first event of the same meaning.  A hybrid processor has an event
 * of the same meaning for each kind of core; they are shown together.
 */
CP_API uint32_t cp_run_event_of(struct cp_run *, uint32_t evsel);
/*
 * Returns the name of an event: the names of all events of its meaning that
 * have samples, "cpu_atom/cycles/ + cpu_core/cycles/".
 */
CP_API const char *cp_run_event_name(struct cp_run *, uint32_t event);
/* The socket and core of a CPU; false: not recorded. */
CP_API bool cp_run_topology(
    const struct cp_run *, uint32_t cpu, uint32_t *socket, uint32_t *core);
/* What perf stat counted; NULL: nothing. */
CP_API const struct cp_stat *cp_run_counted(struct cp_run *);
/* The command of that thread of a reading; "": not known. */
CP_API const char *cp_run_counted_comm(const struct cp_run *, uint32_t thread);
CP_API const char *cp_run_string(const struct cp_run *, cp_string_id);
CP_API cp_string_id cp_run_intern(struct cp_run *, const char *);
CP_API const struct cp_dso *cp_run_dso(const struct cp_run *, uint32_t id);
CP_API uint32_t cp_run_dso_count(const struct cp_run *); /* ids are <= it */
/* The path; NULL: no record has it. */
CP_API const char *cp_run_cgroup(const struct cp_run *, uint64_t id);
CP_API void cp_run_diag(struct cp_run *, enum cp_diag_id, const char *, ...)
    CP_PRINTF(3, 4);

/*
 * Replaces the table's `wants` when the options need less (or more): without
 * CP_WANT_STACKS no chain is resolved.  Only begin() may call it.
 */
CP_API void cp_run_wants(struct cp_run *, uint32_t wants);

/*
 * Fails a gate (diff --fail-over): coldperf prints the reason and exits with
 * status 1, unless a worse status applies.  Only for finish().
 */
CP_API void cp_run_fail(struct cp_run *, const char *, ...) CP_PRINTF(2, 3);
/* Marks a gate as undecided: status 6. */
CP_API void cp_run_undecided(struct cp_run *, const char *, ...)
    CP_PRINTF(2, 3);

/* Zeroed memory that lives as long as the run.  Never NULL. */
CP_API void *cp_run_alloc(struct cp_run *, size_t);
/*
 * Gives back n bytes of cp_run_alloc() at once; for large arrays. n must be the
 * size that was asked for; NULL is ignored.
 */
CP_API void cp_run_free(struct cp_run *, void *, size_t n);

/*
 * Returns the analysis that the user asked for.  An analysis that is run in
 * addition (quality, for machines) should not make the run more expensive.
 */
CP_API const char *cp_run_command(const struct cp_run *);
/*
 * For an analysis that is run in addition: returns the share of an event's
 * weight from which on a function's code is put into the page; 0: no code.
 */
CP_API double cp_run_code_share(const struct cp_run *);
/*
 * Returns the smallest share of a tree that some output draws; 0: all of it.
 * Lighter nodes of a tree of calls may be one cp_tree_narrow() below their
 * parent.
 */
CP_API double cp_run_tree_share(const struct cp_run *);

/* Returns the value of one of the analysis' own options, or its default. */
CP_API const char *cp_run_option(const struct cp_run *, const char *name);
CP_API bool cp_run_option_bool(const struct cp_run *, const char *name);
CP_API uint64_t cp_run_option_u64(const struct cp_run *, const char *name);
CP_API double cp_run_option_double(const struct cp_run *, const char *name);

/*
 * Returns the compiled value of an option that chooses symbols by a name, a
 * glob or a regular expression.  NULL: not given, or refused.
 */
struct cp_pattern;
CP_API const struct cp_pattern *cp_run_option_pattern(
    struct cp_run *, const char *name);
/*
 * Does a symbol match?  The pattern is compared with the name in the object,
 * with the whole name, with the name as it is shown, without parameters and
 * template arguments, and with the last components of each.
 */
CP_API bool cp_symbol_fits(const struct cp_pattern *, const struct cp_symbol *);
/*
 * Reports that none of these functions matches the option; lists the nearest
 * first, equals in the order given: heaviest first.
 */
CP_API void cp_run_no_match(
    struct cp_run *, const char *option, const char *const *names, size_t n);
/*
 * Returns the form of a function's name that tables show where space is short,
 * without template arguments and parameters, and the last component of that.
 * They live as long as the run.
 */
CP_API const char *cp_run_name_short(struct cp_run *, const char *name);
CP_API const char *cp_run_name_last(struct cp_run *, const char *name);

/*
 * Returns the unit that --weight counts: "period", "samples", "time", or a
 * field's name.
 */
CP_API const char *cp_run_weight_name(const struct cp_run *);

/* Are several captures analysed as one?  See CP_WANT_MERGED. */
CP_API bool cp_run_merged(const struct cp_run *);

/* Facts about the capture as (key, value) pairs in a fixed order. */
struct cp_fact {
	const char *group; /* "host", "recording", "file", "event" ... */
	const char *key;
	const char *value;
};
CP_API size_t cp_run_facts(const struct cp_run *, const struct cp_fact **);
CP_API const char *cp_run_fact(const struct cp_run *, const char *key);

/*
 * Returns the moment from which "+seconds" of --time count; CP_NO_TIME: not
 * known.
 */
CP_API uint64_t cp_run_start(const struct cp_run *);
/*
 * Returns, in capture(), the report that finish() will get; NULL: there is none
 * yet.
 */
CP_API struct cp_report *cp_run_report(const struct cp_run *);
/*
 * Writes a moment of the capture as wall-clock text; false: the clock is not
 * known.
 */
CP_API bool cp_run_wall_clock(
    const struct cp_run *, uint64_t time, char *buf, size_t size);

/* Exact account of what was read and what was lost. */
struct cp_quality {
	uint64_t bytes_total; /* of the input; 0: a stream of unknown length */
	uint64_t bytes_parsed;
	uint64_t bytes_skipped;
	/* of compressed records, and left out after damage in them */
	uint64_t bytes_inflated, bytes_undecided;
	/* named by the header, but after the end of the input */
	uint64_t bytes_missing;
	uint64_t gaps;        /* damaged spans jumped over */
	uint64_t gap_time_ns; /* between the samples before and after them */
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
	uint64_t unwound;          /* those whose stack was unwound */
	/* of these, those that ended before the outermost frame */
	uint64_t unwound_part;
	uint64_t aux_bytes;             /* not decoded */
	uint64_t first_time, last_time; /* of samples; CP_NO_TIME if none */
	double weight_sq; /* sum of squared weights kept, for intervals */
	/* the recorder was killed before it wrote the header */
	bool killed;
	bool cut; /* the input ends in the middle of a record */
	/* samples whose chain lacks the caller of a function without a frame */
	uint64_t lost_callers;
	/* of these, those where only one function can have been the caller */
	uint64_t inferred_callers;
};
CP_API const struct cp_quality *cp_run_quality(const struct cp_run *);
/*
 * Returns how much was lost.  Records of both kinds may tell of the same losses
 * of a capture; those of captures added up are others.
 */
CP_API uint64_t cp_run_lost(const struct cp_run *);

/* -------------------------------------------------------------- samples */

/*
 * Finds a field of a tracepoint's payload by name; NULL: the event is not a
 * tracepoint, or has no such field.  In a pipe the layout is known from the
 * event's first sample on.  The field lives as long as the run.
 */
struct cp_field;
CP_API const struct cp_field *cp_run_field(
    struct cp_run *, uint32_t evsel, const char *name);
/*
 * Reads the field's number, sign-extended; false: it is not a number, or is cut
 * off.
 */
CP_API bool cp_field_u64(
    const struct cp_field *, const struct cp_sample *, uint64_t *out);
/* Reads element i of an array of n equal elements in the same way. */
CP_API bool cp_field_item(const struct cp_field *, const struct cp_sample *,
    uint32_t i, uint32_t n, uint64_t *out);
/*
 * Finds the place of a number in the payload, for fast access in millions of
 * samples: 1, 2, 4 or 8 bytes at an offset.  False: it is not a number.
 */
struct cp_field_at {
	uint32_t offset, size;
	bool is_signed, swap; /* swap: the other byte order */
};
CP_API bool cp_field_place(const struct cp_field *, struct cp_field_at *);
/*
 * Returns the field's text, without a NUL at its end; NULL: it is not a text,
 * or is cut off.
 */
CP_API const char *cp_field_text(
    const struct cp_field *, const struct cp_sample *, size_t *len);
/*
 * Returns the payload of the current sample as perf script prints it, by the
 * event's print format; without one, its fields as name=value.  NULL: the
 * sample has no payload, or its layout is not known.  Valid until the next
 * call.
 */
CP_API const char *cp_sample_payload(
    struct cp_run *, const struct cp_sample *, size_t *len);
/*
 * Returns the number of fields of an event's payload without the common ones,
 * in their order; 0: the event has none, or its layout is not known.
 */
enum cp_field_kind { CP_FIELD_NUMBER, CP_FIELD_TEXT, CP_FIELD_ARRAY };
struct cp_field_type {
	const char *name, *type; /* as in the format: "pid_t" */
	uint32_t size;           /* bytes; of a dynamic array 4 */
	uint8_t kind;            /* enum cp_field_kind */
	bool is_signed;
};
CP_API size_t cp_run_field_types(
    struct cp_run *, uint32_t evsel, const struct cp_field_type **);
/* Returns the print format of the event; "" if it was not recorded. */
CP_API const char *cp_run_print_format(const struct cp_run *, uint32_t evsel);

/* Returns branch i of the current sample; i < branches. */
CP_API struct cp_branch cp_sample_branch(
    const struct cp_run *, const struct cp_sample *, uint32_t i);
/*
 * Returns the frame of another address at the time of the current sample: of a
 * branch, or of data.  It is named like a frame of a stack.  CP_LEVEL_UNKNOWN:
 * the address decides between user and kernel.
 */
CP_API cp_frame_id cp_sample_frame(
    struct cp_run *, const struct cp_sample *, uint64_t addr, enum cp_level);

/*
 * Returns the current process and name of a thread; false: the thread is not
 * known.
 */
CP_API bool cp_run_thread(
    const struct cp_run *, uint32_t tid, uint32_t *pid, cp_string_id *comm);
/*
 * Does the thread run a 32-bit program now?  Such a program uses other numbers
 * of system calls on a 64-bit kernel.  The mapping of the vdso shows it; false
 * if that was not recorded.
 */
CP_API bool cp_run_thread_narrow(const struct cp_run *, uint32_t tid);
/* Do the filters of the command line keep an event, a task, a CPU, a time? */
CP_API bool cp_run_keeps_event(struct cp_run *, uint32_t evsel);
CP_API bool cp_run_keeps_task(
    const struct cp_run *, uint32_t pid, uint32_t tid, cp_string_id comm);
CP_API bool cp_run_keeps_cpu(const struct cp_run *, uint32_t cpu);
CP_API bool cp_run_keeps_time(struct cp_run *, uint64_t time);
/*
 * Returns the first and last time that --time keeps: 0...UINT64_MAX without it.
 */
CP_API void cp_run_window(struct cp_run *, uint64_t *from, uint64_t *to);
/*
 * Returns how much of the time between first and last sample that is, in ns: of
 * captures added up it is chosen of each.  0: one of them has no times.
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

/* ---------------------------------------------------------------- tally */

/* Counts by a 128-bit key (a, b), whose meaning the analysis chooses. */
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
/* Removes all rows; their memory is reused. */
CP_API void cp_tally_clear(struct cp_tally *);
CP_API size_t cp_tally_rows(
    const struct cp_tally *, const struct cp_tally_row **);
/*
 * Returns the tally of (event, innermost frame) of all samples that are kept:
 * one for all analyses, which only read it.  Only for begin(); the host fills
 * it, so it is complete in finish().
 */
CP_API const struct cp_tally *cp_run_leaves(struct cp_run *);

/* ---------------------------------------------------------------- spill */

/* Bytes kept until they are read; if they are many, in a temporary file. */
struct cp_spill;
CP_API struct cp_spill *cp_spill_new(struct cp_run *);
CP_API void cp_spill_add(struct cp_spill *, const void *, size_t n);
CP_API void cp_spill_clear(struct cp_spill *);
/*
 * Reads n of the bytes that were added, from number `at' on.  False: the
 * temporary file cannot be read.
 */
CP_API bool cp_spill_read(
    const struct cp_spill *, uint64_t at, void *, size_t n);

/* --------------------------------------------------------------- shares */

/*
 * A share is a part of a whole; its precision depends on the samples of the
 * whole.  So an interval is computed from these two, which have different
 * types, and never from a number of samples, which could be that of the row by
 * mistake.
 */
struct cp_mass {
	uint64_t weight;
	double weight_sq; /* sum of the squared weights */
};
struct cp_whole {
	struct cp_mass mass;
	/*
	 * The measured variance relative to that of independent samples; 0
	 * means 1.
	 */
	double dispersion;
	bool complete; /* each occurrence was recorded, so shares are exact */
};
/* Returns the weight of a row's samples. */
CP_API struct cp_mass cp_row_mass(const struct cp_tally_row *);
/* Returns the sum of all rows of the tally whose a is the event. */
CP_API struct cp_whole cp_tally_whole(
    const struct cp_run *, const struct cp_tally *, uint32_t evsel);
/* Was each occurrence recorded (-c 1), not a sample of them? */
CP_API bool cp_evsel_complete(const struct cp_evsel *);
/*
 * Returns the number of independent samples of equal weight that give the same
 * precision.
 */
CP_API double cp_effective(struct cp_mass part, struct cp_whole);
/*
 * Computes Wilson's 95 % interval of the share; lo > hi if the whole is
 * complete.
 */
CP_API void cp_interval(
    struct cp_mass part, struct cp_whole, double *lo, double *hi);

/* --------------------------------------------------------------- report */

struct cp_report;
struct cp_table;
struct cp_tree;
struct cp_histogram;
struct cp_grid;
struct cp_lanes;

/* The type of a column decides how renderers align and format it. */
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

/*
 * A column of a table, as data: its head, its type, and where they are not the
 * usual ones its role and its id for machines, "run_ns" as in CSV, which is
 * else derived from the head.
 */
struct cp_column_spec {
	const char *head;
	enum cp_column_type type;
	unsigned role; /* bits CP_COLUMN_... */
	const char *id;
};
enum {
	/* Sentences: shown below the row if the line is too short. */
	CP_COLUMN_PROSE = 1,
	/* Text leaves it out unless --columns names it; others have it. */
	CP_COLUMN_MINOR = 2,
};
#define CP_COLUMN(head, type, role, id)                                        \
	{                                                                      \
		head, type, role, id                                           \
	}
#define CP_TEXT(head) CP_COLUMN(head, CP_COL_TEXT, 0, NULL)
#define CP_PROSE(head) CP_COLUMN(head, CP_COL_TEXT, CP_COLUMN_PROSE, NULL)
#define CP_COUNT(head) CP_COLUMN(head, CP_COL_COUNT, 0, NULL)
#define CP_WEIGHT(head) CP_COLUMN(head, CP_COL_WEIGHT, 0, NULL)
#define CP_SHARE(head) CP_COLUMN(head, CP_COL_SHARE, 0, NULL)
#define CP_TIME(head) CP_COLUMN(head, CP_COL_TIME, 0, NULL)
#define CP_CLOCK(head) CP_COLUMN(head, CP_COL_CLOCK, 0, NULL)
#define CP_BYTES(head) CP_COLUMN(head, CP_COL_BYTES, 0, NULL)
#define CP_ADDRESS(head) CP_COLUMN(head, CP_COL_ADDRESS, 0, NULL)
#define CP_RATE(head) CP_COLUMN(head, CP_COL_RATE, 0, NULL)
#define CP_CHANGE(head) CP_COLUMN(head, CP_COL_CHANGE, 0, NULL)
#define CP_CHANCE(head) CP_COLUMN(head, CP_COL_CHANCE, 0, NULL)
#define CP_NUMBER(head) CP_COLUMN(head, CP_COL_NUMBER, 0, NULL)

/*
 * Adds a table with its columns.  CP_COLUMNS() stands for an array of them and
 * its length:
 *
 *	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
 *		CP_COUNT("Samples"), CP_TEXT("Object") };
 *	t = cp_report_table(rep, "objects", "Objects", CP_COLUMNS(columns));
 */
CP_API struct cp_table *cp_report_table(struct cp_report *, const char *slug,
    const char *title, const struct cp_column_spec *, size_t n);
#define CP_COLUMNS(array) (array), sizeof(array) / sizeof((array)[0])
/*
 * Adds a table of code, with an event's name for a title: only pages show it.
 */
CP_API struct cp_table *cp_report_code(struct cp_report *, const char *slug,
    const char *title, const struct cp_column_spec *, size_t n);
/* Adds more columns, before the first row; cp_table_column() adds one. */
CP_API void cp_table_columns(
    struct cp_table *, const struct cp_column_spec *, size_t n);
#define cp_table_column(t, ...)                                                \
	cp_table_columns((t), &(const struct cp_column_spec)__VA_ARGS__, 1)
/* Leaves a column out.  Rows still have its value, which is dropped. */
CP_API void cp_table_without(struct cp_table *, const char *head);
/*
 * Sets the event of the table's rows.  CSV, which has one table, joins the
 * tables of a slug and adds a column with the event.
 */
CP_API void cp_table_event(struct cp_table *, const char *);
/*
 * Marks the table as a listing: its last column is a text that people read from
 * row to row.  Numbers that are 0 are left blank, and a narrow terminal shows
 * fewer columns of numbers.
 */
CP_API void cp_table_listing(struct cp_table *);
/*
 * Shows the table in JSON only: it has the parts of what sentences elsewhere in
 * the report say.
 */
CP_API void cp_table_data(struct cp_table *);

/* The value of a row in one column. */
struct cp_cell {
	union {
		const char *text;
		uint64_t u64;
		double number;
	};
	double lo, hi; /* interval of a number; lo > hi: none */
	uint8_t kind;  /* enum cp_cell_kind */
};
enum cp_cell_kind {
	CP_CELL_END, /* after the last one of a row */
	CP_CELL_TEXT,
	CP_CELL_ID, /* u64 in a column of texts; CP_NO_ID: "-" */
	CP_CELL_U64,
	CP_CELL_NUMBER,
	CP_CELL_NONE, /* of a column of any type */
};
/*
 * Adds a row: one value for each column, in order, of the column's type.  A
 * text, a double without an interval and an unsigned integer are taken as they
 * are; cp_cell_...() makes the others:
 *
 *	cp_table_add(t, cp_cell_share(mass, whole), row->count, name);
 *
 * cp_table_row() begins a row that cp_table_cells() fills in several calls.  A
 * value of the wrong type, one too many or too few is a diagnostic with the
 * analysis, table and row, and the cell stays empty.
 */
#define cp_table_add(t, ...)                                                   \
	(cp_table_row(t), cp_table_put((t), CP_CELLS(__VA_ARGS__)))
CP_API void cp_table_row(struct cp_table *);
#define cp_table_cells(t, ...) cp_table_put((t), CP_CELLS(__VA_ARGS__))
/* Adds cells up to CP_CELL_END, or CP_CELLS_MOST. */
CP_API void cp_table_put(struct cp_table *, const struct cp_cell *);

static inline struct cp_cell
cp_cell_same(struct cp_cell c)
{
	return c;
}
static inline struct cp_cell
cp_cell_text(const char *text)
{
	struct cp_cell c = { { text }, 1, 0, CP_CELL_TEXT };

	return c;
}
static inline struct cp_cell
cp_cell_u64(uint64_t v)
{
	struct cp_cell c = { { NULL }, 1, 0, CP_CELL_U64 };

	c.u64 = v;
	return c;
}
/* lo > hi: no interval. */
static inline struct cp_cell
cp_cell_value(double v, double lo, double hi)
{
	struct cp_cell c = { { NULL }, lo, hi, CP_CELL_NUMBER };

	c.number = v;
	return c;
}
static inline struct cp_cell
cp_cell_number(double v)
{
	return cp_cell_value(v, 1, 0);
}
/* The share of part in the whole, with its interval. */
CP_API struct cp_cell cp_cell_share(struct cp_mass part, struct cp_whole);
/* The id of a process, thread, CPU ... in a column of texts. */
CP_API struct cp_cell cp_cell_id(uint64_t);
CP_API struct cp_cell cp_cell_none(void);

enum { CP_CELLS_MOST = 20 };
#ifndef __cplusplus /* there: cp_table_put() with an array */
#define CP_CELL(x)                                                             \
	_Generic((x), char *: cp_cell_text, const char *: cp_cell_text,        \
	    void *: cp_cell_text, double: cp_cell_number,                      \
	    float: cp_cell_number, struct cp_cell: cp_cell_same,               \
	    default: cp_cell_u64)(x)
#define CP_CELLS(...)                                                          \
	CP_CELLS_(__VA_ARGS__, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, \
	    CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E,  \
	    CP_E, CP_E)
#define CP_E ((struct cp_cell){ .kind = CP_CELL_END })
#define CP_CELLS_(                                                             \
    a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, over, ...)     \
	(const struct cp_cell[])                                               \
	{                                                                      \
		CP_CELL(a), CP_CELL(b), CP_CELL(c), CP_CELL(d), CP_CELL(e),    \
		    CP_CELL(f), CP_CELL(g), CP_CELL(h), CP_CELL(i),            \
		    CP_CELL(j), CP_CELL(k), CP_CELL(l), CP_CELL(m),            \
		    CP_CELL(n), CP_CELL(o), CP_CELL(p), CP_CELL(q),            \
		    CP_CELL(r), CP_CELL(s), CP_CELL(t), CP_CELL(over)          \
	}
#endif

/* Sets the number and weight of the rows that were left out. */
CP_API void cp_table_rest(struct cp_table *, uint64_t rows, uint64_t weight);
/* Makes text show the first n rows only; other formats have all. */
CP_API void cp_table_brief(struct cp_table *, size_t n);
/* Indents the current row under the one before it (callees of a row ...). */
CP_API void cp_table_indent(struct cp_table *, unsigned depth);
/*
 * Sets the address of the current row's code, as in struct cp_frame; for a
 * function its start.  JSON and pages show it.
 */
CP_API void cp_table_at_code(struct cp_table *, uint64_t addr);
/*
 * Sets the object of the current row's function, which several may share the
 * name with.  JSON and pages show its number.
 */
CP_API void cp_table_in_object(struct cp_table *, uint32_t dso);
/*
 * Adds n rows that are too many to be kept.  fn starts and fills each row while
 * it is written.  Rows are requested in order, from 0 on, maybe more than once.
 * The table must have no other rows.
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
	uint64_t samples;              /* number of samples in self */
	double value;                  /* on the tree's scale; NaN: unknown */
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
 * Adds the part of the node's total that comes from stacks in which its frame
 * was guessed.
 */
CP_API void cp_tree_guess(
    struct cp_tree *, uint32_t node, enum cp_guess, uint64_t weight);

/*
 * Sets name and type of the tree's weights, if they differ from the report's,
 * and a word for its samples ("waits").  Texts are copied.
 */
CP_API void cp_tree_unit(struct cp_tree *, const char *name,
    enum cp_column_type, const char *samples);

/*
 * Marks the tree as sampled, by a clock for example: another run has other
 * samples.  Pictures mark nodes with so few samples that another run may have
 * none.
 */
CP_API void cp_tree_sampled(struct cp_tree *);

/*
 * Places the node: it begins at that weight.  A tree with such nodes is one in
 * order of time, a flame chart: a node begins where it did, and what of it is
 * below no other is its own.  Each node but the root needs a place.
 */
CP_API void cp_tree_start(struct cp_tree *, uint32_t node, uint64_t start);
/* Says that the node stands for so many more frames too narrow for nodes. */
CP_API void cp_tree_narrow(struct cp_tree *, uint32_t node, uint64_t frames);

/* The meaning of the nodes' values, which decides their colours. */
enum cp_scale {
	CP_SCALE_NONE, /* no values: colours by kind of frame */
	/*
	 * -1 (blue, shrank) ... 0 (neutral) ... 1 (red, grew); in a tree with
	 * weights before: the binary logarithm of after / before
	 */
	CP_SCALE_CHANGE,
	/*
	 * relative to the ratio of the whole: a quarter is blue, four times red
	 */
	CP_SCALE_RATIO,
	/* 0 (blue, time off the CPU) ... 1 (red, on it); in between: of both */
	CP_SCALE_CPU,
};
/* legend names the value: "CPI", "change".  whole: CP_SCALE_RATIO's. */
CP_API void cp_tree_scale(
    struct cp_tree *, enum cp_scale, double whole, const char *legend);
/* Sets a node's value.  A node without a value, or with NaN, is neutral. */
CP_API void cp_tree_value(struct cp_tree *, uint32_t node, double value);
/*
 * Adds to the node's self weight in the capture before, with which the tree is
 * compared.  A tree that has such weights shows them, too.
 */
CP_API void cp_tree_before(struct cp_tree *, uint32_t node, uint64_t weight);
/* Lays out such a tree by the weights before instead. */
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
/* Gives bins a weight in addition to their counts: "total", CP_COL_TIME. */
CP_API void cp_histogram_unit(
    struct cp_histogram *, const char *name, enum cp_column_type);
/* Sets the weight of the bin added last. */
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
/* How cells are merged if there is no room for each. */
enum cp_merge { CP_MERGE_SUM, CP_MERGE_MEAN, CP_MERGE_MOST };
CP_API void cp_grid_merge(struct cp_grid *, enum cp_merge);

/* The state in a span of time; renderers choose its colour by it. */
enum cp_tone {
	CP_TONE_PLAIN,
	CP_TONE_RUN,   /* running, on a CPU */
	CP_TONE_WAIT,  /* runnable, but not running */
	CP_TONE_BLOCK, /* blocked: waits for something other than a CPU */
	CP_TONE_IDLE,
	CP_TONE_UNKNOWN,
};
/* Lanes of spans, over the capture's clock: one per thread, CPU, ... */
CP_API struct cp_lanes *cp_report_lanes(
    struct cp_report *, const char *slug, const char *title);
/* Adds a kind of spans, or a lane; returns its number, from 0. */
CP_API uint32_t cp_lanes_kind(
    struct cp_lanes *, const char *name, enum cp_tone);
CP_API uint32_t cp_lanes_lane(struct cp_lanes *, const char *name);
/*
 * Adds a span: start...end in ns of the capture's clock; text is a description,
 * which is copied, or NULL.  Spans of a lane are added in order of time.
 */
CP_API void cp_lanes_span(struct cp_lanes *, uint32_t lane, uint32_t kind,
    uint64_t start, uint64_t end, const char *text);
/* Sets how full the span added last was, 0...1; 1 by default. */
CP_API void cp_lanes_level(struct cp_lanes *, double level);

/*
 * Sets the event of the report, if it is not the one that cp_event_before()
 * chooses.
 */
CP_API void cp_report_event(struct cp_report *, const char *name);
CP_API void cp_report_scalar(struct cp_report *, const char *section,
    const char *key, enum cp_column_type, uint64_t value);
CP_API void cp_report_scalar_text(struct cp_report *, const char *section,
    const char *key, const char *value);
CP_API void cp_report_scalar_share(
    struct cp_report *, const char *section, const char *key, double value);
/* Adds a share or a rate with its 95 % interval. */
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
	CP_WANT_ALL = 16, /* also samples that the filters leave out */
	CP_WANT_OVERVIEW = 32, /* is part of `coldperf report` */
	CP_WANT_NO_STACK = 64, /* cp_sample.stack may be 0: saves time */
	CP_WANT_SPOTS = 128,   /* inlined functions and lines of named frames */
	/*
	 * Several captures may be given, which the analysis sees as one:
	 * samples come one capture after the other, with one clock and without
	 * side-band records.
	 */
	CP_WANT_MERGED = 256,
	CP_WANT_BITS = 511, /* all of these */
};

/*
 * An option of an analysis.  One that is named "function" may also be given as
 * the word after the capture.
 */
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
	 * Number of captures that the analysis takes; 0: one.  With several,
	 * capture() is called at the end of each (index from 0); it can ask for
	 * names as finish() can.  Strings, symbols, ids and fields of the
	 * capture are invalid after it; tallies, the state and memory of
	 * cp_run_alloc() live on.  finish() is called once, at the end.
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
