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

/* A symbol from the capture itself. */
struct cp_capture_symbol {
	uint64_t start, end; /* addresses as in cp_frame.addr */
	cp_string_id name;
};

/* The source line of code from start on, up to the next entry. */
struct cp_capture_line {
	uint64_t start;        /* address as in cp_frame.addr */
	uint64_t end;          /* end of the function */
	uint32_t line, column; /* 0: not known */
	cp_string_id file;
};

/* The PID namespace of a process, by NAMESPACES records. */
enum cp_pid_ns {
	CP_NS_UNKNOWN,
	CP_NS_INITIAL,
	CP_NS_OTHER, /* inside, the process has another pid */
};

/* The identity of an object; unknown fields are zero. */
struct cp_dso_key {
	cp_string_id name;
	uint8_t level, kind;
	uint8_t build_id_size;
	uint8_t build_id[20];
	uint32_t pid;
	uint32_t maj, min;
	uint64_t ino, gen;
};

enum { CP_DSO_PARENTS = 4 };

struct cp_dso_info {
	struct cp_dso pub; /* first member: cp_dso * casts to it */
	uint32_t maj, min;
	uint64_t ino, gen;
	/* If the build ID is known by name: the first file of that name. */
	struct cp_dso_key file;
	bool several; /* other files had the name, too */
	/*
	 * Files: address, offset and size of the first code mapping; size 0:
	 * none.
	 */
	uint64_t map_addr, map_offset, map_size;
	bool map_parts; /* its code was mapped in several pieces */
	/* Kernel: run-time address of the symbol ref_name; 0: hidden. */
	uint64_t ref_addr;
	uint64_t text_end; /* kernel: run-time address of _etext; 0: unknown */
	cp_string_id ref_name;
	/* Kernel, modules, BPF, JIT code: range of run-time addresses. */
	uint64_t start, end;
	/*
	 * JIT code: enum cp_pid_ns of its process, the time of that process's
	 * fork or exec (0: not known), and its parent and theirs, from which it
	 * may have a part of the code (0: none).
	 */
	uint8_t pid_ns;
	uint64_t born;
	uint32_t from[CP_DSO_PARENTS];
	/* trust in symbols that came from outside the capture */
	uint8_t trust;
	const char *path; /* the file of those symbols; NULL: none */
	CP_VEC(struct cp_capture_symbol) symbols;
	CP_VEC(struct cp_capture_symbol) said; /* by perf script's text */
	CP_VEC(struct cp_capture_line) lines;  /* in ascending order */
};

struct cp_dsos {
	CP_VEC(struct cp_dso_info *) all; /* index: id - 1 */
	struct cp_map64 by_hash;
	struct cp_arena arena;
	/* next object of the same hash; index: id - 1 */
	CP_VEC(uint32_t) chain;
};

/* Turns the path "snd-hda.ko.xz" into the module name [snd_hda]. */
void cp_dso_module_name(const char *path, char *out, size_t size);

/* Finds or makes the object.  Returns NULL at the limit. */
struct cp_dso_info *cp_dsos_get(
    struct cp_dsos *, struct cp_strings *, const struct cp_dso_key *);
struct cp_dso_info *cp_dsos_at(const struct cp_dsos *, uint32_t id);
void cp_dsos_free(struct cp_dsos *);

/* Equal up to trailing zeros.  Empty build IDs equal nothing. */
bool cp_build_id_equal(
    const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size);

#endif
