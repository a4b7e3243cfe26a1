/* SPDX-License-Identifier: MIT */
/*
 * model/session-state.h: the session's types, and the functions of its parts:
 * one file each, which change the session in the order of events.
 */
#ifndef CP_MODEL_SESSION_STATE_H
#define CP_MODEL_SESSION_STATE_H

#include "base/strings.h"
#include "base/tuning.h"
#include "model/callchain.h"
#include "model/dso.h"
#include "model/jit.h"
#include "model/map.h"
#include "model/order.h"
#include "model/recording.h"
#include "model/stack.h"

enum { CP_GONE_PROCESSES = 1024 };

/* A user stack to be unwound, and what came of it. */
struct cp_unwind {
	struct cp_aspace *space; /* as it was when the sample was taken */
	struct cp_jit *jit;      /* code of the process by a jitdump; or NULL */
	const struct cp_ev_sample *sample; /* user_regs, user_stack */
	bool swap;                         /* they have the other byte order */
	bool cut;        /* the dump is as large as was asked for */
	uint64_t *words; /* room for the chain: markers and addresses */
	size_t max;
	enum cp_unwind_end end;
	uint32_t dso; /* that ended it; 0: none */
};
/* Reads the sample that was unwound too early again. */
typedef const struct cp_event *(*cp_again_fn)(
    void *ctx, const struct cp_queued *);
/* Gives the number of words. */
typedef size_t (*cp_unwind_fn)(void *ctx, struct cp_unwind *);

/* The branches of a thread's last sample, and what was found behind them. */
struct cp_stitch {
	uint64_t hw_idx;
	uint32_t nr;             /* 0: none yet */
	uint8_t *branches;       /* as recorded, info.lbr_size at most */
	CP_VEC(uint64_t) behind; /* where older ones came from */
};

/* One pid; its threads share it. */
struct cp_process {
	uint32_t pid;
	uint32_t threads; /* that were seen and have not exited */
	struct cp_aspace *aspace;
	struct cp_dso_info *code; /* that no file holds; NULL: none */
	uint8_t pid_ns;           /* enum cp_pid_ns */
	struct cp_jit *jit;       /* its code by a jitdump; NULL: none */
};

/* The kernel of a virtual machine. */
struct cp_guest {
	uint32_t pid; /* on the host; 0: any */
	struct cp_aspace *kernel;
};

/* Finds and reads the dump that was mapped; false: there is none. */
typedef bool (*cp_jit_open)(void *ctx, const char *recorded, uint32_t pid,
    uint64_t mapped, struct cp_jit *);

struct cp_thread {
	uint32_t tid, pid; /* pid CP_NO_ID: not known yet */
	bool exited;
	bool named; /* comm was recorded, and is not made up of the tid */
	cp_string_id comm;
	struct cp_process *process; /* NULL: not known yet */
};

/* What a counter counted, and for how many ns. */
struct cp_counter {
	uint64_t value, enabled, running;
};

struct cp_session {
	struct cp_recording *rec;
	struct cp_quality *quality;
	struct cp_diags *diags;
	struct cp_strings strings;
	struct cp_dsos dsos;
	struct cp_chains chains;
	struct cp_stacks stacks;
	struct cp_arena arena;
	struct cp_map64 threads;   /* tid -> index + 1 */
	struct cp_map64 processes; /* pid -> index + 1 */
	CP_VEC(struct cp_thread) thread;
	/* Index + 1 of those last asked for, by tid; they keep their place. */
	uint32_t recent[CP_RECENT_THREADS];
	CP_VEC(struct cp_process *) process;
	size_t map_copies; /* that forked processes have of their own */
	/*
	 * Processes whose threads have all exited.  The last samples of a
	 * process come after its EXIT, so mappings live until so many others
	 * have gone.
	 */
	struct cp_process *gone[CP_GONE_PROCESSES];
	size_t gone_at;
	struct cp_aspace *kernel; /* kernel, modules, BPF */
	struct cp_aspace *nobody; /* of samples without a process */
	uint32_t kernel_generation;
	uint32_t generations;      /* numbers handed out */
	struct cp_map64 cgroups;   /* id -> string id */
	struct cp_map64 build_ids; /* name -> index + 1 in info.build_ids */
	size_t build_ids_seen;
	cp_string_id vmlinux;    /* the kernel's name in build_ids; 0: none */
	size_t vmlinux_seen;     /* how many of build_ids were looked at */
	struct cp_map64 older;   /* generation << 32 | chain -> stack */
	struct cp_map64 callers; /* the same of callers -> stack + 1 */
	CP_VEC(struct cp_guest) guests;
	cp_jit_open jit_open; /* NULL: nobody can */
	void *jit_ctx;
	CP_VEC(struct cp_jit *) jits;
	CP_VEC(struct cp_process *) jit_users; /* that have, or had, one */
	uint64_t jit_due; /* a later event brings new code into force */
	CP_VEC(struct cp_queued) deferred;
	size_t deferred_bytes; /* of copied events */
	cp_unwind_fn unwind;   /* NULL: user stacks are not unwound */
	void *unwind_ctx;
	cp_again_fn again;  /* NULL: samples are kept */
	bool unwind_always; /* even if the recorded chain knows more */
	uint64_t *unwound;  /* a chain being joined */
	uint32_t chain;     /* of the sample at hand, user stack unwound */
	bool stitch_lbr;    /* wanted */
	bool as_recorded;   /* chains keep their leaf, see callchain.h */
	struct cp_map64 stitch_threads; /* tid -> index + 1 in stitches */
	CP_VEC(struct cp_stitch) stitches;
	struct cp_map64 counter_ids; /* id -> a number from 1 */
	uint32_t n_counter_ids;
	struct cp_map64 counters;          /* number << 32 | tid -> index + 1 */
	CP_VEC(struct cp_counter) counter; /* as last read */
	uint32_t readings; /* records with counter values so far */
};

/* ------------------------------------------------------------------- parts */

/*
 * apply.c: applies an event.  1: *out describes a sample of it; call again with
 * the same cursor, which starts at 0, for the next.  0: there are no more.
 */
int cp_session_apply(struct cp_session *, const struct cp_queued *,
    uint32_t *cursor, struct cp_sample *out);
/* The same of one that is `plain`, which makes one sample. */
void cp_session_plain(
    struct cp_session *, const struct cp_queued *, struct cp_sample *out);

/* Of a sample that came to nothing, for no counter grew: only its stack. */
void cp_session_uncounted(
    struct cp_session *, const struct cp_queued *, struct cp_sample *out);

/*
 * counter.c: the next counter value of a sample that counted as one since the
 * sample before; false: no more.
 */
bool cp_session_read(struct cp_session *, const struct cp_queued *,
    uint32_t *cursor, struct cp_evsel_info **evsel, struct cp_counter *);

/* deferred-chain.c: samples that wait for the user part of their chain. */
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

/* guest.c: the kernel of the guest that a process is; NULL: not known. */
struct cp_aspace *cp_session_guest(
    struct cp_session *, const struct cp_process *);
void cp_session_guest_mmap(struct cp_session *, const struct cp_ev_mmap *);

/* jit-session.c: code that a jitdump describes. */
void cp_session_jit_mmap(
    struct cp_session *, struct cp_process *, const struct cp_event *);
void cp_session_jit_inherit(struct cp_session *, struct cp_process *child,
    const struct cp_process *parent);
void cp_session_jit_advance(struct cp_session *, uint64_t time);
/* [start, end) of the process is something else now. */
void cp_session_jit_forget(
    struct cp_session *, struct cp_process *, uint64_t start, uint64_t end);

/*
 * user-stack.c: the chain of a sample with its user stack unwound, or as it was
 * recorded.  Says in the sample how that ended.
 */
uint32_t cp_session_unwind(struct cp_session *, struct cp_process *,
    const struct cp_queued *, struct cp_sample *);
/* The recorder cuts chains at its limit, 127 addresses unless told. */
static inline bool
cp_chain_truncated(uint64_t n, const struct cp_attr *a)
{
	return n > (a->max_stack != 0 ? a->max_stack : 127u);
}
/*
 * A sample that was unwound too early as if it had been kept: in *now, whose
 * event is *copy.  False: it is no more; then it has an address, no chain.
 */
bool cp_session_again(struct cp_session *, const struct cp_queued *,
    struct cp_queued *now, struct cp_event *);

/*
 * Unwinds the stack of a sample when it is read, before its time has come.
 * False: its process or mappings are not known yet, and the event must be
 * kept.
 */
bool cp_session_unwind_early(
    struct cp_session *, const struct cp_event *, struct cp_queued *);

/* Room for a chain of any length that is being joined, and for another. */
uint64_t *cp_session_words(struct cp_session *);

/* user-stack.c: the chain of a sample with the caller that arm64 leaves out.
 */
uint32_t cp_session_leaf_caller(
    struct cp_session *, struct cp_process *, const struct cp_queued *);

/* lbr-stitch.c: the chain of a sample with call stacks of branches, or longer.
 */
uint32_t cp_session_stitch(struct cp_session *, const struct cp_queued *);
void cp_session_stitch_free(struct cp_session *);

/* resolve.c: addresses -> stack. */
struct cp_aspace *cp_session_space(struct cp_session *, struct cp_process *);
cp_stack_id cp_session_stack_(
    struct cp_session *, struct cp_process *, const struct cp_queued *);
/*
 * Chains that never leave the kernel mean the same in every process: they
 * are kept under the kernel's generation, in the upper half of the numbers.
 */
static inline cp_stack_id
cp_session_stack(
    struct cp_session *s, struct cp_process *p, const struct cp_queued *q)
{
	const struct cp_chain *c = &s->chains.all.data[s->chain];
	const struct cp_aspace *a = p != NULL ? p->aspace : s->nobody;
	uint32_t generation =
	    c->kernel ? s->kernel_generation | 1u << 31 : a->generation;

	if (CP_LIKELY(c->generation == generation && a->old == NULL &&
		      a->kernel_generation == s->kernel_generation))
		return c->stack;
	return cp_session_stack_(s, p, q);
}
/*
 * A stack of n >= 2 words: marker, leaf and callers; changes them.  It holds
 * for out->generation, the process's own now.
 */
void cp_session_resolve(struct cp_session *, struct cp_process *,
    uint64_t *words, size_t n, struct cp_early *out);
/* One address; used for the words of a chain. */
cp_frame_id cp_session_frame(struct cp_session *, struct cp_process *,
    enum cp_level, uint64_t ip, uint8_t flags);

#endif
