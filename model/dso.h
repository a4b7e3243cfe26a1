/* SPDX-License-Identifier: MIT */
/*
 * model/dso.h: the objects that code was mapped from.
 *
 * An object is known by (name, build ID, inode): a rebuilt file of the same
 * name is another object.  What analyses see is struct cp_dso.
 */
#ifndef CP_MODEL_DSO_H
#define CP_MODEL_DSO_H

#include "base/hash.h"
#include "base/strings.h"

/* A name that the capture itself holds. */
struct cp_capture_symbol {
	uint64_t start, end; /* in the terms of cp_frame.addr */
	cp_string_id name;
};

/* The source line of the code from an address on. */
struct cp_capture_line {
	uint64_t start;        /* in the terms of cp_frame.addr */
	uint64_t end;          /* of the function */
	uint32_t line, column; /* 0: not known */
	cp_string_id file;
};

/* Of a process, as NAMESPACES records tell. */
enum cp_pid_ns {
	CP_NS_UNKNOWN,
	CP_NS_INITIAL,
	CP_NS_OTHER, /* it knows itself by another pid */
};

struct cp_dso_info {
	struct cp_dso pub; /* first member: cp_dso * casts to it */
	uint32_t maj, min;
	uint64_t ino, gen;
	/* A file: where its first code mapping began in it; size 0: none. */
	uint64_t map_offset, map_size;
	/* Kernel: run-time address of the symbol ref_name; 0: hidden. */
	uint64_t ref_addr;
	uint64_t text_end; /* the same of _etext; 0: unknown */
	cp_string_id ref_name;
	/* Kernel, modules, BPF, JIT code: run-time extent. */
	uint64_t start, end;
	uint8_t pid_ns;   /* JIT code: enum cp_pid_ns of its process */
	uint8_t trust;    /* of symbols, if they came from beside the capture */
	const char *path; /* the same: of the file; NULL: none */
	CP_VEC(struct cp_capture_symbol) symbols;
	CP_VEC(struct cp_capture_line) lines; /* ascending */
};

struct cp_dsos {
	CP_VEC(struct cp_dso_info *) all; /* by id - 1 */
	struct cp_map64 by_hash;
	struct cp_arena arena;
	CP_VEC(uint32_t) chain; /* next of the same hash, by id - 1 */
};

/* What makes an object; fields that are not known are zero. */
struct cp_dso_key {
	cp_string_id name;
	uint8_t level, kind;
	uint8_t build_id_size;
	uint8_t build_id[20];
	uint32_t pid;
	uint32_t maj, min;
	uint64_t ino, gen;
};

/* The object, made if new; NULL at the limit. */
struct cp_dso_info *cp_dsos_get(
    struct cp_dsos *, struct cp_strings *, const struct cp_dso_key *);
struct cp_dso_info *cp_dsos_at(const struct cp_dsos *, uint32_t id);
void cp_dsos_free(struct cp_dsos *);

/* Build IDs are equal up to trailing zero padding; empty ones never are. */
bool cp_build_id_equal(
    const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size);

#endif
