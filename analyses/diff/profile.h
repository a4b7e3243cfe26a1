/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/profile.h: what is kept of captures that are compared.
 *
 * Ids and names die with their capture, so that profiles have symbols of
 * their own: a name and an object, the same in all captures.  Names lose what
 * a compiler adds to copies of a function (.part.0, .constprop.1, .cold ...),
 * objects lose folders and versions.
 */
#ifndef CP_ANALYSES_DIFF_PROFILE_H
#define CP_ANALYSES_DIFF_PROFILE_H

#include "analyses/diff/extent.h"
#include "analyses/common/dense-ids.h"

struct cp_diff_symbol {
	const char *name, *object;
	uint8_t kind;   /* enum cp_kind */
	bool interrupt; /* enters one: what it calls is not the program's */
	uint64_t addr;  /* where it begins in its object; 0: not known */
	uint32_t same;  /* the symbol that it counts as; its own number */
	bool inlined;   /* counts as its caller: inlined on one side */
};

/* The call paths of one capture; node 0 is above them all. */
struct cp_diff_profile {
	const char *name; /* its path, and the window if not all of it */
	const char *event;
	enum cp_diff_extent extent;
	double cpus;     /* observed as a whole; 0: not so */
	bool same_event; /* as the first capture's */
	double duration; /* seconds that were looked at */
	double weight, weight_sq;
	uint64_t samples;
	uint32_t n;
	uint32_t *parent, *symbol; /* by node */
	uint8_t *guess; /* enum cp_guess by node; NULL: nothing was guessed */
	double *self, *self_sq;
	uint64_t *count;
	bool *interrupted; /* by node: in an interrupt */
	/* How much more than by chance the slices of time differ. */
	double *dispersion; /* by symbol of then; 0: not known */
	uint32_t n_symbols;
	double typical, whole; /* of a function, of everything together */
};

struct cp_diff_profiles {
	struct cp_run *run;
	struct cp_index texts, keys; /* (hash), (name, object) */
	const char **text;           /* by number */
	uint32_t text_cap;
	struct cp_diff_symbol *symbol; /* by number of keys */
	uint32_t symbol_cap;
	struct cp_diff_profile *all;
	uint32_t n, cap;
};

void cp_diff_profiles_init(struct cp_diff_profiles *, struct cp_run *);
/*
 * Adds the capture at hand: rows (event, stack) of that event.  Call it in
 * capture().
 */
struct cp_diff_profile *cp_diff_profiles_add(
    struct cp_diff_profiles *, uint32_t event, const struct cp_tally *stacks);
/* The number of a frame's function, which may be new. */
uint32_t cp_diff_symbol_number(struct cp_diff_profiles *, cp_frame_id);
/*
 * A function that is in one object before and in another after is the same
 * if no object has it on both sides.  The first `before` profiles are before.
 */
void cp_diff_profiles_match(struct cp_diff_profiles *, uint32_t before);
/*
 * The symbol that nearly always calls this one, in the profiles from...to - 1;
 * CP_NO_ID: none.  scratch: zeros, one for each symbol, and zeros again.
 */
uint32_t cp_diff_caller(const struct cp_diff_profiles *, uint32_t symbol,
    uint32_t from, uint32_t to, double *scratch);

#endif
