/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/profile.h: the parts of captures that are kept to compare them.
 *
 * Ids and names end with their capture, so profiles have symbols of their own:
 * a name and an object, the same in all captures.  Names lose the suffixes that
 * a compiler gives to copies of a function (.part.0, .constprop.1, .cold ...),
 * objects lose folders and versions.
 */
#ifndef CP_ANALYSES_DIFF_PROFILE_H
#define CP_ANALYSES_DIFF_PROFILE_H

#include "analyses/diff/cells.h"
#include "analyses/diff/coverage.h"

#define CP_DIFF_LOST_CALLER "[caller not recorded]"

struct cp_diff_symbol {
	const char *name, *object;
	uint8_t kind; /* enum cp_kind */
	/* an interrupt entry: the code it calls is not the program's */
	bool interrupt;
	bool lost_caller; /* it stands for callers that were not recorded */
	uint64_t addr;    /* start in its object; 0: unknown */
	uint32_t same;    /* the symbol it counts as; usually its own number */
	bool inlined; /* counts as its caller, because one side inlined it */
	bool into_callers; /* so do its calls, as several callers */
};

/* The call paths of one capture; node 0 is the root. */
struct cp_diff_profile {
	/* path of the capture, and the window if it is not all of it */
	const char *name;
	const char *event; /* as it is shown */
	/*
	 * Events of its meaning that the filters keep, with samples or not, as
	 * numbers of texts.
	 */
	uint32_t *events, n_events;
	const char *weight_unit; /* "ns", "cycles" ...; "": no event */
	struct cp_diff_coverage covers;
	bool same_event; /* these are those of the first capture */
	/* The event's rate: samples a second, or events to a sample. */
	bool by_frequency, several_rates;
	uint64_t rate;
	double duration; /* seconds covered */
	double work;     /* what --per says that it did; 0: nothing */
	double weight, weight_sq;
	double lost;                /* part of what was recorded, below 1 */
	struct cp_diff_cell cpu[2]; /* CPU time in ns: user, kernel */
	uint32_t threads;           /* that were sampled */
	double runnable; /* seconds of waits for a CPU; -1: not known */
	struct cp_diff_cell *wait; /* ns blocked, by row of all waits */
	uint32_t wait_cap;
	uint64_t samples;
	uint32_t n;
	uint32_t *parent, *symbol; /* by node */
	uint8_t *guess; /* enum cp_guess by node; NULL: nothing was guessed */
	double *self, *self_sq;
	uint64_t *count;
	bool *interrupted; /* by node: in an interrupt */
	/* How much more than by chance the slices of time differ. */
	double *dispersion; /* by symbol of that time; 0: unknown */
	double *slow;       /* the same, of bursts as long as a quarter */
	uint32_t n_symbols;
	double *occurrences;   /* by symbol: how often, apart from each other */
	double typical, whole; /* of a function, of everything together */
};

struct cp_diff_profiles {
	struct cp_run *run;
	struct cp_index texts, keys; /* (hash), (name, object) */
	const char **text;           /* by number */
	uint32_t text_cap;
	struct cp_diff_symbol *symbol; /* by number of keys */
	uint32_t symbol_cap;
	/*
	 * By text of an object, for the first so many: its functions are those
	 * of no object of the other side.
	 */
	const uint8_t *stranger;
	uint32_t n_stranger;
	struct cp_diff_profile *all;
	uint32_t n, cap;
};

/* Copies a text of that length. */
char *cp_diff_copy(struct cp_run *, const char *, size_t);
void cp_diff_profiles_init(struct cp_diff_profiles *, struct cp_run *);
/*
 * Adds the current capture: rows (event, stack) of that event.  Call it in
 * capture().
 */
struct cp_diff_profile *cp_diff_profiles_add(
    struct cp_diff_profiles *, uint32_t event, const struct cp_tally *stacks);
/* Returns the number of a text, which is copied. */
uint32_t cp_diff_text(struct cp_diff_profiles *, const char *);
/* Returns the number of a symbol without code of its own. */
uint32_t cp_diff_symbol_put(
    struct cp_diff_profiles *, const char *name, const char *object);
/* Is it one of the events of the profile? */
bool cp_diff_has_event(struct cp_diff_profiles *,
    const struct cp_diff_profile *, const char *name);
/* Returns the first capture that has samples; NULL: none of those read. */
const struct cp_diff_profile *cp_diff_first(const struct cp_diff_profiles *);
/* Returns the number of a frame's function, which may be new. */
uint32_t cp_diff_symbol_number(struct cp_diff_profiles *, cp_frame_id);
/*
 * Returns the symbol that nearly always calls this one, in the profiles
 * from...to - 1; CP_NO_ID: none.  scratch must be zeros, one for each symbol;
 * they are zeros again afterwards.
 */
uint32_t cp_diff_caller(const struct cp_diff_profiles *, uint32_t symbol,
    uint32_t from, uint32_t to, double *scratch);

#endif
