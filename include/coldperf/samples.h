/* SPDX-License-Identifier: MIT */
/*
 * coldperf/samples.h: the capture that is read: its events, options, facts and
 * losses, and what a sample has besides its fields.
 */
#ifndef COLDPERF_SAMPLES_H
#define COLDPERF_SAMPLES_H

#include <coldperf/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whose events a capture has. */
enum cp_scope {
	CP_SCOPE_UNKNOWN,
	CP_SCOPE_SYSTEM, /* of all threads */
	CP_SCOPE_CPUS,   /* of all threads on some CPUs */
	CP_SCOPE_TASKS,  /* of some processes or threads, and of no others */
};
/*
 * By the events (enable_on_exec) and perf's command line.  UNKNOWN where
 * neither tells.  In a pipe it is known when the first sample is.
 */
CP_API enum cp_scope cp_run_scope(const struct cp_run *);

CP_API uint32_t cp_run_evsel_count(const struct cp_run *);
CP_API const struct cp_evsel *cp_run_evsel(const struct cp_run *, uint32_t);
/*
 * Is event a better to show than b?  Events that measure CPU time come first
 * (cycles, then cpu-clock, then task-clock), then other sampled events,
 * tracepoints last; among equals the one with more samples.
 */
CP_API bool cp_event_before(const struct cp_evsel *a, uint64_t samples_a,
    const struct cp_evsel *b, uint64_t samples_b);
/*
 * Returns the first event of the same meaning.  A hybrid processor has an event
 * of the same meaning for each kind of core; they are shown together.
 */
CP_API uint32_t cp_run_event_of(struct cp_run *, uint32_t evsel);
/*
 * Returns the name of an event: the names of all events of its meaning that
 * have samples, "cpu_atom/cycles/ + cpu_core/cycles/".
 */
CP_API const char *cp_run_event_name(struct cp_run *, uint32_t event);
/* The socket and core of a CPU; false: not recorded. */
CP_API bool cp_run_topology(
    const struct cp_run *, uint32_t cpu, uint32_t *socket, uint32_t *core);
/* What perf stat counted; NULL: nothing. */
CP_API const struct cp_stat *cp_run_counted(struct cp_run *);
/* The command of that thread of a reading; "": not known. */
CP_API const char *cp_run_counted_comm(const struct cp_run *, uint32_t thread);
CP_API const char *cp_run_string(const struct cp_run *, cp_string_id);
CP_API cp_string_id cp_run_intern(struct cp_run *, const char *);
CP_API const struct cp_dso *cp_run_dso(const struct cp_run *, uint32_t id);
CP_API uint32_t cp_run_dso_count(const struct cp_run *); /* ids are <= it */
/* The path; NULL: no record has it. */
CP_API const char *cp_run_cgroup(const struct cp_run *, uint64_t id);
CP_API void cp_run_diag(struct cp_run *, enum cp_diag_id, const char *, ...)
    CP_PRINTF(3, 4);

/*
 * Replaces the table's `wants` when the options need less (or more): without
 * CP_WANT_STACKS no chain is resolved.  Only begin() may call it.
 */
CP_API void cp_run_wants(struct cp_run *, uint32_t wants);

/*
 * Fails a gate (diff --fail-over): coldperf prints the reason and exits with
 * status 1, unless a worse status applies.  Only for finish().
 */
CP_API void cp_run_fail(struct cp_run *, const char *, ...) CP_PRINTF(2, 3);
/* Marks a gate as undecided: status 6. */
CP_API void cp_run_undecided(struct cp_run *, const char *, ...)
    CP_PRINTF(2, 3);

/* Zeroed memory that lives as long as the run.  Never NULL. */
CP_API void *cp_run_alloc(struct cp_run *, size_t);
/*
 * Gives back n bytes of cp_run_alloc() at once; for large arrays. n must be the
 * size that was asked for; NULL is ignored.
 */
CP_API void cp_run_free(struct cp_run *, void *, size_t n);

/*
 * Returns the analysis that the user asked for.  An analysis that is run in
 * addition (quality, for machines) should not make the run more expensive.
 */
CP_API const char *cp_run_command(const struct cp_run *);
/*
 * For an analysis that is run in addition: returns the share of an event's
 * weight from which on a function's code is put into the page; 0: no code.
 */
CP_API double cp_run_code_share(const struct cp_run *);
/*
 * Returns the smallest share of a tree that some output draws; 0: all of it.
 * Lighter nodes of a tree of calls may be one cp_tree_narrow() below their
 * parent.
 */
CP_API double cp_run_tree_share(const struct cp_run *);
/* Has some output a place for what single samples say, as payloads? */
CP_API bool cp_run_sample_labels(const struct cp_run *);

/* Returns the value of one of the analysis' own options, or its default. */
CP_API const char *cp_run_option(const struct cp_run *, const char *name);
CP_API bool cp_run_option_bool(const struct cp_run *, const char *name);
CP_API uint64_t cp_run_option_u64(const struct cp_run *, const char *name);
CP_API double cp_run_option_double(const struct cp_run *, const char *name);

/*
 * Returns the compiled value of an option that chooses symbols by one name, one
 * glob, or a regular expression between slashes: "/^(malloc|free)$/".  NULL:
 * not given, or refused.
 */
struct cp_pattern;
CP_API const struct cp_pattern *cp_run_option_pattern(
    struct cp_run *, const char *name);
/*
 * Does a symbol match?  The pattern is compared with the name in the object,
 * with the whole name, with the name as it is shown, without parameters and
 * template arguments, and with the last components of each.
 */
CP_API bool cp_symbol_fits(const struct cp_pattern *, const struct cp_symbol *);
/* The same; libc.so.6!read is read of that object, by its name or path. */
CP_API bool cp_run_symbol_fits(
    struct cp_run *, const struct cp_pattern *, const struct cp_symbol *);
/*
 * Reports that none of these functions matches the option; lists the nearest
 * first, equals in the order given: heaviest first.
 */
CP_API void cp_run_no_match(
    struct cp_run *, const char *option, const char *const *names, size_t n);
/*
 * Returns the form of a function's name that tables show where space is short,
 * without template arguments and parameters, and the last component of that.
 * They live as long as the run.
 */
CP_API const char *cp_run_name_short(struct cp_run *, const char *name);
CP_API const char *cp_run_name_last(struct cp_run *, const char *name);

/*
 * Returns the unit that --weight counts: "period", "samples", "time", or a
 * field's name.
 */
CP_API const char *cp_run_weight_name(const struct cp_run *);

/* Are several captures analysed as one?  See CP_WANT_MERGED. */
CP_API bool cp_run_merged(const struct cp_run *);

/* Facts about the capture as (key, value) pairs in a fixed order. */
struct cp_fact {
	const char *group; /* "host", "recording", "file", "event" ... */
	const char *key;
	const char *value;
};
CP_API size_t cp_run_facts(const struct cp_run *, const struct cp_fact **);
CP_API const char *cp_run_fact(const struct cp_run *, const char *key);

/*
 * Returns the moment from which "+seconds" of --time count; CP_NO_TIME: not
 * known.
 */
CP_API uint64_t cp_run_start(const struct cp_run *);
/*
 * Returns, in capture(), the report that finish() will get; NULL: there is none
 * yet.
 */
CP_API struct cp_report *cp_run_report(const struct cp_run *);
/*
 * Writes a moment of the capture as wall-clock text; false: the clock is not
 * known.
 */
CP_API bool cp_run_wall_clock(
    const struct cp_run *, uint64_t time, char *buf, size_t size);

/* Exact account of what was read and what was lost. */
struct cp_quality {
	uint64_t bytes_total; /* of the input; 0: a stream of unknown length */
	uint64_t bytes_parsed;
	uint64_t bytes_skipped;
	/* of compressed records, and left out after damage in them */
	uint64_t bytes_inflated, bytes_undecided;
	/* named by the header, but after the end of the input */
	uint64_t bytes_missing;
	uint64_t gaps;        /* damaged spans jumped over */
	uint64_t gap_time_ns; /* between the samples before and after them */
	uint64_t records;
	uint64_t unknown_records;
	uint64_t samples;      /* read from the input */
	uint64_t samples_kept; /* passed the filters */
	uint64_t samples_unknown_id;
	uint64_t weight_kept;
	uint64_t lost; /* records, by the LOST records */
	uint64_t lost_samples;
	uint64_t throttled;
	uint64_t out_of_order;
	uint64_t truncated_chains; /* at the recorder's depth limit */
	uint64_t unmapped_ips;     /* samples whose ip lies in no mapping */
	uint64_t user_stacks;      /* samples with dumped stacks */
	uint64_t unwound;          /* those whose stack was unwound */
	/* of these, those that ended before the outermost frame */
	uint64_t unwound_part;
	uint64_t aux_bytes;             /* not decoded */
	uint64_t first_time, last_time; /* of samples; CP_NO_TIME if none */
	double weight_sq; /* sum of squared weights kept, for intervals */
	/* the recorder was killed before it wrote the header */
	bool killed;
	bool cut; /* the input ends in the middle of a record */
	/* samples whose chain lacks the caller of a function without a frame */
	uint64_t lost_callers;
	/* of these, those where only one function can have been the caller */
	uint64_t inferred_callers;
};
CP_API const struct cp_quality *cp_run_quality(const struct cp_run *);
/*
 * Returns how much was lost.  Records of both kinds may tell of the same losses
 * of a capture; those of captures added up are others.
 */
CP_API uint64_t cp_run_lost(const struct cp_run *);

/* -------------------------------------------------------------- samples */

/*
 * Finds a field of a tracepoint's payload by name; NULL: the event is not a
 * tracepoint, or has no such field.  In a pipe the layout is known from the
 * event's first sample on.  The field lives as long as the run.
 */
struct cp_field;
CP_API const struct cp_field *cp_run_field(
    struct cp_run *, uint32_t evsel, const char *name);
/*
 * Reads the field's number, sign-extended; false: it is not a number, or is cut
 * off.
 */
CP_API bool cp_field_u64(
    const struct cp_field *, const struct cp_sample *, uint64_t *out);
/* Reads element i of an array of n equal elements in the same way. */
CP_API bool cp_field_item(const struct cp_field *, const struct cp_sample *,
    uint32_t i, uint32_t n, uint64_t *out);
/*
 * Finds the place of a number in the payload, for fast access in millions of
 * samples: 1, 2, 4 or 8 bytes at an offset.  False: it is not a number.
 */
struct cp_field_at {
	uint32_t offset, size;
	bool is_signed, swap; /* swap: the other byte order */
};
CP_API bool cp_field_place(const struct cp_field *, struct cp_field_at *);
/*
 * Returns the field's text, without a NUL at its end; NULL: it is not a text,
 * or is cut off.
 */
CP_API const char *cp_field_text(
    const struct cp_field *, const struct cp_sample *, size_t *len);
/*
 * Returns the payload of the current sample as perf script prints it, by the
 * event's print format; without one, its fields as name=value.  NULL: the
 * sample has no payload, or its layout is not known.  Valid until the next
 * call.
 */
CP_API const char *cp_sample_payload(
    struct cp_run *, const struct cp_sample *, size_t *len);
/*
 * Returns the number of fields of an event's payload without the common ones,
 * in their order; 0: the event has none, or its layout is not known.
 */
enum cp_field_kind { CP_FIELD_NUMBER, CP_FIELD_TEXT, CP_FIELD_ARRAY };
struct cp_field_type {
	const char *name, *type; /* as in the format: "pid_t" */
	uint32_t size;           /* bytes; of a dynamic array 4 */
	uint8_t kind;            /* enum cp_field_kind */
	bool is_signed;
};
CP_API size_t cp_run_field_types(
    struct cp_run *, uint32_t evsel, const struct cp_field_type **);
/* Returns the print format of the event; "" if it was not recorded. */
CP_API const char *cp_run_print_format(const struct cp_run *, uint32_t evsel);

/*
 * Does the sample tell what another event of the capture has told, as with
 * -e 'sched:*' -e sched:sched_switch?  It then has the bytes of the last one of
 * its kind, a number of the caller's, on its CPU.  *repeats is NULL at first.
 */
struct cp_repeats;
CP_API bool cp_sample_repeats(struct cp_run *, struct cp_repeats **repeats,
    uint32_t kind, const struct cp_sample *);

/* Returns branch i of the current sample; i < branches. */
CP_API struct cp_branch cp_sample_branch(
    const struct cp_run *, const struct cp_sample *, uint32_t i);
/*
 * Returns the frame of another address at the time of the current sample: of a
 * branch, or of data.  It is named like a frame of a stack.  CP_LEVEL_UNKNOWN:
 * the address decides between user and kernel.
 */
CP_API cp_frame_id cp_sample_frame(
    struct cp_run *, const struct cp_sample *, uint64_t addr, enum cp_level);

/*
 * Returns the current process and name of a thread; false: the thread is not
 * known.
 */
CP_API bool cp_run_thread(
    const struct cp_run *, uint32_t tid, uint32_t *pid, cp_string_id *comm);
/*
 * Does the thread run a 32-bit program now?  Such a program uses other numbers
 * of system calls on a 64-bit kernel.  The mapping of the vdso shows it; false
 * if that was not recorded.
 */
CP_API bool cp_run_thread_narrow(const struct cp_run *, uint32_t tid);
/* Do the filters of the command line keep an event, a task, a CPU, a time? */
CP_API bool cp_run_keeps_event(struct cp_run *, uint32_t evsel);
CP_API bool cp_run_keeps_task(
    const struct cp_run *, uint32_t pid, uint32_t tid, cp_string_id comm);
CP_API bool cp_run_keeps_cpu(const struct cp_run *, uint32_t cpu);
CP_API bool cp_run_keeps_time(struct cp_run *, uint64_t time);
/*
 * --time may keep several windows.  Everything is cut to them: what begins
 * before one, or ends after it, counts with its part.
 *
 * Does it keep some of this, a moment at least?
 */
CP_API bool cp_run_keeps_some(struct cp_run *, uint64_t start, uint64_t end);
/*
 * Cuts times to their first part in a window; false: there is none.  All parts:
 * for (stop = end; cp_run_cut(run, &start, &stop); start = stop, stop = end)
 */
CP_API bool cp_run_cut(struct cp_run *, uint64_t *start, uint64_t *end);
/* Returns the sum of all parts. */
CP_API uint64_t cp_run_kept_ns(struct cp_run *, uint64_t start, uint64_t end);
/*
 * Returns the begin of the first window and the end of the last one, for axes:
 * 0...UINT64_MAX without --time.
 */
CP_API void cp_run_window(struct cp_run *, uint64_t *from, uint64_t *to);
/*
 * Returns how much of the time between first and last sample that is, in ns: of
 * captures added up it is chosen of each.  0: one of them has no times.
 */
CP_API uint64_t cp_run_window_length(struct cp_run *);

#ifdef __cplusplus
}
#endif

#endif
