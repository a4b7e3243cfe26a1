/* SPDX-License-Identifier: MIT */
/*
 * analyses/causes/programs.h: whose time matters, and which processes began and
 * ended.
 *
 * That is the program that perf ran, with what it started; without one
 * (perf record -a -- sleep 10) everything but perf and the kernel's threads.
 */
#ifndef CP_ANALYSES_CAUSES_PROGRAMS_H
#define CP_ANALYSES_CAUSES_PROGRAMS_H

#include <coldperf/plugin.h>

struct cp_program {
	uint32_t pid, parent; /* parent CP_NO_ID: not known */
	cp_string_id comm;    /* last name of its first thread; 0 */
	uint64_t born, died;  /* CP_NO_TIME: not in the capture */
	bool ours;            /* perf ran it, or it is a child of such a one */
	bool command;         /* perf ran it */
	bool starter;         /* a perf made it to run a command */
};

struct cp_programs {
	struct cp_run *run;
	struct cp_index pids; /* of those that live, and the last of a pid */
	struct cp_program *all;
	uint32_t cap;
	bool looked, found; /* the command line; its program */
	bool starters;      /* processes that a perf made to run a command */
	/* Threads of ours: how many live, and when each began or ended. */
	uint32_t live, n_edges, edge_cap;
	struct cp_program_edge {
		uint64_t time;
		bool begins;
	} * edge;
	char (*words)[16]; /* names that the program may have */
	size_t n_words;
	/* Threads of ours that ended, other than the first of a process. */
	struct cp_index tids;
	uint64_t *begun; /* by tid */
	uint32_t begun_cap;
	struct cp_quantiles threads;
	/* Processes of ours that ended, by name. */
	struct cp_index names;
	struct cp_quantiles *lives;
	struct cp_spell {
		uint64_t first, last; /* from, to; of all of that name */
	} * spell;
	uint32_t lives_cap, spell_cap;
};

void cp_programs_init(struct cp_programs *, struct cp_run *);
void cp_programs_event(struct cp_programs *, const struct cp_sideband *);
/* NULL: no record tells of it. */
const struct cp_program *cp_programs_of(
    const struct cp_programs *, uint32_t pid);
/* Returns how long all threads of ours lived in sum, while --time looks. */
uint64_t cp_programs_lives(const struct cp_programs *, uint64_t end);
/* Does the time of a process matter? */
bool cp_programs_matter(
    const struct cp_programs *, uint32_t pid, cp_string_id comm);
/* Is it the name of the program that perf ran? */
bool cp_programs_is_command(const struct cp_programs *, cp_string_id comm);

#endif
