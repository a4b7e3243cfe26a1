/* SPDX-License-Identifier: MIT */
/*
 * model/session-state.h: the session's types, and the functions of its parts.
 * Each part is one file that changes the session in the order of events.
 */
#ifndef CP_MODEL_SESSION_STATE_H
#define CP_MODEL_SESSION_STATE_H

#include "base/strings.h"
#include "base/tuning.h"
#include "model/callchain.h"
#include "model/dso.h"
#include "model/jit.h"
#include "model/map.h"
#include "model/order/order.h"
#include "model/recording.h"
#include "model/stack.h"

enum { CP_GONE_PROCESSES = 1024 };

/* Input and result of unwinding one user stack. */
struct cp_unwind {
	struct cp_aspace *space; /* the mappings at the sample's time */
	struct cp_jit *jit;      /* JIT code of the process; NULL: none */
	const struct cp_ev_sample *sample; /* user_regs, user_stack */
	/* registers and stack have the other byte order */
	bool swap;
	/* the dump has the full size asked for: more stack may exist */
	bool cut;
	uint64_t *words; /* room for the result: markers and addresses */
	size_t max;
	enum cp_unwind_end end;
	uint32_t dso; /* object whose frame ended the walk; 0: none */
};
/* Reads again the sample whose early unwinding does not hold. */
typedef const struct cp_event *(*cp_again_fn)(
    void *ctx, const struct cp_queued *);
/* Unwinds a stack.  Returns the number of words. */
typedef size_t (*cp_unwind_fn)(void *ctx, struct cp_unwind *);

/* What a chain of frame pointers has of a frame's caller. */
enum cp_caller { CP_CALLER_RECORDED, CP_CALLER_LOST };
/*
 * Has the chain the caller of an exact user frame?  above: the next frame of
 * the chain, or NULL: then RECORDED means that the function has set up its
 * frame there.  If the caller is lost and only one can have been there, *out
 * becomes its frame.
 */
typedef enum cp_caller (*cp_caller_fn)(void *ctx, const struct cp_frame *,
    const struct cp_frame *above, struct cp_frame *out);

/* The branches of a thread's last sample, and callers stitched to them. */
struct cp_stitch {
	uint64_t hw_idx;
	uint32_t nr;            /* number of branches; 0: none yet */
	uint8_t *branches;      /* as recorded, up to info.lbr_size */
	CP_VEC(uint64_t) older; /* sources of older branches */
};

/* A process; its threads share it. */
struct cp_process {
	uint32_t pid;
	uint32_t threads; /* seen and not exited */
	struct cp_aspace *aspace;
	struct cp_dso_info *code; /* code in no file; NULL: none */
	/* made by fork, and no exec since; NULL: not known */
	const struct cp_process *parent;
	uint64_t born;      /* time of its fork or exec; 0: not known */
	bool heir;          /* its mappings may still have its parent's code */
	uint8_t pid_ns;     /* enum cp_pid_ns */
	struct cp_jit *jit; /* JIT code; NULL: none */
};

/*
 * A sample's control group is its path with this mark, or the number of one
 * whose path is not known.
 */
#define CP_CGROUP_OF_PATH (UINT64_C(1) << 63)

/* The kernel of a virtual machine. */
struct cp_guest {
	uint32_t pid; /* on the host; 0: any */
	struct cp_aspace *kernel;
};

/* Finds and reads the mapped dump.  False: not found. */
typedef bool (*cp_jit_open)(void *ctx, const char *recorded, uint32_t pid,
    uint64_t mapped, struct cp_jit *);

/* Reads the whole capture for the first path of each control group. */
typedef void (*cp_cgroups_fn)(void *ctx, struct cp_map64 *paths);

struct cp_thread {
	uint32_t tid, pid; /* pid CP_NO_ID: not known yet */
	bool exited;
	bool named; /* comm was recorded, not made from the tid */
	cp_string_id comm;
	struct cp_process *process; /* NULL: not known yet */
};

/* A counter's value, and for how many ns it was enabled and running. */
struct cp_counter {
	uint64_t value, enabled, running;
};

struct cp_session {
	struct cp_recording *rec;
	struct cp_quality *quality;
	struct cp_diags *diags;
	uint64_t period_room; /* what periods may still add up to */
	struct cp_strings strings;
	struct cp_dsos dsos;
	struct cp_chains chains;
	struct cp_stacks stacks;
	struct cp_arena arena;
	struct cp_script_names *script; /* owned by the run; NULL: none */
	struct cp_map64 threads;        /* tid -> index + 1 */
	struct cp_map64 processes;      /* pid -> index + 1 */
	CP_VEC(struct cp_thread) thread;
	/* Index + 1 of threads by low bits of tid; indexes never change. */
	uint32_t recent[CP_RECENT_THREADS];
	CP_VEC(struct cp_process *) process;
	size_t map_copies; /* mappings copied for forked processes */
	/*
	 * Processes whose threads have all exited.  The last samples of a
	 * process come after its EXIT, so its mappings live until
	 * CP_GONE_PROCESSES more have exited.
	 */
	struct cp_process *gone[CP_GONE_PROCESSES];
	size_t gone_at;
	struct cp_aspace *kernel; /* mappings of kernel, modules, BPF */
	/* the empty space of samples without a process */
	struct cp_aspace *no_process;
	uint32_t kernel_generation;
	uint32_t generations;    /* last generation number used */
	struct cp_map64 cgroups; /* number -> string id of its path now */
	/* Of numbers that have no path when a sample has them: see cgroup.c. */
	struct cp_map64 later_cgroups;   /* number -> string id */
	struct cp_map64 unnamed_cgroups; /* number -> samples */
	cp_cgroups_fn cgroups_ahead;     /* NULL: there is one reading only */
	void *cgroups_ctx;
	bool cgroups_read;
	/* hash of a module's build ID -> string id of the first with it */
	struct cp_map64 module_ids;
	struct cp_map64 build_ids; /* name -> index + 1 in info.build_ids */
	size_t build_ids_seen;
	cp_string_id vmlinux; /* the kernel's name in build_ids; 0: none */
	/* Code that runs after the kernel's text: see mmap.c. */
	uint64_t slack_start, slack_end;
	size_t vmlinux_seen;     /* entries of build_ids handled so far */
	struct cp_map64 older;   /* generation << 32 | chain -> stack */
	struct cp_map64 callers; /* generation << 32 | callers -> stack + 1 */
	CP_VEC(struct cp_guest) guests;
	cp_jit_open jit_open; /* NULL: jitdumps are not read */
	void *jit_ctx;
	CP_VEC(struct cp_jit *) jits;
	/* processes that have, or had, JIT code */
	CP_VEC(struct cp_process *) jit_users;
	/* the first event after this time brings new code into force */
	uint64_t jit_due;
	CP_VEC(struct cp_queued) deferred;
	size_t deferred_bytes; /* of copied events */
	cp_unwind_fn unwind;   /* NULL: user stacks are not unwound */
	void *unwind_ctx;
	cp_again_fn again;   /* NULL: samples are kept whole */
	bool only_code;      /* see CP_NO_CODE: of what is unwound, too */
	cp_caller_fn caller; /* NULL: chains are taken as recorded */
	void *caller_ctx;
	CP_VEC(uint8_t) frameless; /* by frame id, see lost-callers.c */
	struct cp_map64 between;   /* caller << 32 | frame -> frame + 1 */
	bool unwind_always; /* unwind even if the recorded chain is longer */
	uint64_t *unwound;  /* room for a chain being joined */
	uint32_t chain;     /* of the current sample, after unwinding */
	bool stitch_lbr;    /* --stitch-lbr was given */
	/* keep the chain's recorded leaf, see callchain.h */
	bool as_recorded;
	struct cp_map64 stitch_threads; /* tid -> index + 1 in stitches */
	CP_VEC(struct cp_stitch) stitches;
	struct cp_map64 counter_ids; /* id -> a number from 1 */
	uint32_t n_counter_ids;
	struct cp_map64 counters;          /* number << 32 | tid -> index + 1 */
	CP_VEC(struct cp_counter) counter; /* last values read */
	uint64_t max_counters;
	uint32_t readings; /* number of records with counter values */
};

/* ------------------------------------------------------------------- parts */

/*
 * apply.c: applies an event.  Returns 1 with a sample in *out, 0 if there are
 * no more.  *cursor starts at 0; call again with it for the next sample.
 */
int cp_session_apply(struct cp_session *, const struct cp_queued *,
    uint32_t *cursor, struct cp_sample *out);
/* Applies a `plain` sample, which makes exactly one sample. */
void cp_session_plain(
    struct cp_session *, const struct cp_queued *, struct cp_sample *out);

/* Fills the stack of a sample whose counters did not grow. */
void cp_session_uncounted(
    struct cp_session *, const struct cp_queued *, struct cp_sample *out);

/*
 * counter.c: finds the next counter value that increased, to be counted as a
 * sample.  False: there are no more.
 */
bool cp_session_read(struct cp_session *, const struct cp_queued *,
    uint32_t *cursor, struct cp_evsel_info **evsel, struct cp_counter *);

/* cgroup.c: the control group of a sample that has this number. */
uint64_t cp_session_cgroup_of(struct cp_session *, uint64_t number);
void cp_session_cgroup(struct cp_session *, const struct cp_ev_cgroup *);
/* Adds the path of a record to a map of numbers. */
void cp_cgroups_add(
    struct cp_session *, struct cp_map64 *paths, const struct cp_ev_cgroup *);

/* deferred-chain.c: samples that wait for their chain's user part. */
int cp_session_defer(
    struct cp_session *, const struct cp_queued *, cp_order_sink, void *ctx);
int cp_session_undefer(
    struct cp_session *, const struct cp_event *, cp_order_sink, void *ctx);
int cp_session_undefer_all(struct cp_session *, cp_order_sink, void *ctx);

/* mmap.c */
void cp_session_mmap(struct cp_session *, const struct cp_event *);
void cp_session_namespaces(
    struct cp_session *, const struct cp_ev_namespaces *);
void cp_session_ksymbol(struct cp_session *, const struct cp_ev_ksymbol *);
void cp_session_build_id(struct cp_session *, const struct cp_ev_build_id *);

/*
 * Sets the build ID that the capture's table has for the name, if k has none.
 * True: the table has several for it.
 */
bool cp_session_id_of_name(struct cp_session *, struct cp_dso_key *k);
/* Notes which file an object was mapped from whose ID is known by name. */
void cp_dso_note_file(struct cp_dso_info *, const struct cp_dso_key *);

/*
 * text-copy.c: makes an anonymous mapping one of the file whose code was copied
 * there.  False: it is none.  listed: the mappings are a list of what a running
 * process had.
 */
bool cp_text_copied(
    struct cp_session *, struct cp_aspace *, struct cp_map *, bool listed);
/* The copy that ends where m, more code of the file, goes on.  False: none. */
bool cp_text_goes_on(const struct cp_session *, const struct cp_aspace *,
    const struct cp_map *m, bool listed, struct cp_map *copy);

/* guest.c: the kernel of the guest that the process is; NULL: unknown. */
struct cp_aspace *cp_session_guest(
    struct cp_session *, const struct cp_process *);
void cp_session_guest_mmap(struct cp_session *, const struct cp_ev_mmap *);

/* jit-session.c: code described by a jitdump. */
void cp_session_jit_mmap(
    struct cp_session *, struct cp_process *, const struct cp_event *);
void cp_session_jit_inherit(struct cp_session *, struct cp_process *child,
    const struct cp_process *parent);
void cp_session_jit_advance(struct cp_session *, uint64_t time);
/* [start, end) of the process was mapped anew: drops JIT code there. */
void cp_session_jit_forget(
    struct cp_session *, struct cp_process *, uint64_t start, uint64_t end);

/*
 * user-stack.c: returns the chain with its user stack unwound, or the recorded
 * chain.  Sets in the sample how the unwinding ended.
 */
uint32_t cp_session_unwind(struct cp_session *, struct cp_process *,
    const struct cp_queued *, struct cp_sample *);
/* Sets in the sample how unwinding ended, if the recorded chain tells. */
void cp_session_told_end(struct cp_session *, struct cp_process *,
    const struct cp_queued *, struct cp_sample *);
/* True if the recorder cut the chain at its limit, 127 addresses by default. */
static inline bool
cp_chain_truncated(uint64_t n, const struct cp_attr *a)
{
	return n > (a->max_stack != 0 ? a->max_stack : 127u);
}
/*
 * Reads again a sample whose early unwinding does not hold.  *now then has
 * *copy as its event.  False: reading failed; the sample has an address, no
 * chain.
 */
bool cp_session_again(struct cp_session *, const struct cp_queued *,
    struct cp_queued *now, struct cp_event *);

/*
 * Unwinds a stack when its record is read, before the sample's time.  False:
 * process or mappings are unknown yet, so the event must be kept.
 */
bool cp_session_unwind_early(
    struct cp_session *, const struct cp_event *, struct cp_queued *);

/* user-stack.c: adds the caller that an arm64 chain lacks. */
uint32_t cp_session_leaf_caller(
    struct cp_session *, struct cp_process *, const struct cp_queued *);

/* lbr-stitch.c: the chain, extended by callers of the previous sample. */
uint32_t cp_session_stitch(struct cp_session *, const struct cp_queued *);
void cp_session_stitch_free(struct cp_session *);

/*
 * anon.c: the object of a process's mapping of no file.  name NULL: that of the
 * process's perf map.  Returns NULL at the limit.
 */
struct cp_dso_info *cp_session_anon(struct cp_session *, struct cp_process *,
    const char *name, bool runs, const struct cp_map *);
/*
 * Makes code in no file that the process has from its parent its own object.
 * Call it for an heir, before an address of it is looked up.
 */
void cp_session_inherit(struct cp_session *, struct cp_process *);
/* lost-callers.c: the frame that stands between two; 0: none. */
cp_frame_id cp_session_between(
    struct cp_session *, cp_frame_id, cp_frame_id above);

/* resolve.c: turns addresses into a stack. */
struct cp_aspace *cp_session_space(struct cp_session *, struct cp_process *);
cp_stack_id cp_session_stack_(
    struct cp_session *, struct cp_process *, const struct cp_queued *);
/*
 * A chain within the kernel means the same in every process.  Such chains are
 * resolved under the kernel's generation, in the upper half of the numbers.
 */
static inline cp_stack_id
cp_session_stack(
    struct cp_session *s, struct cp_process *p, const struct cp_queued *q)
{
	const struct cp_chain *c = &s->chains.all.data[s->chain];
	const struct cp_aspace *a = p != NULL ? p->aspace : s->no_process;
	uint32_t generation =
	    c->kernel ? s->kernel_generation | 1u << 31 : a->generation;

	if (CP_LIKELY(c->generation == generation && a->old == NULL &&
		      a->kernel_generation == s->kernel_generation &&
		      (p == NULL || !p->heir)))
		return c->stack;
	return cp_session_stack_(s, p, q);
}
/*
 * Resolves n >= 2 words (marker, leaf, callers), which it overwrites.  The
 * result is valid for out->generation: the space's current one.
 */
void cp_session_resolve(struct cp_session *, struct cp_process *,
    uint64_t *words, size_t n, struct cp_early *out);
/* Returns the frame of one address. */
cp_frame_id cp_session_frame(struct cp_session *, struct cp_process *,
    enum cp_level, uint64_t ip, uint8_t flags);

#endif
