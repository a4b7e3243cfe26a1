/* SPDX-License-Identifier: MIT */
/*
 * model/evsel.h: the events of a capture and which record belongs to which.
 *
 * cp_attr is perf_event_attr in host form: flags have flag i of
 * linux/perf_event.h at bit i whatever machine wrote the file; fields that
 * the writer's attr was too small to hold are zero.
 */
#ifndef CP_MODEL_EVSEL_H
#define CP_MODEL_EVSEL_H

#include "base/diag.h"
#include "base/hash.h"
#include "base/vec.h"

/* sample_type bits, in the kernel's order.  X(bit, name) */
/* clang-format off */
#define CP_SAMPLE_FIELDS(X) \
	X(0, IP) X(1, TID) X(2, TIME) X(3, ADDR) X(4, READ) X(5, CALLCHAIN) \
	X(6, ID) X(7, CPU) X(8, PERIOD) X(9, STREAM_ID) X(10, RAW) \
	X(11, BRANCH_STACK) X(12, REGS_USER) X(13, STACK_USER) X(14, WEIGHT) \
	X(15, DATA_SRC) X(16, IDENTIFIER) X(17, TRANSACTION) \
	X(18, REGS_INTR) X(19, PHYS_ADDR) X(20, AUX) X(21, CGROUP) \
	X(22, DATA_PAGE_SIZE) X(23, CODE_PAGE_SIZE) X(24, WEIGHT_STRUCT)
/* clang-format on */

enum {
#define X(bit, name) CP_SAMPLE_##name = 1 << (bit),
	CP_SAMPLE_FIELDS(X)
#undef X
	    CP_SAMPLE_KNOWN = (1 << 25) - 1,
};

enum {
	CP_FORMAT_ENABLED = 1,
	CP_FORMAT_RUNNING = 2,
	CP_FORMAT_ID = 4,
	CP_FORMAT_GROUP = 8,
	CP_FORMAT_LOST = 16,
};

enum {
	CP_ATTR_EXCLUDE_USER = 4,
	CP_ATTR_EXCLUDE_KERNEL = 5,
	CP_ATTR_EXCLUDE_HV = 6,
	CP_ATTR_EXCLUDE_IDLE = 7,
	CP_ATTR_FREQ = 10,
	CP_ATTR_ENABLE_ON_EXEC = 12,
	CP_ATTR_INHERIT = 1,
	CP_ATTR_PRECISE = 15, /* two bits */
	CP_ATTR_SAMPLE_ID_ALL = 18,
	CP_ATTR_EXCLUDE_HOST = 19,
	CP_ATTR_EXCLUDE_GUEST = 20,
	CP_ATTR_EXCLUDE_CHAIN_USER = 22,
	CP_ATTR_USE_CLOCKID = 25,
	CP_ATTR_BUILD_ID = 34,
};

enum {
	CP_BRANCH_CALL_STACK = 11,
	CP_BRANCH_HW_INDEX = 17,
	CP_BRANCH_COUNTERS = 19,
};

enum {
	CP_TYPE_HARDWARE,
	CP_TYPE_SOFTWARE,
	CP_TYPE_TRACEPOINT,
	CP_TYPE_HW_CACHE,
	CP_TYPE_RAW,
	CP_TYPE_BREAKPOINT
};

struct cp_attr {
	uint32_t type, size;
	uint64_t config, sample_period, sample_type, read_format, flags;
	uint32_t wakeup, bp_type;
	uint64_t config1, config2, branch_sample_type, regs_user;
	uint32_t stack_user;
	int32_t clockid;
	uint64_t regs_intr;
	uint32_t aux_watermark, aux_sample_size;
	uint16_t max_stack;
	uint64_t sig_data, config3, config4;
	bool noise; /* sample_type had bits of noise, which were cleared */
};

static inline bool
cp_attr_flag(const struct cp_attr *a, unsigned bit)
{
	return (a->flags >> bit & 1) != 0;
}

/* The fixed fields of a sample that we read. */
enum cp_head_field {
	CP_HEAD_ID,
	CP_HEAD_IP,
	CP_HEAD_TID,
	CP_HEAD_TIME,
	CP_HEAD_ADDR,
	CP_HEAD_CPU,
	CP_HEAD_PERIOD,
	CP_HEAD_FIELDS
};
enum { CP_ABSENT = 255 };

struct cp_tp_event;

struct cp_evsel_info {
	struct cp_evsel pub; /* first member */
	struct cp_attr attr;
	/* EVENT_UPDATE refers to the event by this id; 0: none */
	uint64_t first_id;
	uint32_t trailer; /* bytes of the sample_id trailer */
	uint32_t head;    /* bytes of a sample's fixed fields at its start */
	uint8_t at[CP_HEAD_FIELDS]; /* offset of each field; CP_ABSENT */
	/* samples have fixed fields and at most a chain and raw data */
	bool plain;
	bool bare; /* samples have fixed fields with a time, and raw data */
	/* perf record --off-cpu since 6.16: raw data holds the sample */
	bool offcpu;
	const struct cp_tp_event *tp; /* tracepoints; NULL: no format */
};

enum { CP_LAST_IDS = 1024 };

struct cp_evsels {
	CP_VEC(struct cp_evsel_info *) all;
	struct cp_map64 by_id; /* event id -> index + 1 */
	/* The last ids that were added; most captures have no more. */
	struct {
		uint64_t id;
		struct cp_evsel_info *evsel; /* NULL: none */
	} last[CP_LAST_IDS];
	uint32_t ids;  /* ids added so far, up to CP_MAX_IDS */
	bool doubtful; /* two events have one id, or their place was guessed */
	struct cp_arena arena;
	bool stacks; /* some event's samples have user stacks */
	bool sample_id_all;
	bool build_ids;   /* some event asks for build IDs in MMAP2 */
	int sample_id_at; /* word of the id in a SAMPLE; -1: none */
	/* word of the id from the record's end (1 = last); -1: none */
	int trailer_id_at;
	/*
	 * The event for samples whose id belongs to no event; NULL: there is
	 * none.
	 */
	const struct cp_evsel_info *lost_ids;
	uint64_t *scratch; /* CP_MAX_CHAIN words: a chain in host byte order */
};

/* Adds an event.  It gets a name made from the attr until a better is known. */
struct cp_evsel_info *cp_evsels_add(
    struct cp_evsels *, const struct cp_attr *, struct cp_diags *);
void cp_evsels_id(struct cp_evsels *, struct cp_evsel_info *, uint64_t id);
/* Finds the event of an id; NULL: unknown id. */
struct cp_evsel_info *cp_evsels_find_(const struct cp_evsels *, uint64_t id);
static inline struct cp_evsel_info *
cp_evsels_find(const struct cp_evsels *e, uint64_t id)
{
	size_t i = (size_t)(id % CP_LAST_IDS);

	if (CP_LIKELY(e->last[i].evsel != NULL && e->last[i].id == id))
		return e->last[i].evsel;
	return cp_evsels_find_(e, id);
}
void cp_evsels_rename(
    struct cp_evsels *, struct cp_evsel_info *, const char *name);
/* The unit of a counter (NULL: none), and the bits of a double. */
void cp_evsels_unit(
    struct cp_evsels *, struct cp_evsel_info *, const char *unit);
void cp_evsels_scale(struct cp_evsel_info *, uint64_t bits);
void cp_evsels_free(struct cp_evsels *);

/*
 * Writes the name that perf would make: "cycles:u", "raw 0x1a8", "tracepoint
 * 17".
 */
void cp_attr_name(const struct cp_attr *, char *buf, size_t size);

#endif
