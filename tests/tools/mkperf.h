/* SPDX-License-Identifier: MIT */
/*
 * mkperf: text to perf.data bytes.  Shared by the parts of the tool.
 *
 * mkperf is an oracle for readers/: it is written from the description of the
 * format alone and must never share code with a reader.  It needs base/ and
 * libzstd.  Its input is our own text, so a mistake in it ends the program
 * with file, line and reason.  docs/mkperf.md describes the language.
 */
#ifndef MKPERF_H
#define MKPERF_H

#include <zstd.h>

#include "base/buf.h"
#include "base/vec.h"

#define MK_MAX_FILE (1u << 30)
#define MK_MAX_WORDS 512
#define MK_MAX_LOOPS 8
#define MK_MAX_DEPTH 32
#define MK_MAX_FIELDS 32

enum mk_container { MK_FILE, MK_PIPE, MK_STREAM };

/* sample_type bits by position. */
enum mk_st {
	ST_IP,
	ST_TID,
	ST_TIME,
	ST_ADDR,
	ST_READ,
	ST_CALLCHAIN,
	ST_ID,
	ST_CPU,
	ST_PERIOD,
	ST_STREAM_ID,
	ST_RAW,
	ST_BRANCH_STACK,
	ST_REGS_USER,
	ST_STACK_USER,
	ST_WEIGHT,
	ST_DATA_SRC,
	ST_IDENTIFIER,
	ST_TRANSACTION,
	ST_REGS_INTR,
	ST_PHYS_ADDR,
	ST_AUX,
	ST_CGROUP,
	ST_DATA_PAGE_SIZE,
	ST_CODE_PAGE_SIZE,
	ST_WEIGHT_STRUCT
};

struct mk_stmt {
	char **word;
	size_t words;
	char *text; /* of a here document, or NULL */
	size_t text_len;
	unsigned line;
};

struct mk_var {
	char *name;
	uint64_t value;
	bool in_data; /* a label: counts from the start of the records */
};

struct mk_event {
	char *name;
	uint64_t type, config, period, sample_type, read_format, flags;
	uint64_t branch_type, regs_user, regs_intr, stack_user;
	uint64_t size;  /* what attr.size says */
	uint64_t bytes; /* what is written of it */
	struct cp_buf attr;
	CP_VEC(uint64_t) ids;
};

struct mk_feature {
	uint32_t bit;
	struct cp_buf payload;
};

struct mk_loop {
	size_t first; /* statement after the { */
	uint64_t at, count;
	size_t var;
};

struct mk_tracing {
	CP_VEC(char *) system;
	CP_VEC(struct mk_stmt *) format; /* same index; text is the format */
	const struct mk_stmt *options;
};

struct mk {
	const char *path;
	CP_VEC(struct mk_stmt) stmts;
	size_t pc;
	const struct mk_stmt *now;
	uint64_t pid, tid; /* of the record at hand, for its trailer */
	bool used[MK_MAX_WORDS];
	struct mk_loop loop[MK_MAX_LOOPS];
	unsigned loops;
	CP_VEC(struct mk_var) vars;

	enum mk_container container;
	bool big, v1, no_event_desc, late_attrs, killed, auxtrace_index;
	uint64_t header_length;
	CP_VEC(struct mk_event) events;
	CP_VEC(struct mk_feature) features;
	CP_VEC(uint64_t) auxtraces; /* offset, size */
	CP_VEC(size_t) headers;     /* statements that override the header */
	CP_VEC(size_t) after; /* statements that change the finished bytes */
	struct mk_tracing tracing;
	struct cp_buf data, build_ids, event_types;

	struct cp_buf plain; /* records waiting for compression */
	bool compressing;
	uint64_t chunk, comp_type;
	ZSTD_CCtx *zstd;

	struct cp_buf out;
};

/* mkperf-text.c: words, strings, expressions. */
CP_NORETURN void mk_die(const struct mk *, const char *, ...) CP_PRINTF(2, 3);
void mk_parse(struct mk *, const char *path);
uint64_t mk_expr(struct mk *, const char *, size_t len);
size_t mk_var(struct mk *, const char *name, size_t len);
void mk_set(struct mk *, const char *name, uint64_t value, bool in_data);
/* The decoded text of a word, quoted or not; adds it to the buffer. */
void mk_string(struct mk *, const char *word, size_t len, struct cp_buf *);
char *mk_strdup(struct mk *, const char *word);
/* Length of the list element at s: up to a comma outside of () and "". */
size_t mk_element(const char *s);
size_t mk_elements(const char *list);
double mk_double(struct mk *, const char *);

/* mkperf-args.c: arguments of the statement that is being run. */
const char *mk_key(struct mk *, const char *key); /* key=VALUE, or NULL */
const char *mk_next(struct mk *); /* next word without key, or NULL */
const char *mk_need(struct mk *, const char *what);
size_t mk_rest(const struct mk *); /* words without key left */
uint64_t mk_num(struct mk *, const char *key, uint64_t fallback);
void mk_all_used(const struct mk *);
uint64_t mk_bits(struct mk *, const char *, const char *const *, size_t);

/* mkperf-put.c: values into bytes of the wanted order, field layouts. */
void mk_put(const struct mk *, struct cp_buf *, unsigned width, uint64_t);
void mk_zeros(struct cp_buf *, uint64_t n);
void mk_align(struct cp_buf *, size_t from, size_t to);
void mk_string64(struct mk *, struct cp_buf *, const char *, size_t);
void mk_items(struct mk *, struct cp_buf *, const char *, unsigned depth);
void mk_list(struct mk *, struct cp_buf *, const char *, unsigned width);
void mk_layout(struct mk *, struct cp_buf *, const char *layout);

/* mkperf-attr.c: events. */
void mk_attr(struct mk *);
struct mk_event *mk_event(struct mk *, const char *name);

/* mkperf-record.c and mkperf-sample.c: records. */
bool mk_record(struct mk *, const char *name);
void mk_emit(
    struct mk *, uint64_t type, uint64_t misc, const struct cp_buf *payload);
void mk_emit_bytes(struct mk *, const void *, size_t);
void mk_raw(struct mk *);
void mk_sample(struct mk *);

/* mkperf-feature.c: header features and tracing data. */
void mk_feature(struct mk *);
struct mk_feature *mk_feature_of(struct mk *, uint32_t bit);
void mk_event_desc(struct mk *, struct cp_buf *);
void mk_build_id(struct mk *, bool in_stream);
void mk_format(struct mk *);
void mk_tracing_blob(struct mk *, struct cp_buf *);
void mk_tracing_record(struct mk *);

/* mkperf-zstd.c: compressed records. */
void mk_compress(struct mk *);
void mk_compress_flush(struct mk *);

/* mkperf-file.c: the container around the records. */
void mk_finish(struct mk *);

#endif
