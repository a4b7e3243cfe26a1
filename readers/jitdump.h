/* SPDX-License-Identifier: MIT */
/*
 * readers/jitdump.h: jit-PID.dump, the file to which a runtime writes what code
 * it generated and when.
 *
 * Layout: linux/tools/perf/Documentation/jitdump-specification.txt.  Only
 * headers and names are read; code, lines and unwinding tables stay in the file
 * and are known by their offsets.
 */
#ifndef CP_READERS_JITDUMP_H
#define CP_READERS_JITDUMP_H

#include "base/strings.h"
#include "model/jit.h"

#define CP_JITDUMP_MAGIC 0x4a695444u

struct cp_jitdump {
	uint32_t machine; /* the ELF machine number */
	uint32_t pid;     /* the process's own number for itself; 0: unknown */
	bool arch_time;   /* times are ticks of the CPU's counter */
	uint64_t flags;   /* as they are; only one has a meaning */
	bool swap;
	size_t bad;    /* unusable records; a truncated last one counts */
	bool full;     /* CP_MAX_JIT_LOADS */
	uint64_t size; /* of the file */
};

/*
 * Appends the loads and adds their names as symbols of the dso.  False: not
 * a jitdump.
 */
bool cp_jitdump_read(
    struct cp_jitdump *, int fd, struct cp_strings *, struct cp_jit *);
/*
 * Reads no more than when the first code was made; UINT64_MAX: there is none.
 * False: not a jitdump.
 */
bool cp_jitdump_begins(struct cp_jitdump *, int fd, uint64_t *time);
/* jitdump-blank.c: makes the machine code zeros.  False: not a jitdump. */
bool cp_jitdump_blank(uint8_t *data, size_t n);

#endif
