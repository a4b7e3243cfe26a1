/* SPDX-License-Identifier: MIT */
/*
 * model/info.h: what the capture says about itself.
 *
 * Filled by readers/header/features.c from the header features, one payload at
 * a time.  Everything is copied: nothing here leads into the input.  Texts are
 * raw bytes of the recorded host, NULL when the capture does not hold them.
 *
 * Facts are the same knowledge as text, for people, in the order of the
 * feature numbers whatever order they came in.  Keys are stable and in lower
 * case with dashes; a key may come more than once (one per event, per node).
 */
#ifndef CP_MODEL_INFO_H
#define CP_MODEL_INFO_H

#include <coldperf/samples.h>

#include "base/hash.h"
#include "base/vec.h"

#define CP_FEATURES 256 /* bits of the header's bitmap */

struct cp_strlist {
	const char **item;
	uint32_t n;
};

/* An event as the recorder described it; entry i belongs to attr i. */
struct cp_event_desc {
	const char *name;    /* as typed by the user */
	const uint8_t *attr; /* a copy, in the writer's byte order */
	uint32_t attr_size;
	bool swap; /* attr has the other byte order */
	const uint64_t *ids;
	uint32_t n_ids;
};

struct cp_build_id {
	uint32_t pid;    /* CP_NO_ID: the host's own */
	uint8_t cpumode; /* 1 kernel or module, 2 user, 4 and 5 guest */
	uint8_t size;    /* valid bytes, at most 20; 0: none */
	bool size_known; /* false: trailing zeros may belong to the ID */
	uint8_t id[20];
	const char *filename;
};

struct cp_group_desc {
	const char *name;
	uint32_t leader, members; /* index of an attr, number of events */
};

struct cp_cpu_topology {
	uint32_t core, socket, die; /* CP_NO_ID: not recorded */
};

struct cp_bpf_ksym {
	uint64_t addr;
	uint32_t len;
	uint8_t tag[8];
};

struct cp_bpf_prog {
	uint32_t id, type;
	uint8_t tag[8];
	char name[17];
	/* symbols of the whole program, or of its parts */
	struct cp_bpf_ksym *ksyms;
	uint32_t n_ksyms;
};

/* The place of an AUXTRACE record. */
struct cp_aux_index {
	uint64_t offset, size;
};

struct cp_meta {
	const char *key, *value;
};

/* A line of META_INFO's event_type_info. */
struct cp_sp_event {
	const char *name;
	uint32_t type;
	uint64_t config;
};

/*
 * simpleperf's objects with their sampled symbols: features FILE and FILE2, or
 * the records DSO and SYMBOL of older versions.
 */
enum cp_sp_type {
	CP_SP_KERNEL,
	CP_SP_MODULE,
	CP_SP_ELF,
	CP_SP_DEX,
	CP_SP_SYMBOL_MAP,
	CP_SP_UNKNOWN,
};

struct cp_sp_symbol {
	uint64_t vaddr;
	uint32_t len;
	const char *name;
};

struct cp_sp_file {
	const char *path;
	uint32_t type; /* enum cp_sp_type, unchecked */
	uint64_t min_vaddr;
	/*
	 * Offset that min_vaddr has: in the file (ELF) or in memory (module).
	 */
	uint64_t offset_of_min_vaddr;
	bool has_offset;
	CP_VEC(struct cp_sp_symbol) symbols;
};

struct cp_clock {
	bool has_data; /* clockid, tod_ns and clockid_ns are valid */
	uint32_t clockid;
	uint64_t tod_ns;     /* wall clock, and ... */
	uint64_t clockid_ns; /* ... the capture's clock at that moment */
};

struct cp_info {
	const char *hostname, *os_release, *arch;
	uint32_t nr_cpus_avail; /* 0: unknown */
	struct cp_strlist cmdline;
	const char *cmdline_text; /* quoted for a shell */
	const char *workload;     /* what perf started; NULL: unknown */
	uint8_t scope; /* enum cp_scope, as the command line chooses it */
	/* first and last sample; CP_NO_TIME: unknown */
	uint64_t first_time, last_time;
	struct cp_clock clock;
	bool compressed;    /* there is the feature of that name */
	uint16_t e_machine; /* ELF machine; 0: unknown */
	uint32_t lbr_size;  /* branches that the CPU records; 0: unknown */
	CP_VEC(struct cp_event_desc) events;
	CP_VEC(struct cp_build_id) build_ids;
	/* By the records read so far: which processes have code in no file. */
	CP_VEC(const struct cp_dso_info *) code;
	struct cp_map64 code_of; /* pid -> index + 1 */
	CP_VEC(struct cp_group_desc) groups;
	CP_VEC(struct cp_cpu_topology) cpus; /* by cpu */
	CP_VEC(struct cp_aux_index) aux;
	CP_VEC(struct cp_bpf_prog) bpf_progs;
	uint32_t n_btf;
	bool simpleperf;
	CP_VEC(struct cp_meta) meta; /* simpleperf's META_INFO */
	CP_VEC(struct cp_sp_event) sp_events;
	CP_VEC(struct cp_sp_file) sp_files;
	struct cp_map64 sp_by_id; /* of objects from records: index + 1 */
	size_t n_sp_symbols;      /* in all files */

	CP_VEC(struct cp_fact) facts;
	CP_VEC(uint32_t) fact_bits;      /* the feature of each fact */
	uint64_t seen[CP_FEATURES / 64]; /* features that were read */
	struct cp_arena arena;
};

void cp_info_init(struct cp_info *);
void cp_info_free(struct cp_info *);

/* Copies a text into the info's own memory. */
const char *cp_info_text(struct cp_info *, const char *, size_t n);

/*
 * Appends a fact of a feature, up to CP_MAX_FACTS.  Keeps the pointers to group
 * and key, which must be constants.
 */
void cp_info_fact(struct cp_info *, uint32_t bit, const char *group,
    const char *key, const char *fmt, ...) CP_PRINTF(5, 6);
/* Sorts the facts from index first on into the order of their features. */
void cp_info_place_facts(struct cp_info *, size_t first);

/* Converts the capture's time t to ns since 1970.  False without CLOCK_DATA. */
bool cp_info_wall_clock(const struct cp_info *, uint64_t t, uint64_t *ns);

/* Returns the value of a META_INFO key, or NULL. */
const char *cp_info_meta(const struct cp_info *, const char *key);

#endif
