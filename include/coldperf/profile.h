/* SPDX-License-Identifier: MIT */
/*
 * coldperf/profile.h: the samples themselves as a section of a report.
 *
 * A profile holds the capture's samples as columns, and what they refer to:
 * events, threads, stacks, frames, symbols and objects, each by its number.
 * The analysis `profile' makes it; exports, the page, snapshots and SQL read
 * it (report/profile.h).  coldperf/plugin.h has the vocabulary.
 *
 * Rows are numbered in the order they are added.  Row 0 of objects, symbols,
 * frames, stacks and contexts means none; cp_report_profile() adds it.  A
 * parent stack comes before its children.
 *
 * Ownership: texts are kept, not copied.  They must outlive the report, as
 * names of symbols and interned strings do.  NULL is no text.
 *
 * Units: times are nanoseconds of the capture's clock, weights are in the
 * report's weight.
 */
#ifndef COLDPERF_PROFILE_H
#define COLDPERF_PROFILE_H

#include <coldperf/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cp_profile;

/* The files found for an object; bits. */
enum cp_profile_found {
	CP_PROFILE_CODE = 1,     /* the file that was mapped */
	CP_PROFILE_MISMATCH = 2, /* a file of another build, not used */
	/* a file that is not an object, or truncated */
	CP_PROFILE_DAMAGED = 4,
	CP_PROFILE_STRIPPED = 8, /* it lacks symbols of the samples' code */
	CP_PROFILE_DATA = 16,    /* no part of it was mapped executable */
};

struct cp_profile_object {
	const char *name; /* full recorded path, or [kernel.kallsyms] ... */
	uint8_t kind;     /* enum cp_dso_kind */
	uint8_t level;    /* enum cp_level: kernel or user */
	uint8_t build_id_size; /* 0: none was recorded */
	uint8_t build_id[20];
	uint8_t source; /* enum cp_source of most of its names */
	uint8_t trust;  /* enum cp_trust of that */
	uint32_t pid;   /* CP_DSO_ANON: the process of the JIT map */
	/* CP_DSO_KERNEL: see cp_run_dso_base(); 0: not known. */
	uint64_t base;
	const char *file; /* where its names were read; NULL: nowhere */
	uint64_t symbols; /* in it */
	uint32_t found;   /* enum cp_profile_found */
	/* CP_DSO_KERNEL: see cp_run_dso_base_name(); cp_run_dso_release() */
	const char *base_name, *release;
	const char *nickname; /* its name in tables; NULL: name */
	uint32_t id;          /* its number in reports; 0: none */
	const char *reason;   /* of the trust; NULL: not known */
};

struct cp_profile_symbol {
	const char *name;    /* demangled as the user asked */
	const char *raw;     /* as in the object */
	uint64_t start, end; /* in the terms of cp_profile_frame.addr */
	uint32_t object;
	uint8_t source;    /* enum cp_source */
	uint8_t trust;     /* enum cp_trust */
	const char *label; /* see cp_symbol; NULL: name */
};

/* A function active at a frame's address, and the line it is at. */
struct cp_profile_spot {
	uint32_t symbol;       /* 0: not known */
	const char *file;      /* NULL: not known */
	uint32_t line, column; /* 0: not known */
};

/*
 * One code address.  Its spots are its own function and those inlined into
 * it there, outermost first; without debug information there are none, and
 * `symbol' alone tells the function.
 */
struct cp_profile_frame {
	uint64_t addr; /* byte offset in the object's file; see cp_dso_kind */
	/* The address as objdump shows it; UINT64_MAX: not known. */
	uint64_t vaddr;
	uint32_t object; /* 0: the address was in no mapping */
	uint32_t symbol; /* of CP_SOURCE_BOUNDS: it has no name; 0: none */
	uint32_t first_spot, spots;
	uint8_t level; /* enum cp_level */
	uint8_t flags; /* CP_FRAME_* */
};

/* A node of the trie of stacks; it stands for the path from the root to it. */
struct cp_profile_stack {
	uint32_t parent; /* 0: the outermost frame */
	uint32_t frame;
};

/* A thread under one name: after a COMM record the same tid has another row. */
struct cp_profile_thread {
	uint32_t pid, tid;   /* CP_NO_ID: not recorded */
	const char *name;    /* its comm */
	const char *process; /* comm of the process' first thread, or NULL */
	uint64_t start, end; /* FORK, EXIT; CP_NO_TIME: not recorded */
	uint32_t capture;    /* cp_profile_capture() sets it; 0: the first */
};

struct cp_profile_event {
	const char *name;
	const char *unit; /* of the weights: "ns", "cycles", "samples" */
	uint32_t type;    /* PERF_TYPE_* */
	uint64_t config;
	uint64_t period; /* or frequency in Hz */
	bool freq;
	bool clock;    /* its weights are nanoseconds of CPU time */
	bool complete; /* each occurrence was recorded, not a sample of them */
	uint64_t samples, weight; /* of the rows below */
	uint64_t lost, lost_samples, throttled;
	uint64_t sample_type; /* PERF_SAMPLE_* */
	uint32_t stack_user;  /* bytes of each copy of a user stack */
	bool rates;           /* period is the largest of several */
	uint32_t capture;     /* as of a thread */
};

/* Where samples were taken, and how the unwinding of their stacks ended. */
struct cp_profile_context {
	const char *cgroup; /* path, or number without one; NULL: none */
	uint8_t unwound;    /* enum cp_unwind_end */
	uint32_t object;    /* whose code ended it; 0: none, or not known */
	/*
	 * What else a sample says, a line "key=value" each: "payload",
	 * "data_src", "snoop_status", "data_tlb", "data_lock", "cache_latency",
	 * "data_page_size", "code_page_size"; NULL: nothing, or no format has a
	 * place for it.
	 */
	const char *labels;
};

struct cp_profile_sample {
	uint64_t time; /* CP_NO_TIME */
	uint64_t weight;
	uint32_t stack, thread, event;
	uint32_t cpu;     /* CP_NO_ID */
	uint32_t context; /* 0: nothing is known */
};

/* Something that happened at one moment. */
struct cp_profile_mark {
	uint64_t time;
	uint32_t thread; /* CP_NO_ID: of none */
	uint32_t cpu;    /* CP_NO_ID */
	uint8_t kind;    /* enum cp_sideband_kind; never a switch */
	uint64_t count;  /* CP_SIDE_LOST: records or samples lost */
	const char *text;
};

/* The state of a thread in a span of time. */
struct cp_profile_state {
	uint64_t from, to;
	uint32_t thread;
	uint32_t cpu; /* running: where; else CP_NO_ID */
	uint8_t tone; /* enum cp_tone */
	/*
	 * Off the CPU: the stack at which it stopped running.  Context-switch
	 * records have none: that of the last sample since it got the CPU.
	 */
	uint32_t stack;
	uint32_t waker; /* thread that ended it; CP_NO_ID: not known */
	/* Blocked: "disk", "futex" ...; runnable: "preempted", "woken" */
	const char *reason; /* NULL: not known */
};

/*
 * One of several captures in a profile.  All are shown as if they had begun at
 * the same time as the first.
 */
struct cp_profile_capture {
	const char *name;    /* copied */
	uint64_t start, end; /* by its own clock; CP_NO_TIME: not known */
};

CP_API struct cp_profile *cp_report_profile(
    struct cp_report *, const char *slug, const char *title);
/* Each returns the row's number. */
CP_API uint32_t cp_profile_object(
    struct cp_profile *, const struct cp_profile_object *);
CP_API uint32_t cp_profile_symbol(
    struct cp_profile *, const struct cp_profile_symbol *);
CP_API uint32_t cp_profile_spot(
    struct cp_profile *, const struct cp_profile_spot *);
CP_API uint32_t cp_profile_frame(
    struct cp_profile *, const struct cp_profile_frame *);
CP_API uint32_t cp_profile_stack(
    struct cp_profile *, uint32_t parent, uint32_t frame);
CP_API uint32_t cp_profile_thread(
    struct cp_profile *, const struct cp_profile_thread *);
CP_API uint32_t cp_profile_event(
    struct cp_profile *, const struct cp_profile_event *);
CP_API uint32_t cp_profile_context(
    struct cp_profile *, const struct cp_profile_context *);
/* Makes room for n samples, which saves time if they are many. */
CP_API void cp_profile_expect(struct cp_profile *, uint64_t n);
/*
 * Adds a sample.  Samples come in order of time; those without a time keep
 * their recorded place.
 */
CP_API void cp_profile_sample(
    struct cp_profile *, const struct cp_profile_sample *);
CP_API void cp_profile_mark(
    struct cp_profile *, const struct cp_profile_mark *);
CP_API void cp_profile_state(
    struct cp_profile *, const struct cp_profile_state *);
/*
 * Ends one of several captures, to which the rows added since the last call
 * belong.  Their texts are copied, their times moved.  A profile of one capture
 * needs no such call.
 */
CP_API void cp_profile_capture(
    struct cp_profile *, const struct cp_profile_capture *);
/* Sorts the samples of several captures by time. */
CP_API void cp_profile_in_order(struct cp_profile *);

#ifdef __cplusplus
}
#endif

#endif
