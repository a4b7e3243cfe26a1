/* SPDX-License-Identifier: MIT */
/*
 * browse/model.h: a selection of samples, and what it sums up to.
 *
 * This room is `browse`: the samples of a profile (coldperf/profile.h) as
 * places to walk in a terminal.  model.c counts; rows.c makes the rows of lists
 * and trees from the counts, boxes.c those of a flame graph; none of them knows
 * a terminal.  terminal.c draws by ncursesw, screen.c says what is where, and
 * keys.c what keys do.  It may use report/, render/common and base/.  Begin
 * in model.c.
 *
 * A function is a name in an object, as `hotspots` has it; an inlined one is
 * one by itself.  A node stands for a path of functions from the outermost one.
 */
#ifndef CP_BROWSE_MODEL_H
#define CP_BROWSE_MODEL_H

#include "base/hash.h"
#include "report/profile.h"

struct cp_browse_function {
	const char *name;   /* raw bytes of the capture */
	const char *object; /* the same */
	uint32_t symbol;    /* of the profile; 0: it has no name */
	uint32_t in;        /* object of the profile */
	uint8_t level;      /* enum cp_level */
	bool inlined;
};

/* Node 0 is the root, which has no function. */
struct cp_browse_node {
	uint32_t parent, function;
	uint32_t child, next; /* first child, next sibling; 0: none */
	bool again;           /* the function is on the path to the root, too */
};

/* CP_NO_ID, and 0 to UINT64_MAX: all. */
struct cp_browse_selection {
	uint32_t event; /* always one */
	uint32_t pid, tid, cpu;
	uint32_t object; /* that samples fell in */
	uint64_t from, to;
};

struct cp_browse_model {
	const struct cp_profile *profile;
	CP_VEC(struct cp_browse_function) functions;
	CP_VEC(struct cp_browse_node) nodes; /* parents before children */
	uint32_t *leaf;                      /* node of each stack */
	uint64_t first, last;                /* times; CP_NO_TIME: none */

	uint32_t *same; /* of each event, the first of its name */
	/*
	 * Of each thread, the first of its process' and its own name, if two
	 * captures are compared; or NULL.
	 */
	uint32_t *same_thread;

	/* Of the selection; of two captures, of the one after. */
	struct cp_browse_selection selection;
	uint64_t *self, *total;    /* weights of each node */
	uint64_t *own, *inclusive; /* weights of each function */
	uint64_t *samples;         /* that fell in each function */
	uint64_t sum, n;           /* weight and number of its samples */
	/* Two captures are compared; the same of the one before. */
	bool compares;
	struct cp_browse_before {
		uint64_t *self, *total, *own, *inclusive;
		uint64_t sum, n;
	} before;
};

static inline const char *
cp_browse_name(const struct cp_browse_model *m, uint32_t node)
{
	return m->functions.data[m->nodes.data[node].function].name;
}
void cp_browse_model_init(
    struct cp_browse_model *, const struct cp_profile *profile);
void cp_browse_model_free(struct cp_browse_model *);
/* Selects all samples of the main event. */
void cp_browse_select_all(
    struct cp_browse_selection *, const struct cp_browse_model *);
/* Is the sample selected?  timed: also by its time. */
bool cp_browse_selects(
    const struct cp_browse_model *, size_t sample, bool timed);
/* The row of a thread; that of the first of its name if two are compared. */
static inline uint32_t
cp_browse_thread(const struct cp_browse_model *m, uint32_t thread)
{
	return m->same_thread != NULL ? m->same_thread[thread] : thread;
}
/* Is the sample of the capture before? */
static inline bool
cp_browse_is_before(const struct cp_browse_model *m, size_t sample)
{
	const struct cp_profile *p = m->profile;

	return m->compares &&
	       p->threads.data[p->thread.data[sample]].capture == 0;
}
/* Adds up the samples of the selection. */
void cp_browse_count(struct cp_browse_model *);
/* The part of the selection's weight. */
static inline double
cp_browse_share(const struct cp_browse_model *m, uint64_t weight)
{
	return m->sum != 0 ? (double)weight / (double)m->sum : 0;
}
/* Sums of the selection's samples, whatever their time, in n equal windows. */
void cp_browse_over_time(
    const struct cp_browse_model *, uint64_t *sums, size_t n);

#endif
