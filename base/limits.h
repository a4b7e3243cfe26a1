/* SPDX-License-Identifier: MIT */
/*
 * base/limits.h: every limit that an input can run into, with its reason.
 *
 * Limits protect memory and time from hostile or damaged input; none is
 * reached by a recording that was seen in practice.  Hitting one gives the
 * diagnostic "limit" that names it.
 */
#ifndef CP_BASE_LIMITS_H
#define CP_BASE_LIMITS_H

/* Samples of an imported profile, 64 bytes each; 16 hours of 1 kHz. */
#define CP_MAX_IMPORTED (64u << 20)
/*
 * Bytes of an imported profile that is read as a whole; browsers refuse
 * JSON of 512 MiB.
 */
#define CP_MAX_IMPORT (1u << 30)
/* A line of an imported text: 127 frames of 1,000 bytes, and room. */
#define CP_MAX_IMPORT_LINE (1u << 20)
/* Samples that counts of folded stacks become; 30 s of 100 CPUs at 4 kHz. */
#define CP_MAX_FOLDED_SAMPLES (12u << 20)
/* Events of one capture; perf's own cap. */
#define CP_MAX_EVSELS 65536u
/* Ids of all events together: CPUs x threads x events; 128 MiB of table. */
#define CP_MAX_IDS (4u << 20)
/* Bytes of a counter's unit. */
#define CP_MAX_UNIT 64u
/* Readings of counters in one capture of perf stat; 192 MiB. */
#define CP_MAX_READINGS (4u << 20)
/* One perf_event_attr; 144 is the largest known. */
#define CP_MAX_ATTR_SIZE 4096u
/* Bytes searched for event descriptions whose place is lost: ids of 60
 * events on 1,000 CPUs come before them at most. */
#define CP_MAX_ATTR_SEARCH (512u << 10)
/* A header feature section; the largest real ones (BTF) are some MiB. */
#define CP_MAX_FEATURE (64u << 20)
/* Tracing data: all event formats of a kernel are about 5 MiB. */
#define CP_MAX_TRACING (64u << 20)
/* Strings in one feature list; perf's own cap for command lines. */
#define CP_MAX_STRINGS (1u << 20)
/* CPUs of the recorded machine; perf's own cap. */
#define CP_MAX_CPUS (1u << 20)
/* Entries of any other list in a feature; perf's largest cap (BPF). */
#define CP_MAX_ITEMS (128u << 10)
/* Facts of one capture: a few hundred are usual, one per CPU and cache. */
#define CP_MAX_FACTS (256u << 10)
/* The unpacked size of a part of a redacted output, which is searched. */
#define CP_MAX_SCANNED ((size_t)2 << 30)
/* The command line as text; the kernel allows 2 MiB of arguments. */
#define CP_MAX_CMDLINE (8u << 20)
/*
 * Names of events in simpleperf's features; each is compared with all events.
 */
#define CP_MAX_SP_EVENTS 1024u
/* Symbols in simpleperf's file features, which list only symbols hit. */
#define CP_MAX_SP_SYMBOLS (4u << 20)
/* Tracepoint formats, and fields of one; kernels have some 3000 events. */
#define CP_MAX_TRACEPOINTS 65536u
#define CP_MAX_TP_FIELDS 1024u
/* Names of threads that the tracing data saved; the kernel keeps 128 Ki. */
#define CP_MAX_SAVED_COMMS (1u << 20)
/* Bytes between two branches; compilers make blocks of some KiB at most. */
#define CP_MAX_BLOCK (64u << 10)
/*
 * Bytes of one function that are disassembled, and of all; interpreters and
 * generated parsers have some 100 KiB.
 */
#define CP_MAX_FUNCTION (512u << 10)
#define CP_MAX_CODE (4u << 20)
/*
 * Files that `check` copies for libdwfl, in all; those of a browser have 300
 * MiB.
 */
#define CP_MAX_OPINION_FILES (1u << 30)
/* A source file; amalgamated ones have some 10 MiB. */
#define CP_MAX_SOURCE (32u << 20)
/* One record: 64 KiB by perf's header; simpleperf's size field is wider. */
#define CP_MAX_RECORD (128u << 10)
/*
 * Places in one record that are tested for a record inside it; such a record is
 * among the first of the places that lead to the end.
 */
#define CP_MAX_LOOKS 64u
/* What one LOST record counts: a day has 2^46 nanoseconds. */
#define CP_MAX_LOST (UINT64_C(1) << 48)
/* Frames of one call chain; a record of 64 KiB holds no more. */
#define CP_MAX_CHAIN 8192u
/*
 * Samples that wait for a deferred user part.  A thread has one or two, and
 * each such record searches all of them.
 */
#define CP_MAX_DEFERRED 16384u
/* Resolved chains of earlier generations; a cache of 40 MiB. */
#define CP_MAX_ANSWERS (2u << 20)
/*
 * Executable mappings of one address space.  The kernel allows 65,530 mappings
 * of any kind by default.
 */
#define CP_MAX_MAPS (128u << 10)
/*
 * Mappings that forked processes copied from their parents and still hold; 256
 * MiB.
 */
#define CP_MAX_COPIES (8u << 20)
/* Ranges of code that a redaction remembers, of all processes; 128 MiB. */
#define CP_MAX_CODE_RANGES (8u << 20)
/* Branches that a CPU records; 32 today. */
#define CP_MAX_LBR 256u
/* Threads whose last branches are kept for --stitch-lbr; 400 MiB at worst. */
#define CP_MAX_STITCHES (64u << 10)
/* Threads alive at once in the capture (pid_max is 4 Mi). */
#define CP_MAX_THREADS (4u << 20)
/* Objects, symbols of one object. */
#define CP_MAX_DSOS (1u << 20)
#define CP_MAX_SYMBOLS (16u << 20)
/*
 * Bytes of the names of all symbols that samples fell in: names of a string
 * table may overlap, so that a small file has any number of huge ones.  Those
 * of a browser have 100 MiB, if each of its functions was hit.
 */
#define CP_MAX_NAMES ((size_t)256 << 20)
/*
 * Nodes of the stack trie, and frames.  A node takes 75 bytes in a picture, 210
 * if its frame is new, too; hours of a large machine make some million.
 */
#define CP_MAX_STACKS (32u << 20)
/* Parts of one ELF file; -ffunction-sections makes 100,000 sections. */
#define CP_MAX_SECTIONS (1u << 20)
#define CP_MAX_SEGMENTS 1024u
/* Note sections searched for a build ID, and bytes of each. */
#define CP_MAX_NOTES 256u
#define CP_MAX_NOTE (64u << 10)
/* Files and depth of a --symbols folder. */
#define CP_MAX_SYMBOL_FILES (256u << 10)
#define CP_MAX_SYMBOL_DEPTH 32u
/* The list of files of one such folder that is kept on disk. */
#define CP_MAX_FOLDER_CACHE ((size_t)128 << 20)
/* The manifest of a bundle: a line for each member. */
#define CP_MAX_MANIFEST ((size_t)256 << 20)
/* Members of a bundle; a whole root file system has fewer. */
#define CP_MAX_MEMBERS (256u << 10)
/* A member's path or a link's target; PATH_MAX of Linux. */
#define CP_MAX_MEMBER_NAME 4096u
/* Folders around a member that is unpacked: each is made or opened for it. */
#define CP_MAX_MEMBER_FOLDERS 128u
/*
 * The size that a bundle may inflate to: FREE bytes, plus RATIO times its
 * compressed size.  Captures reach 50, those with copies of stacks 120, object
 * files 10, bombs a thousand.
 */
#define CP_ARCHIVE_FREE (UINT64_C(256) << 20)
#define CP_ARCHIVE_RATIO 200u
/*
 * Bytes of members in the temporary file, and of a file that is packed; debug
 * files reach some GiB.
 */
#define CP_MAX_SPOOL (UINT64_C(64) << 30)
/*
 * Bundles whose members are cached on disk: the smallest size that is worth it
 * (smaller ones inflate in no time), and the size of the whole cache.
 */
#define CP_BUNDLE_CACHE_MIN (UINT64_C(1) << 20)
#define CP_BUNDLE_CACHE_MAX (UINT64_C(2) << 30)
/*
 * Captures of bundles cached on disk: the size of that cache, and the part of
 * the free disk space that it may take (a quarter).
 */
#define CP_KEPT_CAPTURE_MAX (UINT64_C(8) << 30)
#define CP_KEPT_CAPTURE_FREE 4u
/* The list at the end of a cached bundle. */
#define CP_BUNDLE_CACHE_LIST (UINT64_C(64) << 20)
/* Bundles in bundles: a tar has Debian packages, which have a data.tar.xz. */
#define CP_MAX_NESTED 3u
/* One ELF section that is copied or inflated. */
#define CP_MAX_SECTION (1u << 30)
/*
 * The most that a section, .gnu_debugdata or a compressed module may inflate
 * to: the sum of a free amount and a multiple of its compressed size.  _ALL is
 * the free amount of all that are held at the same time.  Debug information
 * inflates to 2 to 5 times its compressed size, its strings to 12 times.
 */
#define CP_INFLATE_FREE (UINT64_C(64) << 20)
#define CP_INFLATE_FREE_ALL (UINT64_C(256) << 20)
#define CP_INFLATE_RATIO 32u
/*
 * Units of one file's debug information, and files of split ones; a browser has
 * 40,000.
 */
#define CP_MAX_UNITS (4u << 20)
#define CP_MAX_DWO_FILES 65535u
/* Abbreviations of a unit; thousands are usual with link-time optimization. */
#define CP_MAX_ABBREVS (1u << 20)
/*
 * Steps through the tables of Go's functions: for one batch of addresses, and
 * for one address.  Most take some hundred, in a large function thousands.
 */
#define CP_MAX_GO_STEPS (16u << 20)
#define CP_MAX_GO_STEPS_EACH 4096u
/* Depth of debug entries; templates reach some hundred. */
#define CP_MAX_DIE_DEPTH 65536u
/*
 * Functions inlined in each other at one address; deep templates have some ten.
 */
#define CP_MAX_INLINED 256u
/* References from a DIE to the DIE that has the name; four are usual. */
#define CP_MAX_NAME_HOPS 16u
/* Columns of a DWARF 5 file entry; a few are usual. */
#define CP_MAX_LINE_COLUMNS 32u
/* Sections that an index of a .dwp file has a column for; 8 are known. */
#define CP_MAX_INDEX_COLUMNS 16u
/* Overlapping ranges of units that are tried for one address. */
#define CP_MAX_OVERLAPS 64u
/* Scopes around a function that has no linkage name; ten are many. */
#define CP_MAX_SCOPES 64u
/* Files and folders of a line table. */
#define CP_MAX_LINE_FILES (1u << 20)
/* Entries of an unwind table; the largest libraries have 200,000. */
#define CP_MAX_FDES (16u << 20)
/*
 * CFA instructions, expression operations and frames that one stack may take; a
 * deep stack takes some thousand.
 */
#define CP_MAX_UNWIND_STEPS (1u << 20)
/*
 * Steps that the rules of one object may take over all stacks, and steps of
 * each rule that are not counted.  Rules of compilers take some ten.
 */
#define CP_MAX_RULE_STEPS (64u << 20)
#define CP_FREE_RULE_STEPS 256u
/* Distance above the end of a dump up to which an address is of its stack. */
#define CP_MAX_STACK_GAP (1u << 30)
/*
 * CFA instructions of one rule that are not counted as steps.  Rules this cheap
 * are cached, and a cache hit must not change where the limit ends a stack.
 */
#define CP_MAX_CHEAP_RULE 4096u
/* Bytes of cached rules of one object's functions. */
#define CP_MAX_CFI_ROWS (8u << 20)
/* Threads that do one kind of work. */
#define CP_MAX_WORKERS 64u
/* Rules cached by address; 64 MiB. */
#define CP_MAX_RULES (4u << 20)
/*
 * Unwind rules that do not fit 32 bits, each stored once.  An object has some
 * hundred, or all if its rules are always kept in full.
 */
#define CP_MAX_FULL_RULES (1u << 20)
/*
 * The disk cache of one object's inlined functions; 20,000 addresses take 3
 * MiB.
 */
#define CP_MAX_INLINE_CACHE (64u << 20)
/*
 * Size of that cache for all objects, and the files that are examined to trim
 * it.
 */
#define CP_MAX_INLINE_CACHES (UINT64_C(2) << 30)
#define CP_MAX_CACHE_FILES (1u << 20)
/*
 * Data that `script` holds back to name samples in batches: samples, their
 * frames, and bytes of the text before the frames; 40 MiB.
 */
#define CP_MAX_SCRIPT_SAMPLES (256u << 10)
#define CP_MAX_SCRIPT_FRAMES (2u << 20)
#define CP_MAX_SCRIPT_HEADS (16u << 20)
/* A kallsyms file; 20 MiB is large. */
#define CP_MAX_KALLSYMS (256u << 20)
/* Virtual machines of one capture. */
#define CP_MAX_GUESTS 1024u
/* Jitdumps of one capture; each is checked when new code comes. */
#define CP_MAX_JITDUMPS 4096u
/* Functions of one jitdump; a server of weeks has some 100,000. */
#define CP_MAX_JIT_LOADS (4u << 20)
/* Source lines of one jitdump; some ten of each function. */
#define CP_MAX_JIT_LINES (16u << 20)
/* The name of a function in a jitdump; V8's hold a path. */
#define CP_MAX_JIT_NAME 16384u
/* Jitdumps of one process that are searched, the last ones. */
#define CP_MAX_JIT_CHAIN 8u
/* Processes that inherit JIT code by fork; most soon exec another program. */
#define CP_MAX_JIT_USERS 65536u
/* Pages without JIT code that are remembered; at the limit any page counts. */
#define CP_MAX_JIT_PAGES (64u << 10)
/* Bytes of the unwind table of one JIT function. */
#define CP_MAX_JIT_TABLE (1u << 20)
/* A perf map; a JVM that runs for weeks writes some 100 MiB. */
#define CP_MAX_PERF_MAP (512u << 20)
/* Perf maps of other processes that are listed. */
#define CP_MAX_JIT_FILES 65536u
/*
 * Build IDs that debuginfod servers do not have, and for how long they are
 * remembered: an older library cannot tell a missing file from a failing
 * server.
 */
#define CP_MAX_MISSES 16384u
#define CP_MISS_SECONDS 3600
/*
 * Seconds without a byte after which a transfer ends.  Servers take time to
 * unpack a large package; a report should not wait as long as a fetch.
 */
#define CP_FETCH_SILENCE 60u
#define CP_FETCH_WAIT_SILENCE 5u
/*
 * Failures in a row after which servers are not asked again.  Servers that
 * never answered get one attempt.
 */
#define CP_FETCH_FAILURES 3
/*
 * Default limits of `symbols --fetch`: bytes and seconds of the whole fetch;
 * and the seconds that a report waits.
 */
#define CP_FETCH_BYTES ((uint64_t)4 << 30)
#define CP_FETCH_SECONDS 600u
#define CP_FETCH_WAIT 30u

/*
 * check: frames that elfutils is asked for.  libdwfl reads all symbols of a
 * file for each: a second for 2000 of a large program.
 */
#define CP_CHECK_FRAMES 2000u
/*
 * Share above which a page has a function's code, unless --page-source sets it.
 */
#define CP_PAGE_SOURCE 0.01
/* Functions at an address that `check` compares. */
#define CP_CHECK_SPOTS 256u
/* Parallel transfers. */
#define CP_FETCH_THREADS 8u
/* Data files of a directory capture: one per CPU. */
#define CP_MAX_DATA_FILES 8192u
/* Events held back to restore the order of a stream without rounds. */
#define CP_ORDER_WINDOW (1u << 20)
/*
 * Events held back between two rounds; 256 CPUs with 1 MiB buffers fill 4 Mi.
 */
#define CP_ORDER_ROUND (8u << 20)
/* Bytes of payload held back at the same time. */
#define CP_HELD_BYTES (128u << 20)
/*
 * The size that all compressed records of a capture may inflate to: FREE bytes,
 * plus RATIO times their compressed size.  Captures reach 50, stacks of zeros
 * 150, bombs thousands.
 */
#define CP_RECORDS_FREE (UINT64_C(256) << 20)
#define CP_RECORDS_RATIO 200u
/* Bytes that one compressed record may inflate to. */
#define CP_MAX_INFLATED (64u << 20)
/* A mangled name passed to the demangler. */
#define CP_MAX_MANGLED 4096u
/* Back references in a name of D; each may double the demangled name. */
#define CP_MAX_D_REFERENCES 24u
/*
 * Names whose text LLVM's demangler could not finish; each loses 15 KB, and
 * after the last one it is asked no more.
 */
#define CP_MAX_DEMANGLER_FAULTS 1024
/* Versions of libLLVM that are looked for; 18 is the first with concepts. */
#define CP_NEWEST_LLVM 40u
#define CP_OLDEST_LLVM 18u
/*
 * Folded stacks: bytes of all lines, which are sorted in memory, and of one
 * line.
 */
#define CP_MAX_FOLDED ((size_t)1 << 30)
#define CP_MAX_FOLDED_LINE ((size_t)16 << 20)
/*
 * Bytes of an export that is compressed as a whole; readers hold all of it in
 * memory, too.
 */
#define CP_MAX_EXPORT ((size_t)2 << 30)
/* Events, which are columns of each line, of an export that has lines. */
#define CP_MAX_EXPORT_EVENTS 32u
/* Depth and lines of a call tree as text; more than people read. */
#define CP_MAX_TEXT_DEPTH 200u
#define CP_MAX_TEXT_LINES 400u
/* Lanes of one picture: 7,200 pixels; people scroll no further. */
#define CP_MAX_SVG_LANES 400u
/* Characters of one name in a picture; tooltips wrap them. */
#define CP_MAX_SVG_TEXT 4000u
/*
 * A name that is shown.  Back references can make a demangled one exponential,
 * and a line of a perf map may be the whole file.
 */
#define CP_MAX_DEMANGLED (64u << 10)
/*
 * One query in SQL, in bytes; the memory that SQLite may take for it; the
 * values of its answer, which are kept until they are written, and the bytes of
 * their texts; and seconds that one function may run on after the query's
 * limit.
 */
#define CP_MAX_QUERY (1u << 20)
#define CP_MAX_QUERY_MEMORY (INT64_C(1) << 30)
#define CP_MAX_ANSWER (4u << 20)
#define CP_MAX_ANSWER_TEXT (64u << 20)
#define CP_MAX_QUERY_RUNS_ON 5u
/* Samples of one of several captures, held until it is named: 6 GiB. */
#define CP_MAX_GATHERED (100u << 20)
/* Captures in a snapshot without records: 90 MiB. */
#define CP_MAX_ORIGINS (1u << 18)
/*
 * What periods and other weights of samples may add up to: 292 years in ns.
 * Parquet, SQL and the formats of others have signed numbers.
 */
#define CP_MAX_WEIGHTS ((uint64_t)INT64_MAX)
/* First places remembered for each diagnostic. */
#define CP_MAX_PLACES 4

#endif
