/* SPDX-License-Identifier: MIT */
/*
 * capture/host.h: what may be recorded here: which events this kernel and these
 * CPUs have, and what this user may ask of them.
 *
 * This room plans a recording by perf and looks after it.  It reads no capture,
 * prints nothing, and starts programs by their words, never by a shell.  Begin
 * with plan.h.
 */
#ifndef CP_CAPTURE_HOST_H
#define CP_CAPTURE_HOST_H

#include "base/base.h"

struct cp_host {
	char perf[512];      /* path of perf; "": not installed */
	int paranoid;        /* perf_event_paranoid; 2 if it cannot be read */
	int kptr_restrict;   /* 2 if it cannot be read */
	bool privileged;     /* perf runs with CAP_PERFMON or CAP_SYS_ADMIN */
	bool counters;       /* the CPUs count cycles */
	const char *tracefs; /* NULL: cannot be read */
	unsigned cpus;       /* online */
};

enum cp_host_says {
	CP_HOST_CAN,
	CP_HOST_LACKS,   /* this kernel or CPU has no such event */
	CP_HOST_FORBIDS, /* this user may not */
};

void cp_host_look(struct cp_host *);
/* May it be recorded?  The event has n letters, and no terms or modifiers. */
enum cp_host_says cp_host_event(
    const struct cp_host *, const char *event, size_t n);
/* May the whole machine be recorded, and the kernel's own code? */
bool cp_host_all(const struct cp_host *);
bool cp_host_kernel(const struct cp_host *);
/* Reads the beginning of a file; "" if that fails. */
void cp_host_read(const char *path, char *text, size_t size);
/* Reads a number from a file; `otherwise` if that fails. */
long cp_host_number(const char *path, long otherwise);
/* Searches $PATH as execvp does.  False: no such program. */
bool cp_host_program(const char *name, char *path, size_t size);

/* target.c: whether the code of a program sets up frame pointers. */
enum cp_frames {
	CP_FRAMES_UNKNOWN, /* no ELF file, or of a processor not known here */
	CP_FRAMES_KEPT,
	CP_FRAMES_NONE,
};

/*
 * Looks at a program; a script's is its interpreter.  path is replaced by the
 * file that was looked at.
 */
enum cp_frames cp_target_frames(char *path, size_t size);

#endif
