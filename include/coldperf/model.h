/* SPDX-License-Identifier: MIT */
/*
 * coldperf/model.h: the words of a capture: objects, frames, symbols, events,
 * samples, and what happened to tasks.
 */
#ifndef COLDPERF_MODEL_H
#define COLDPERF_MODEL_H

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
struct cp_report;

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
	 * been there, and with CALLER for all that a limit leaves out.
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
	bool chosen;        /* the same, but that --time may leave it out */
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
	/* With CP_WANT_RAW: bytes; 0 where not recorded. */
	uint64_t data_page_size, code_page_size;
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

#ifdef __cplusplus
}
#endif

#endif
