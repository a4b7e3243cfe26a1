/* SPDX-License-Identifier: MIT */
/*
 * capture/record.h: runs perf by a plan: ends it in time, at a trigger or by a
 * signal, and keeps its cost within a budget.
 *
 * Ordinarily perf starts the command.  With a budget or a ring the command is
 * started here and perf attaches to it, so that perf can end, or begin anew at
 * another rate, while the command runs on.
 */
#ifndef CP_CAPTURE_RECORD_H
#define CP_CAPTURE_RECORD_H

#include <sys/types.h>

#include "capture/plan.h"

struct cp_recorder {
	const struct cp_host *host;
	struct cp_capture_ask ask;
	unsigned seconds; /* 0: until it ends, or a signal */
	double budget;    /* part of a CPU; 0: none */
	/* of a ring: "signal", "runq>N", or a command that ends with status 0
	 */
	const char *trigger;
	/* Prints a line for the user. */
	void (*say)(const char *);

	struct cp_plan plan;
	pid_t perf, command;
	int control[2];  /* perf gets commands and answers; -1 */
	int gate;        /* lets the command begin; -1: it runs */
	int exit_status; /* of the command; -1: not known */
	double cost;     /* of a CPU, measured; < 0: not measured */
	bool failed;     /* nothing was recorded */
	bool over;       /* the seconds are */
	bool lost;       /* perf was killed: the end is missing */
};

/*
 * Makes the plan.  Returns NULL, or why nothing can be recorded; print it with
 * cp_plan_print() or go on with cp_record_run().
 */
const char *cp_record_plan(struct cp_recorder *);
void cp_record_run(struct cp_recorder *);
/* Waits for a command that goes on after a ring. */
void cp_record_wait(struct cp_recorder *);
void cp_record_free(struct cp_recorder *);

/* Starts a program by its words, as execvp does.  Returns its pid, or -1. */
pid_t cp_start(const char *const *words, int gate);
/* Waits for it.  Returns its exit status, 128 + the signal that ended it. */
int cp_await(pid_t);

/* processes.c */

enum { CP_CAPTURE_PROCESSES = 4096 };
/* Adds the children of a process, of all its threads; returns their number. */
size_t cp_add_children(pid_t of, pid_t *pids, size_t n);
/* Sends a signal to all that a process started, not to the process. */
void cp_end_descendants(pid_t of, int signal);

#endif
