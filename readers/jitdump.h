/* SPDX-License-Identifier: MIT */
/*
 * readers/jitdump.h: jit-PID.dump, the file in which a runtime writes what
 * code it made and when.
 *
 * Layout: linux/tools/perf/Documentation/jitdump-specification.txt.  Only
 * headers and names are read; code, line and unwinding records stay in the
 * file and are known by their offsets.
 */
#ifndef CP_READERS_JITDUMP_H
#define CP_READERS_JITDUMP_H

#include "base/strings.h"
#include "model/jit.h"

struct cp_jitdump {
	uint32_t machine; /* ELF's */
	uint32_t pid;     /* as the process knows itself; 0: not told */
	bool arch_time;   /* times are those of the CPU's counter */
	bool swap;
	size_t bad;    /* records that could not be used; a cut end is one */
	bool full;     /* CP_MAX_JIT_LOADS */
	uint64_t size; /* of the file */
};

/*
 * Appends the loads and adds their names as symbols of the dso.  False: not
 * a jitdump.
 */
bool cp_jitdump_read(
    struct cp_jitdump *, int fd, struct cp_strings *, struct cp_jit *);

#endif
