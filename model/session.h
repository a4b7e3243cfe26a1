/* SPDX-License-Identifier: MIT */
/*
 * model/session.h: threads, address spaces, objects and stacks as they were
 * at the time of the event at hand.
 *
 * Only apply.c changes it, one event after the other.
 */
#ifndef CP_MODEL_SESSION_H
#define CP_MODEL_SESSION_H

#include "base/strings.h"
#include "model/chain.h"
#include "model/dso.h"
#include "model/map.h"
#include "model/order.h"
#include "model/recording.h"
#include "model/stack.h"

enum { CP_GONE_PROCESSES = 1024 };

/* One pid; its threads share it. */
struct cp_process {
	uint32_t pid;
	uint32_t threads; /* that were seen and have not exited */
	struct cp_aspace *aspace;
};

struct cp_thread {
	uint32_t tid, pid; /* pid CP_NO_ID: not known yet */
	bool exited;
	bool named; /* comm was recorded, and is not made up of the tid */
	cp_string_id comm;
	struct cp_process *process; /* NULL: not known yet */
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
	struct cp_map64 threads; /* tid -> index + 1 */
	struct cp_map64 processes; /* pid -> index + 1 */
	CP_VEC(struct cp_thread) thread;
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
	uint32_t generations; /* numbers handed out */
	struct cp_map64 cgroups; /* id -> string id */
	struct cp_map64 build_ids; /* name -> index + 1 in info.build_ids */
	size_t build_ids_seen;
	cp_string_id vmlinux; /* the kernel's name in build_ids; 0: none */
	size_t vmlinux_seen; /* how many of build_ids were looked at */
	struct cp_map64 older; /* generation << 32 | chain -> stack */
	struct cp_map64 callers; /* the same of callers -> stack + 1 */
	CP_VEC(struct cp_queued) deferred;
	size_t deferred_bytes; /* of copied events */
	struct cp_map64 counter_ids; /* id -> a number from 1 */
	uint32_t n_counter_ids;
	struct cp_map64 counters; /* number << 32 | tid -> index + 1 */
	CP_VEC(uint64_t) counter; /* last value read */
};

void cp_session_init(struct cp_session *, struct cp_recording *,
    struct cp_quality *, struct cp_diags *);
void cp_session_free(struct cp_session *);

/*
 * Applies an event.  1: *out describes a sample of it; call again with the
 * same cursor, which starts at 0, for the next.  0: there are no more.
 */
int cp_session_apply(struct cp_session *, const struct cp_queued *,
    uint32_t *cursor, struct cp_sample *out);

/*
 * read.c: the next counter value of a sample that counted as one since the
 * sample before; false: no more.
 */
bool cp_session_read(struct cp_session *, const struct cp_queued *,
    uint32_t *cursor, struct cp_evsel_info **evsel, uint64_t *period);

/* deferred.c: samples that wait for the user part of their chain. */
int cp_session_defer(struct cp_session *, const struct cp_queued *,
    cp_order_sink, void *ctx);
int cp_session_undefer(struct cp_session *, const struct cp_event *,
    cp_order_sink, void *ctx);
int cp_session_undefer_all(struct cp_session *, cp_order_sink, void *ctx);

/* thread.c */
struct cp_thread *cp_session_thread(
    struct cp_session *, uint32_t pid, uint32_t tid);
void cp_session_fork(struct cp_session *, const struct cp_ev_task *,
    bool copy_maps);
void cp_session_exit(struct cp_session *, const struct cp_ev_task *);
void cp_session_comm(
    struct cp_session *, const struct cp_ev_comm *, bool exec);

/* mmap.c */
void cp_session_mmap(struct cp_session *, const struct cp_event *);
void cp_session_ksymbol(struct cp_session *, const struct cp_ev_ksymbol *);
void cp_session_build_id(
    struct cp_session *, const struct cp_ev_build_id *);

/* resolve.c: addresses -> stack. */
cp_stack_id cp_session_stack(struct cp_session *, struct cp_process *,
    const struct cp_queued *);
/* One address; used for the words of a chain. */
cp_frame_id cp_session_frame(struct cp_session *, struct cp_process *,
    enum cp_level, uint64_t ip, uint8_t flags);

#endif
