/* SPDX-License-Identifier: MIT */
/*
 * base/snapshot-columns.h: the columns of a snapshot's tables: the writer takes
 * the fields from here, readers the names (docs/snapshot-format.md).
 *
 * X(name, kind, field, about): field is the field of the writer's struct;
 * readers ignore it; about is for the reader of this file.  New columns are
 * added at the end of a table; none is ever removed or renamed without a new
 * version.
 */
#ifndef CP_BASE_SNAPSHOT_COLUMNS_H
#define CP_BASE_SNAPSHOT_COLUMNS_H

#define CP_SNAPSHOT_COLUMNS_samples(X)                                         \
	X(time_ns, DELTA64, time, "the capture's clock; -1: none")             \
	X(weight, I64, weight, "in the unit of the event")                     \
	X(stack, I32, stack, "row of stacks; 0: none")                         \
	X(thread, I32, thread, "row of threads; -1: none")                     \
	X(event, I32, event, "row of events")                                  \
	X(cpu, I32, cpu, "-1: not recorded")                                   \
	X(context, I32, context, "row of contexts; 0: none")

#define CP_SNAPSHOT_COLUMNS_contexts(X)                                        \
	X(context, ROW, unwound, "the row's number")                           \
	X(cgroup, TEXT, cgroup, "path or number of the cgroup; empty: none")   \
	X(unwound, END, unwound, "why unwinding ended; empty: not unwound")    \
	X(object, I32, object, "row of objects: code where it ended")

#define CP_SNAPSHOT_COLUMNS_stacks(X)                                          \
	X(stack, ROW, parent, "the row's number")                              \
	X(parent, DELTA32, parent, "row of stacks; 0: outermost")              \
	X(frame, DELTA32, frame, "row of frames")

#define CP_SNAPSHOT_COLUMNS_frames(X)                                          \
	X(frame, ROW, object, "the row's number")                              \
	X(object, I32, object, "row of objects; 0: in no mapping")             \
	X(addr, I64, addr, "offset in the object's file")                      \
	X(vaddr, I64, vaddr, "as objdump shows it; -1: not known")             \
	X(symbol, I32, symbol, "row of symbols; 0: no name")                   \
	X(level, LEVEL, level, "kernel, user ...")                             \
	X(flags, I32, flags, "1 a return address, 2, 16, 32 guessed")

#define CP_SNAPSHOT_COLUMNS_symbols(X)                                         \
	X(symbol, ROW, name, "the row's number")                               \
	X(name, TEXT, name, "demangled")                                       \
	X(raw, TEXT, raw, "as in the object")                                  \
	X(object, I32, object, "row of objects")                               \
	X(start, I64, start, "in the terms of frames.addr")                    \
	X(end, I64, end, "the first address after it")                         \
	X(source, SOURCE, source, "where the name is from")                    \
	X(trust, TRUST, trust, "how certain the name is")                      \
	X(label, TEXT, label, "name, with others of the same code; or empty")

#define CP_SNAPSHOT_COLUMNS_spots(X)                                           \
	X(frame, DELTA32, frame, "row of frames")                              \
	X(depth, I32, depth, "0: outermost; others are inlined")               \
	X(symbol, I32, symbol, "row of symbols; 0: no name")                   \
	X(file, TEXT, file, "source file")                                     \
	X(line, I32, line, "0: not known")                                     \
	X(column, I32, column, "0: not known")

#define CP_SNAPSHOT_COLUMNS_objects(X)                                         \
	X(object, ROW, name, "the row's number")                               \
	X(name, TEXT, name, "the recorded path")                               \
	X(kind, KIND, kind, "file, kernel, module ...")                        \
	X(level, LEVEL, level, "kernel, user")                                 \
	X(build_id, BUILD_ID, build_id,                                        \
	    "hexadecimal; empty: none was recorded")                           \
	X(source, SOURCE, source, "where most names are from")                 \
	X(trust, TRUST, trust, "how certain the names are")                    \
	X(pid, I32, pid, "process of a JIT map")                               \
	X(base, I64, base, "address of a kernel's text; 0: not known")         \
	X(file, TEXT, file, "the file with its names")                         \
	X(symbols, I64, symbols, "number of symbols in that file")             \
	X(found, I32, found, "bits: 1 code, 2 another build, 4 damaged")       \
	X(base_of, TEXT, base_name, "the symbol at base")                      \
	X(release, TEXT, release, "release of a kernel")                       \
	X(reason, TEXT, reason, "of the trust")

#define CP_SNAPSHOT_COLUMNS_threads(X)                                         \
	X(thread, ROW, pid, "the row's number")                                \
	X(pid, I32, pid, "-1: not recorded")                                   \
	X(tid, I32, tid, "-1: not recorded")                                   \
	X(comm, TEXT, name, "its name; one row for each name")                 \
	X(process, TEXT, process, "comm of its first thread")                  \
	X(start_ns, I64, start, "FORK; -1: not recorded")                      \
	X(end_ns, I64, end, "EXIT; -1: not recorded")

#define CP_SNAPSHOT_COLUMNS_events(X)                                          \
	X(event, ROW, name, "the row's number")                                \
	X(name, TEXT, name, "as perf calls it")                                \
	X(unit, TEXT, unit, "unit of weights: ns, cycles, samples ...")        \
	X(type, I32, type, "PERF_TYPE_*")                                      \
	X(config, I64, config, "perf_event_attr.config")                       \
	X(period, I64, period, "events per sample; in Hz if freq is 1")        \
	X(freq, I32, freq, "1: period is in Hz")                               \
	X(clock, I32, clock, "1: weights are ns of CPU time")                  \
	X(complete, I32, complete, "1: every occurrence was recorded")         \
	X(samples, I64, samples, "number of rows in samples")                  \
	X(weight, I64, weight, "sum of their weights")                         \
	X(lost, I64, lost, "records lost")                                     \
	X(lost_samples, I64, lost_samples, "samples lost")                     \
	X(throttled, I64, throttled, "number of times")                        \
	X(sample_type, I64, sample_type, "PERF_SAMPLE_* bits")                 \
	X(stack_user, I32, stack_user, "bytes of each copy of a stack")        \
	X(rates, I32, rates, "1: period is the largest of several")

#define CP_SNAPSHOT_COLUMNS_states(X)                                          \
	X(from_ns, DELTA64, from, "the capture's clock")                       \
	X(to_ns, DELTA64, to, "the capture's clock")                           \
	X(thread, I32, thread, "row of threads")                               \
	X(cpu, I32, cpu, "where it ran, else -1")                              \
	X(state, STATE, tone, "running, runnable, blocked ...")                \
	X(reason, TEXT, reason, "disk, futex, preempted ...")                  \
	X(stack, I32, stack, "where it stopped; 0: none")                      \
	X(waker, I32, waker, "row of threads; -1: not known")

#define CP_SNAPSHOT_COLUMNS_marks(X)                                           \
	X(time_ns, DELTA64, time, "the capture's clock; -1: none")             \
	X(thread, I32, thread, "row of threads; -1: none")                     \
	X(cpu, I32, cpu, "-1: none")                                           \
	X(kind, MARK, kind, "fork, exit, comm, lost, throttle ...")            \
	X(count, I64, count, "lost: records or samples")                       \
	X(text, TEXT, text, "comm: the new name")

#define CP_SNAPSHOT_COLUMNS_quality(X)                                         \
	X(key, TEXT, key, "as in coldperf quality")                            \
	X(count, I64, count, "0 for a share")                                  \
	X(share, DOUBLE, share, "0 to 1; 0 for a count")

/* The counts of a capture, from struct cp_quality. */
#define CP_SNAPSHOT_COUNTS(X)                                                  \
	X(bytes_total, I64, quality.bytes_total, "size of the input")          \
	X(bytes_parsed, I64, quality.bytes_parsed, "bytes read")               \
	X(bytes_skipped, I64, quality.bytes_skipped, "bytes not understood")   \
	X(bytes_missing, I64, quality.bytes_missing,                           \
	    "bytes that the header counts and the input lacks")                \
	X(gaps, I64, quality.gaps, "damaged spans")                            \
	X(gap_time_ns, I64, quality.gap_time_ns,                               \
	    "time between samples around the damaged spans")                   \
	X(records, I64, quality.records, "records read")                       \
	X(unknown_records, I64, quality.unknown_records,                       \
	    "records of unknown types")                                        \
	X(samples, I64, quality.samples, "samples read")                       \
	X(samples_unknown_id, I64, quality.samples_unknown_id,                 \
	    "samples of no known event")                                       \
	X(lost, I64, quality.lost, "records lost")                             \
	X(lost_samples, I64, quality.lost_samples, "samples lost")             \
	X(throttled, I64, quality.throttled, "number of times")                \
	X(out_of_order, I64, quality.out_of_order, "events out of order")      \
	X(truncated_chains, I64, quality.truncated_chains,                     \
	    "chains cut at the recorder's limit")                              \
	X(unmapped_ips, I64, quality.unmapped_ips,                             \
	    "samples outside all mappings")                                    \
	X(user_stacks, I64, quality.user_stacks,                               \
	    "samples with copies of user stacks")                              \
	X(unwound, I64, quality.unwound, "user stacks that were unwound")      \
	X(unwound_part, I64, quality.unwound_part,                             \
	    "of those, not to the outermost frame")                            \
	X(lost_callers, I64, quality.lost_callers,                             \
	    "chains that lack the caller of a function without a frame")       \
	X(inferred_callers, I64, quality.inferred_callers,                     \
	    "of those, only one function can have been the caller")            \
	X(aux_bytes, I64, quality.aux_bytes, "bytes of AUX data, not decoded")

#define CP_SNAPSHOT_COLUMNS_captures(X)                                        \
	X(capture, ROW, name, "the row's number")                              \
	X(name, TEXT, name, "its path")                                        \
	X(host, TEXT, host, "where it was recorded")                           \
	X(kernel, TEXT, kernel, "its release")                                 \
	X(arch, TEXT, arch, "architecture of the machine")                     \
	X(command, TEXT, command, "the command that recorded it")              \
	X(label, TEXT, label, "what reports say above pictures")               \
	X(date, TEXT, date, "when it began; empty: not known")                 \
	X(at_ns, I64, at, "when it begins in samples.time_ns; -1: none")       \
	X(from_ns, I64, quality.first_time, "its clock at its first sample")   \
	X(to_ns, I64, quality.last_time, "at its last sample")                 \
	X(samples_kept, I64, quality.samples_kept,                             \
	    "samples kept by the filters")                                     \
	X(killed, I32, quality.killed, "1: the recorder was killed")           \
	X(cut, I32, quality.cut, "1: it ends inside a record")                 \
	CP_SNAPSHOT_COUNTS(X)                                                  \
	X(damage, TEXT, damage,                                                \
	    "messages about it: id, times, record, "                           \
	    "offset, text; each ends with |")                                  \
	X(start_ns, I64, start, "where --time counts from; -1: none")          \
	X(end_ns, I64, end, "when it says that it ends; -1: none")             \
	X(wall_ns, I64, wall, "since 1970, at from_ns; -1: not known")         \
	X(filter, TEXT, filter, "options that chose samples; empty: all")

/*
 * The type that a reader gets for each kind: 0 a number, 1 a text, 2 a double.
 */
enum {
	CP_SNAPSHOT_IS_ROW = 0,
	CP_SNAPSHOT_IS_I32 = 0,
	CP_SNAPSHOT_IS_I64 = 0,
	CP_SNAPSHOT_IS_DELTA32 = 0,
	CP_SNAPSHOT_IS_DELTA64 = 0,
	CP_SNAPSHOT_IS_TEXT = 1,
	CP_SNAPSHOT_IS_BUILD_ID = 1,
	CP_SNAPSHOT_IS_LEVEL = 1,
	CP_SNAPSHOT_IS_KIND = 1,
	CP_SNAPSHOT_IS_SOURCE = 1,
	CP_SNAPSHOT_IS_TRUST = 1,
	CP_SNAPSHOT_IS_STATE = 1,
	CP_SNAPSHOT_IS_MARK = 1,
	CP_SNAPSHOT_IS_END = 1,
	CP_SNAPSHOT_IS_DOUBLE = 2,
};

enum {
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_samples_##name = CP_SNAPSHOT_IS_##kind,
	CP_SNAPSHOT_COLUMNS_samples(CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_stacks_##name = CP_SNAPSHOT_IS_##kind,
	    CP_SNAPSHOT_COLUMNS_stacks(CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_frames_##name = CP_SNAPSHOT_IS_##kind,
		CP_SNAPSHOT_COLUMNS_frames(CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_symbols_##name = CP_SNAPSHOT_IS_##kind,
		    CP_SNAPSHOT_COLUMNS_symbols(CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_spots_##name = CP_SNAPSHOT_IS_##kind,
			CP_SNAPSHOT_COLUMNS_spots(CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_objects_##name = CP_SNAPSHOT_IS_##kind,
			    CP_SNAPSHOT_COLUMNS_objects(CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_threads_##name = CP_SNAPSHOT_IS_##kind,
				CP_SNAPSHOT_COLUMNS_threads(CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_events_##name = CP_SNAPSHOT_IS_##kind,
				    CP_SNAPSHOT_COLUMNS_events(
					CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_states_##name = CP_SNAPSHOT_IS_##kind,
					CP_SNAPSHOT_COLUMNS_states(
					    CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_marks_##name = CP_SNAPSHOT_IS_##kind,
					    CP_SNAPSHOT_COLUMNS_marks(
						CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_quality_##name = CP_SNAPSHOT_IS_##kind,
						CP_SNAPSHOT_COLUMNS_quality(
						    CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
};

enum {
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_contexts_##name = CP_SNAPSHOT_IS_##kind,
	CP_SNAPSHOT_COLUMNS_contexts(CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
};

enum {
#define CP_SNAPSHOT_COLUMN(name, kind, field, about)                           \
	CP_SNAPSHOT_captures_##name = CP_SNAPSHOT_IS_##kind,
	CP_SNAPSHOT_COLUMNS_captures(CP_SNAPSHOT_COLUMN)
#undef CP_SNAPSHOT_COLUMN
};

/*
 * The name of a column: "objects", "pid".  It does not compile if the table has
 * no such column of that type.
 */
#define CP_SNAPSHOT_NAME(table, name, is)                                      \
	(&#name[0 *                                                            \
		sizeof(char[CP_SNAPSHOT_##table##_##name == (is) ? 1 : -1])])
#define CP_SNAPSHOT_NUMBER(table, name) CP_SNAPSHOT_NAME(table, name, 0)
#define CP_SNAPSHOT_TEXT(table, name) CP_SNAPSHOT_NAME(table, name, 1)

#endif
