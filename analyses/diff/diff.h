/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/diff.h: the state that the parts of diff share: the question,
 * the captures, and the result.
 */
#ifndef CP_ANALYSES_DIFF_DIFF_H
#define CP_ANALYSES_DIFF_DIFF_H

#include "analyses/diff/profile.h"
#include "analyses/diff/statistics.h"
#include "analyses/diff/dispersion.h"
#include "analyses/diff/tree.h"
#include "analyses/diff/versions.h"
#include "analyses/diff/waits.h"

/* The unit of work that costs are divided by. */
enum cp_diff_unit {
	CP_DIFF_DEFAULT, /* RUN or TIME, depending on the captures */
	CP_DIFF_RUN,
	CP_DIFF_TIME,
	CP_DIFF_CPU,
	CP_DIFF_SAMPLES,
	CP_DIFF_MEDIAN,
	CP_DIFF_FUNCTION,
	CP_DIFF_NUMBERS,
};

enum cp_diff_verdict {
	CP_DIFF_SAME, /* chance explains the change */
	CP_DIFF_CHANGED,
	/*
	 * More than sampling explains, but within what runs of the same may
	 * differ by.
	 */
	CP_DIFF_UNDECIDED,
	/*
	 * It changed as everything together did, and not by more than the
	 * others: no finding of its own.
	 */
	CP_DIFF_AS_WHOLE,
	CP_DIFF_TOO_FEW,
	CP_DIFF_INTERRUPTS,
};

#define CP_DIFF_REMARKS 12

/* Two functions that count as one, and why. */
struct cp_diff_pair {
	uint32_t gone, to; /* symbols: `gone` counts as `to` */
	const char *why;
};

/* The unit of a total: time, or a number. */
enum cp_diff_measure { CP_DIFF_SECONDS, CP_DIFF_NUMBER };
struct cp_diff_total {
	const char *name;
	enum cp_diff_measure measure;
	double before, after;
	double change, lo, hi; /* lo > hi: no interval */
	double p;              /* NaN: not tested */
	enum cp_diff_verdict verdict;
};
#define CP_DIFF_TOTALS 8

struct cp_diff_row {
	double delta, weight;
	uint32_t moved; /* the row that its cost went to, or came from */
	uint32_t symbol;
	const char *name, *object; /* of it */
	enum cp_diff_verdict verdict;
};

struct cp_diff {
	struct cp_run *run;
	const char *per; /* the value of --per; NULL: not given */
	enum cp_diff_unit unit;
	uint64_t baseline, top;
	double noise, alpha, fail_over, min_share;
	bool gate, gate_paths, allow_undecided;
	double gate_share; /* functions of which a pass excludes a change */
	/* State of the current capture. */
	struct cp_tally *stacks; /* event, stack */
	struct cp_tally *time;   /* event << 1 | kernel, thread: ns */
	struct cp_diff_waits waits;
	struct cp_diff_slices slices;

	struct cp_counted *counted; /* by run: what perf stat counted */
	uint32_t counted_cap, n_counted;
	struct cp_diff_profiles profiles;
	/* Used in finish() only. */
	struct cp_diff_runs runs;
	uint32_t n_runs, n_rows;
	struct cp_diff_cell *cell;     /* by symbol * n_runs + run */
	struct cp_diff_result *result; /* by symbol */
	double *interrupt; /* by symbol: weight in interrupts, all runs */
	double *weight;    /* by symbol, all runs */
	double *norm_var;  /* by run */
	struct cp_diff_row *row;
	uint32_t undecided; /* number of such rows */
	struct cp_diff_pair *pair;
	uint32_t pairs;
	struct cp_diff_tree tree;
	enum cp_diff_verdict *path; /* by node of the tree */
	/* The unit for everything together, which must not be a share. */
	enum cp_diff_unit whole_unit;
	struct cp_diff_runs whole_runs;
	struct cp_diff_result whole;
	enum cp_diff_verdict whole_verdict;
	double alike; /* what cp_diff_alike() returned */
	struct cp_diff_total total[CP_DIFF_TOTALS];
	uint32_t n_totals;
	double clock; /* how much faster it ran after, if events are cycles */
	double *work; /* by run: what --per says */
	const char *lacks; /* why nothing can be compared; NULL: it can */
	/* the profile of another tool that names no event; NULL: none */
	const char *nameless;
	bool cut_off; /* one side's stacks are: no call paths */
	const char *remark[CP_DIFF_REMARKS];
	uint32_t n_remarks;
	struct cp_diff_versions versions;
};

/* weights.c: is it an event of a profile that names none? */
bool cp_diff_is_nameless(const char *event);
/* weights.c: returns what a sample weighs. */
uint64_t cp_diff_weigh(const struct cp_diff *, const struct cp_sample *);
/* weights.c: returns the unit of an event's weights. */
const char *cp_diff_weight_unit(const struct cp_diff *, uint32_t event);
/*
 * weights.c: CP_FAIL after a diagnostic if captures weigh in different units.
 * If one names no event, all count samples from then on.
 */
int cp_diff_units_check(struct cp_diff *);
/* unit.c: parses --per; CP_FAIL after a diagnostic. */
int cp_diff_unit_parse(struct cp_diff *);
/* unit.c: gives each run its number of --per; CP_FAIL after a diagnostic. */
int cp_diff_work_read(struct cp_diff *);
/* unit.c: sets the norms that runs are divided by; may be called again. */
int cp_diff_norms(struct cp_diff *);
/* unit.c: returns "per run" and the like. */
const char *cp_diff_unit_name(const struct cp_diff *, enum cp_diff_unit);

/* pairing.c: pairs functions that were inlined, renamed or moved. */
void cp_diff_pair_up(struct cp_diff *);
/*
 * renamed.c: makes a function that is in one object before and in another after
 * one symbol, if no object has it on both sides, unless the objects have little
 * else in common; remarks on both.  The first `before` profiles are before.
 */
void cp_diff_profiles_match(struct cp_diff *, uint32_t before);
/* callers.c: adds what a row costs on each side. */
void cp_diff_add_cost(const struct cp_diff *, uint32_t row, double *side);
/* callers.c: returns log(after / before) of such costs; either may be 0. */
double cp_diff_log_change(const struct cp_diff *, const double *side);
/* The most pairs that the next one makes. */
#define CP_DIFF_CALLERS 8u
/*
 * callers.c: counts the calls of a function that only one side has as its
 * callers if the other side inlined it in several; scratch: one
 * for each row.
 */
void cp_diff_into_callers(
    struct cp_diff *, uint32_t symbol, bool after, double *scratch);
/*
 * True if the symbol runs in interrupts: then its cost depends on the machine,
 * not on the program.
 */
bool cp_diff_in_interrupts(const struct cp_diff *, uint32_t symbol);

/*
 * compare.c: compares both sides, the first `baseline` profiles and the others;
 * CP_FAIL after a diagnostic.
 */
int cp_diff_compare(struct cp_diff *);

/* verdicts.c: tests everything. */
void cp_diff_judge(struct cp_diff *);
/*
 * verdicts.c: returns how many runs on each side would decide what one on each
 * cannot.
 */
uint32_t cp_diff_runs_wanted(const struct cp_diff *);
/*
 * verdicts.c: returns the smallest growth of a function of that share, or of
 * everything (1), that such a comparison finds in 9 of 10 cases.
 */
double cp_diff_power(const struct cp_diff *, double share);

/* totals.c: counts the CPU time that a sample stands for. */
void cp_diff_time_add(struct cp_diff *, const struct cp_sample *);
/* totals.c: keeps that of the current capture. */
void cp_diff_time_read(
    struct cp_diff *, struct cp_diff_profile *, uint32_t event);
/* totals.c: compares length, CPU time and CPUs busy. */
void cp_diff_totals(struct cp_diff *);
/* totals.c: finds one of them; NULL: it is not known. */
const struct cp_diff_total *cp_diff_total(
    const struct cp_diff *, const char *name);
/*
 * totals.c: returns the growth of everything if what each side lost had cost
 * what the rest did.
 */
double cp_diff_hidden(const struct cp_diff *);

/*
 * homogeneity.c: returns the change that all functions have in common, if
 * everything changed and they do not differ by more than about a fifth of it;
 * 0: they do, or too few show it.
 */
double cp_diff_alike(const struct cp_diff *);
/* homogeneity.c: true if a row has the samples to show a factor. */
bool cp_diff_shows_factor(const struct cp_diff_result *);
/* paths.c: tests the call paths, by the same rules as functions. */
void cp_diff_paths_judge(struct cp_diff *);
/*
 * paths.c: shows the paths that changed and that no path below them explains.
 */
void cp_diff_paths_show(const struct cp_diff *, struct cp_report *);

/* headline.c: shows the totals, and says them in a sentence. */
void cp_diff_totals_show(const struct cp_diff *, struct cp_report *);
/* headline.c: adds a column that text leaves out. */
void cp_diff_minor(struct cp_table *, const char *name, enum cp_column_type);

/* blocked.c: shows what threads waited for. */
void cp_diff_blocked_show(const struct cp_diff *, struct cp_report *);

/* headline.c: returns "new", "gone", "more" or "less". */
const char *cp_diff_direction(const struct cp_diff_result *);
/* headline.c: returns what a verdict is called; "": nothing was found. */
const char *cp_diff_found(const struct cp_diff *, enum cp_diff_verdict,
    const struct cp_diff_result *);
/*
 * headline.c: a change with its interval as text; what is new has no
 * percentage.
 */
struct cp_diff_change {
	char text[96];
};
struct cp_diff_change cp_diff_change_of(const struct cp_diff_result *);
/* show.c: shows the tables and notes. */
void cp_diff_show(const struct cp_diff *, struct cp_report *);

/*
 * levels.c: makes one row of an object that has names on one side only; finds
 * out whether a side's stacks are cut off.
 */
void cp_diff_levels_names(struct cp_diff *);
void cp_diff_levels_stacks(struct cp_diff *);
/*
 * stem.c: writes a name without what tells copies of a function apart; true if
 * two names are instances of one template.
 */
void cp_diff_stem(const char *name, char *out, size_t room);
bool cp_diff_same_template(const char *, const char *);
/* remarks.c: adds a note that comes first. */
void cp_diff_remark(struct cp_diff *, const char *fmt, ...) CP_PRINTF(2, 3);

/* gate.c: finds costs that moved between functions. */
void cp_diff_moves(struct cp_diff *);
/* gate.c: applies --fail-over. */
void cp_diff_gate(const struct cp_diff *, struct cp_report *);
/* remarks.c: returns why there is nothing to compare; NULL: there is. */
const char *cp_diff_lacks(const struct cp_diff *);

#endif
