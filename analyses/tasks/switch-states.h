/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/switch-states.h: what prev_state of sched_switch means.
 *
 * Bits and letters differ between kernels, so they are taken from the event's
 * own print format, and so is the bit that marks a preempted task.  Without a
 * format the values of Linux 4.14 and later are taken.
 */
#ifndef CP_ANALYSES_TASKS_SWITCH_STATES_H
#define CP_ANALYSES_TASKS_SWITCH_STATES_H

#include <stdbool.h>
#include <stdint.h>

enum { CP_SCHED_STATES = 32 };

struct cp_sched_states {
	uint64_t mask;                /* of all bits that have a letter */
	uint64_t preempted;           /* the bit, 0: none */
	char letter[CP_SCHED_STATES]; /* by bit, 0: none */
};

/* print_format may be "". */
void cp_sched_states_parse(struct cp_sched_states *, const char *print_format);

/* The letter of the lowest bit set, 'R' if none is. */
static inline char
cp_sched_states_letter(const struct cp_sched_states *st, uint64_t value)
{
	value &= st->mask;
	return value == 0 ? 'R' : st->letter[__builtin_ctzll(value)];
}

#endif
