/* SPDX-License-Identifier: MIT */
/*
 * run/filter/filter.h: the filters of the command line, parsed.
 *
 * kept-samples.c applies them, check.c and none.c report those
 * that match nothing.
 */
#ifndef CP_RUN_FILTER_FILTER_H
#define CP_RUN_FILTER_FILTER_H

#include "base/buf.h"
#include "base/hash.h"
#include "base/vec.h"
#include "run/choice.h"
#include "run/moment.h"
#include "run/filter/payload.h"
#include "run/options.h"

struct cp_run;
struct cp_report_origin;

struct cp_range {
	uint32_t from, to;
};

/* In the order in which a sample is tested. */
enum cp_filter_kind {
	CP_FILTER_EVENT,
	CP_FILTER_CPU,
	CP_FILTER_PID,
	CP_FILTER_TID,
	CP_FILTER_COMM,
	CP_FILTER_CGROUP,
	CP_FILTER_TIME,
	CP_FILTER_PAYLOAD,
	CP_FILTER_DSO,
	CP_FILTER_SYMBOL,
	CP_FILTER_FOCUS,
	CP_FILTERS,
};

/*
 * Counts and values of samples, taken until a sample passes all filters.  If
 * none ever does, they show which filter is wrong and which values would have
 * matched.
 */
struct cp_filter_tally {
	uint64_t samples;
	uint64_t alone[CP_FILTERS]; /* samples that pass this filter */
	/* samples that also pass all filters before it */
	uint64_t left[CP_FILTERS];
	/* how many samples had a value, by its number */
	struct cp_map64 seen[CP_FILTERS];
	uint64_t asked_symbols; /* samples whose symbol was looked up */
	uint64_t before, after; /* times of the samples nearest to --time */
};

struct cp_filter {
	bool any; /* some filter was given */
	/*
	 * Each choice is indexed by a number: of the event, the string, the
	 * object, the symbol, the path's string.
	 */
	struct cp_choice events, comms, dsos, symbols, focus, cgroups;
	CP_VEC(uint8_t) focused; /* of a stack: 0 not asked, 1 no, 2 yes */
	uint32_t events_known;   /* events for which the choice has answers */
	CP_VEC(struct cp_range) pids, tids, cpus;
	cp_payload_filters payloads;
	bool timed;
	cp_windows windows;
	cp_intervals times; /* of all windows; in a snapshot of all captures */
	bool times_known;   /* times is made */
	bool timeless;      /* in a snapshot: what has no time is kept */
	/* Captures of a snapshot, and those of them without a sample then. */
	size_t placed, outside;
	uint8_t given[CP_FILTERS]; /* the kinds of which there are any */
	unsigned n_given;
	struct cp_filter_tally tally;
};

/* Parses the options; CP_FAIL after a diagnostic. */
int cp_filter_init(struct cp_filter *, const struct cp_run_options *,
    struct cp_diags *) CP_MUST_USE;
void cp_filter_free(struct cp_filter *);
/*
 * told.c: writes the filters as they must be given again; of events only if
 * asked for.  wall: when the capture began, in ns since 1970; CP_NO_TIME.
 */
void cp_filter_told(
    const struct cp_run_options *, uint64_t wall, bool events, struct cp_buf *);
/* brief.c: adds what cp_filter_told() wrote, cut where it is long. */
void cp_filter_brief(const char *told, struct cp_buf *);
/*
 * again.c: adds what someone says cp_filter_told() wrote; "..." if it did not.
 * redact: without names.
 */
void cp_filter_again(const char *told, bool redact, struct cp_buf *);
/*
 * again.c: adds the windows in what cp_filter_told() wrote of one run, and
 * steps over that.  False: there are none, up to the end.
 */
bool cp_filter_next_windows(const char **told, cp_windows *);
/* told.c: adds the values of --time as they were given. */
void cp_filter_times(const struct cp_run_options *, struct cp_buf *);
/* parts.c: returns what is chosen of an origin; NULL: of the capture. */
const char *cp_filter_part(struct cp_run *, const struct cp_report_origin *);
/* Keeps what was chosen of a capture that is compared with the next. */
void cp_filter_compared(struct cp_run *);
/*
 * Adds what is chosen of all captures, but for the events that are shown;
 * returns how many different parts that are.
 */
size_t cp_filter_label(const struct cp_run *, struct cp_buf *);
/*
 * Writes which functions of the samples --symbol chose, "2: a, b"; nothing:
 * it was not given, or chose none.
 */
void cp_filter_functions(const struct cp_run *, struct cp_buf *);
/* Adds it as a line of a picture has it; nothing: all of them is shown. */
void cp_filter_line(const struct cp_run *, struct cp_buf *);

#endif
