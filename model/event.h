/* SPDX-License-Identifier: MIT */
/*
 * model/event.h: one decoded record.
 *
 * readers/ makes it, model/ reads it.  It is in host byte order, and every
 * length was checked against the record.  Pointers lead into the reader's
 * window and are valid until the next event is read; order/keep.c copies what
 * must live longer.  Layouts are those of linux/perf_event.h and of perf's own
 * records.
 */
#ifndef CP_MODEL_EVENT_H
#define CP_MODEL_EVENT_H

#include "base/base.h"

/*
 * Record types: the kernel's, from 64 on perf's own, from 32768 simpleperf's.
 * X(number, name)
 */
/* clang-format off */
#define CP_RECORDS(X) \
	X(1, MMAP) X(2, LOST) X(3, COMM) X(4, EXIT) X(5, THROTTLE) \
	X(6, UNTHROTTLE) X(7, FORK) X(8, READ) X(9, SAMPLE) X(10, MMAP2) \
	X(11, AUX) X(12, ITRACE_START) X(13, LOST_SAMPLES) X(14, SWITCH) \
	X(15, SWITCH_CPU_WIDE) X(16, NAMESPACES) X(17, KSYMBOL) \
	X(18, BPF_EVENT) X(19, CGROUP) X(20, TEXT_POKE) \
	X(21, AUX_OUTPUT_HW_ID) X(22, CALLCHAIN_DEFERRED) \
	X(64, HEADER_ATTR) X(65, HEADER_EVENT_TYPE) X(66, TRACING_DATA) \
	X(67, HEADER_BUILD_ID) X(68, FINISHED_ROUND) X(69, ID_INDEX) \
	X(70, AUXTRACE_INFO) X(71, AUXTRACE) X(72, AUXTRACE_ERROR) \
	X(73, THREAD_MAP) X(74, CPU_MAP) X(75, STAT_CONFIG) X(76, STAT) \
	X(77, STAT_ROUND) X(78, EVENT_UPDATE) X(79, TIME_CONV) \
	X(80, HEADER_FEATURE) X(81, COMPRESSED) X(82, FINISHED_INIT) \
	X(83, COMPRESSED2) X(84, BPF_METADATA) X(85, SCHEDSTAT_CPU) \
	X(86, SCHEDSTAT_DOMAIN) \
	X(32769, SP_KERNEL_SYMBOL) X(32770, SP_DSO) X(32771, SP_SYMBOL) \
	X(32772, SP_SPLIT) X(32773, SP_SPLIT_END) X(32774, SP_EVENT_ID) \
	X(32775, SP_CALLCHAIN) X(32776, SP_UNWINDING_RESULT) \
	X(32777, SP_TRACING_DATA) X(32778, SP_DEBUG)
/* clang-format on */

enum cp_record_type {
#define X(number, name) CP_RECORD_##name = (number),
	CP_RECORDS(X)
#undef X
};

/* Bits of perf_event_header.misc. */
enum {
	CP_MISC_CPUMODE = 7,
	CP_MISC_DATA = 0x2000,       /* MMAP*: not executable */
	CP_MISC_EXEC = 0x2000,       /* COMM: by exec */
	CP_MISC_SYNTH_FORK = 0x2000, /* FORK: maps are not inherited */
	CP_MISC_SWITCH_OUT = 0x2000,
	CP_MISC_SWITCH_OUT_PREEMPT = 0x4000,
	/* SAMPLE: ip is the instruction that caused it */
	CP_MISC_EXACT_IP = 0x4000,
	CP_MISC_BUILD_ID = 0x4000,      /* MMAP2: build-id form */
	CP_MISC_FILTERED = 0x8000,      /* LOST_SAMPLES: a BPF filter's */
	CP_MISC_BUILD_ID_SIZE = 0x8000, /* HEADER_BUILD_ID: size is valid */
};

/*
 * perf record --off-cpu writes its sums at the end, with this time, so that
 * they sort after all other records.  It is no time of any clock.
 */
#define CP_AFTER_ALL UINT64_C(0xffffffff00000000)

/* Markers in a call chain: any value from CP_CONTEXT_MAX on. */
#define CP_CONTEXT_HV ((uint64_t)-32)
#define CP_CONTEXT_KERNEL ((uint64_t)-128)
#define CP_CONTEXT_USER ((uint64_t)-512)
#define CP_CONTEXT_USER_DEFERRED ((uint64_t)-640)
#define CP_CONTEXT_GUEST ((uint64_t)-2048)
#define CP_CONTEXT_GUEST_KERNEL ((uint64_t)-2176)
#define CP_CONTEXT_GUEST_USER ((uint64_t)-2560)
/*
 * Our own markers: a user part that was unwound, so its callers are call
 * instructions, and its frames found by the frame pointer, by scanning the
 * stack, or by the current instructions.
 */
#define CP_CONTEXT_USER_UNWOUND ((uint64_t)-3072)
#define CP_CONTEXT_USER_GUESSED ((uint64_t)-3073)
#define CP_CONTEXT_USER_SCANNED ((uint64_t)-3074)
#define CP_CONTEXT_USER_EDGE ((uint64_t)-3075)
/*
 * In a file each of our own markers is written as several USER markers, which
 * perf accepts.  A chain that was unwound before it was written ends with 5 +
 * enum cp_unwind_end USER markers: how the unwinding of the stack ended.
 */
enum { CP_CONTEXT_USER_ENDS = 5 };
#define CP_CONTEXT_MAX ((uint64_t)-4095)
/*
 * Stands for a word of the stack that a chain has for a caller and that is no
 * address of code: in frames, and in records after a redaction.  No program has
 * anything mapped there.  0 stands for what is near it: many chains of frame
 * pointers end there.
 */
enum { CP_NO_CODE = 1, CP_FIRST_PAGE = 4096 };

static inline uint64_t
cp_no_code(uint64_t word)
{
	return word < CP_FIRST_PAGE && word != CP_NO_CODE ? 0 : CP_NO_CODE;
}

struct cp_ev_mmap {
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t maj, min, prot, flags;
	uint64_t ino, gen;
	const char *filename;
	uint8_t build_id_size; /* 0: none */
	uint8_t build_id[20];
	bool v2;        /* MMAP2 with valid prot and flags */
	bool has_inode; /* maj, min, ino, gen are valid */
};

struct cp_ev_comm {
	uint32_t pid, tid;
	const char *comm;
};

/* FORK and EXIT. */
struct cp_ev_task {
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

struct cp_ev_lost {
	uint64_t id, lost;
};

struct cp_ev_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t kind, flags; /* flags bit 0: unregister */
	const char *name;
};

struct cp_ev_cgroup {
	uint64_t id;
	const char *path;
};

struct cp_ev_namespaces {
	uint32_t pid, tid;
	uint64_t n;
	uint64_t ino[8]; /* net uts ipc pid user mnt cgroup time; 0: absent */
};

struct cp_ev_switch {
	uint32_t next_prev_pid, next_prev_tid; /* CP_NO_ID unless CPU-wide */
};

struct cp_ev_build_id {
	uint32_t pid;
	uint8_t size;
	uint8_t id[20];
	const char *filename;
};

struct cp_ev_deferred {
	uint64_t cookie, nr;
	const uint64_t *ips;
};

struct cp_ev_sample {
	uint64_t ip, addr, period, cgroup;
	uint64_t weight, data_src, transaction, phys_addr;
	uint64_t data_page_size, code_page_size;
	const uint64_t *ips; /* call chain, innermost first */
	uint64_t nr;
	const uint8_t *raw;
	uint32_t raw_size;
	uint32_t flags; /* CP_SAMPLE_* */
	/* As recorded, in the writer's byte order; NULL: absent. */
	const uint8_t *read; /* READ values, read_size bytes */
	uint32_t read_size;
	const uint8_t *branch; /* first entry */
	uint64_t branch_nr, branch_hw_idx;
	uint64_t user_abi, user_mask;
	const uint8_t *user_regs;
	const uint8_t *user_stack;
	uint64_t user_stack_size;    /* bytes that were copied */
	uint64_t user_stack_granted; /* bytes that were asked for */
	uint64_t intr_abi, intr_mask;
	const uint8_t *intr_regs;
	const uint8_t *aux;
	uint64_t aux_size;
};

struct cp_event {
	uint32_t type;
	uint16_t misc;
	uint32_t size;   /* bytes of the whole record */
	uint64_t offset; /* in the input */
	uint64_t number; /* of the record, from 1 */
	/* From the sample's fields or from the sample_id trailer. */
	uint64_t time;          /* CP_NO_TIME */
	uint64_t id;            /* event id; 0 none */
	uint32_t pid, tid, cpu; /* CP_NO_ID */
	uint32_t evsel;         /* index, CP_NO_ID: id of no event */
	/* index of the data file in a directory; 0: the main file */
	uint32_t source;
	uint32_t slack; /* bytes that its known content does not need */
	union {
		struct cp_ev_mmap mmap;
		struct cp_ev_comm comm;
		struct cp_ev_task task;
		struct cp_ev_lost lost; /* LOST, LOST_SAMPLES, THROTTLE */
		struct cp_ev_ksymbol ksymbol;
		struct cp_ev_cgroup cgroup;
		struct cp_ev_namespaces ns;
		struct cp_ev_switch sw;
		struct cp_ev_build_id build_id;
		struct cp_ev_deferred deferred;
		struct cp_ev_sample sample;
	} u;
	/* The record in the input; NULL in a copy. */
	const uint8_t *bytes;
	bool swap; /* bytes have the other byte order */
	/* offset is where these bytes lie in the input (not inflated) */
	bool outer;
	/* 8 of its bytes count as damage: a size or a field was wrong */
	bool mended;
	uint32_t copied; /* bytes of a copy */
};

/*
 * mmap.c: of MMAP and MMAP2: can what is mapped be code?  A kernel that writes
 * neither protection nor flags tells it as in MMAP.  Android interprets the
 * bytecode of files that are mapped to be read; simpleperf records where.
 */
bool cp_mmap_is_code(const struct cp_event *);

const char *cp_record_name(uint32_t type); /* NULL: unknown */

/*
 * Returns a deep copy, to be freed with free(); its size is in `copied`.  Of a
 * sample it has raw data, branches, registers and user stack, but no chain.
 */
struct cp_event *cp_event_copy(const struct cp_event *);
/* Copies into memory of n = cp_event_copy_size() bytes. */
size_t cp_event_copy_size(const struct cp_event *);
void cp_event_copy_to(struct cp_event *, const struct cp_event *, size_t n);

#endif
