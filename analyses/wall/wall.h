/* SPDX-License-Identifier: MIT */
/*
 * analyses/wall/wall.h: the time of threads, in parts by state, reason and
 * place, that add up to their lifetimes.
 *
 * This room makes the parts (parts.c) and shows them (show.c) for `wall'.  It
 * may use include/coldperf, analyses/causes, analyses/waits, analyses/tasks and
 * analyses/common.  Begin in analyses/wall.c, which gathers.
 */
#ifndef CP_ANALYSES_WALL_WALL_H
#define CP_ANALYSES_WALL_WALL_H

#include "analyses/causes/meanwhile.h"
#include "analyses/causes/programs.h"
#include "analyses/common/tracepoint-fields.h"
#include "analyses/waits/oncpu.h"
#include "analyses/waits/wait-class.h"

enum cp_wall_state {
	CP_WALL_USER,
	CP_WALL_KERNEL,
	CP_WALL_ON_CPU, /* no sample tells where */
	CP_WALL_PREEMPTED,
	CP_WALL_WOKEN,
	CP_WALL_BLOCKED,
	CP_WALL_UNKNOWN,
	CP_WALL_NOT_RECORDED,
	CP_WALL_STATES
};

/* A thread, a pool of them, or small processes of one name. */
struct cp_wall_line {
	uint32_t group;
	uint64_t life, ns[CP_WALL_STATES];
	bool matters, user; /* user: it has frames of user code */
};

/* Time of a line in one state, for one reason, at one place. */
struct cp_wall_part {
	uint32_t line;
	enum cp_wall_state state;
	cp_string_id why, where;
	uint64_t ns, n, longest;
	/* who ended most of it, or had the CPU, and how much of it */
	cp_string_id by;
	uint64_t by_ns;
};

struct cp_wall {
	struct cp_run *run;
	uint64_t top;
	bool threads;
	struct cp_waitclasses classes;
	struct cp_waitwatch watch;
	struct cp_meanwhile meanwhile;
	struct cp_programs programs;
	struct cp_oncpu oncpu;
	/* Without switches: threads by the records of their lives. */
	struct cp_probes probes;
	struct cp_index tids; /* (process, thread): a task of lives */
	struct cp_waits lives;
	struct cp_wall_life {
		uint64_t since; /* CP_NO_TIME: it has ended */
		uint64_t lived; /* ns */
	} * life;               /* by task */
	uint32_t life_cap;
	/* Of finish(). */
	bool switches;          /* the capture has some */
	struct cp_waits *waits; /* the watch's, or lives */
	struct cp_groups groups;
	const uint32_t *count; /* of threads, by group; NULL: one each */
	struct cp_index who;   /* (process and thread, command): a task */
	uint32_t *of_task;     /* line, by task */
	struct cp_wall_line *line;
	uint32_t n_lines;
	struct cp_index keys;      /* (line and state, why and where) */
	struct cp_wall_part *part; /* by number in keys */
	uint32_t part_cap;
	struct cp_tally *by; /* part, name of who ended it; ns */
};

/* Makes the parts, once all is known and named. */
void cp_wall_make(struct cp_wall *);
/* Returns how long a task lived while --time looks. */
uint64_t cp_wall_lifetime(const struct cp_wall *, uint32_t task);
/* Adds the tables and the tree. */
void cp_wall_show(struct cp_wall *, struct cp_report *);

#endif
