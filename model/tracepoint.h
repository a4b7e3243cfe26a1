/* SPDX-License-Identifier: MIT */
/*
 * model/tracepoint.h: layouts of tracepoint payloads.
 *
 * Made by readers/header/tracing.c from the format texts in the capture. Fields
 * are looked up by name once and then read at their offset.  Accessors take
 * the raw payload of a sample, which is in the byte order of the recorded
 * machine, and check every bound.  readers/formats/ evaluates print formats.
 */
#ifndef CP_MODEL_TRACEPOINT_H
#define CP_MODEL_TRACEPOINT_H

#include "base/hash.h"
#include "base/vec.h"

enum cp_tp_kind {
	CP_TP_SCALAR,   /* 1, 2, 4 or 8 bytes */
	CP_TP_CHARS,    /* char x[N]: text, NUL-terminated if shorter */
	CP_TP_DATA_LOC, /* u32: offset from the record, length << 16 */
	CP_TP_REL_LOC,  /* the same, offset from the field's end */
	CP_TP_ARRAY,    /* T x[N], or anything of another size */
};

struct cp_tp_field {
	const char *name;
	const char *type; /* as in the format, without name and [N] */
	uint32_t offset, size;
	bool is_signed;
	uint8_t kind; /* enum cp_tp_kind */
};

struct cp_tp_event {
	uint64_t id; /* perf_event_attr.config */
	const char *system, *name;
	const struct cp_tp_field *fields; /* common ones first */
	uint32_t n_fields;
	const char *print_fmt; /* "" if there is none */
};

struct cp_saved_comm {
	uint32_t pid; /* the tid; the format calls it pid */
	const char *comm;
};

struct cp_tracepoints {
	const char *version; /* "0.6"; NULL: no tracing data */
	bool big_endian;     /* of the recorded machine */
	uint8_t long_size;
	uint32_t page_size;
	CP_VEC(struct cp_tp_event) events;
	struct cp_map64 by_id; /* id -> index + 1 */
	CP_VEC(struct cp_saved_comm) comms;
	uint32_t n_ftrace;           /* formats of ftrace's own events */
	uint32_t n_printk;           /* printk formats */
	CP_VEC(const char *) printk; /* their texts ... */
	struct cp_map64 printk_at;   /* ... by address: index + 1 */
	uint64_t kallsyms_size;      /* bytes of symbols, not kept */
	struct cp_arena arena;
};

void cp_tracepoints_free(struct cp_tracepoints *);

/* Adds a copy of the event under an id, unless the limit is reached. */
void cp_tp_copy(
    struct cp_tracepoints *, const struct cp_tp_event *, uint64_t id);

/* NULL if the capture has no such format. */
const struct cp_tp_event *cp_tp_find(
    const struct cp_tracepoints *, uint64_t id);
const struct cp_tp_field *cp_tp_field(
    const struct cp_tp_event *, const char *name);

/*
 * Reads a scalar field, sign-extended to 64 bits if it is signed.  swap: raw
 * has the other byte order.  False if the field lies outside raw.
 */
bool cp_tp_u64(const struct cp_tp_field *, const uint8_t *raw, size_t size,
    bool swap, uint64_t *out);

/* Finds the bytes of a DATA_LOC, REL_LOC or array field.  False: outside raw.
 */
bool cp_tp_bytes(const struct cp_tp_field *, const uint8_t *raw, size_t size,
    bool swap, const char **start, size_t *len);

/* The text that the kernel has at an address; NULL: it is not recorded. */
const char *cp_tp_printk(const struct cp_tracepoints *, uint64_t address);

/*
 * Finds the text of a DATA_LOC, REL_LOC or array field: up to the first NUL,
 * not terminated.  False if the field lies outside raw.
 */
bool cp_tp_text(const struct cp_tp_field *, const uint8_t *raw, size_t size,
    bool swap, const char **start, size_t *len);

#endif
