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

/* Events of one capture; perf's own cap. */
#define CP_MAX_EVSELS 65536u
/* Ids of all events together: CPUs x threads x events; 128 MiB of table. */
#define CP_MAX_IDS (4u << 20)
/* One perf_event_attr; 144 is the largest known. */
#define CP_MAX_ATTR_SIZE 4096u
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
/* The command line as text; the kernel allows 2 MiB of arguments. */
#define CP_MAX_CMDLINE (8u << 20)
/* Names of events in simpleperf's features; each is compared with all. */
#define CP_MAX_SP_EVENTS 1024u
/* Symbols in simpleperf's file features; only those hit are there. */
#define CP_MAX_SP_SYMBOLS (4u << 20)
/* Tracepoint formats, and fields of one; kernels have some 3000 events. */
#define CP_MAX_TRACEPOINTS 65536u
#define CP_MAX_TP_FIELDS 1024u
/* Names of threads that the tracing data saved; the kernel keeps 128 Ki. */
#define CP_MAX_SAVED_COMMS (1u << 20)
/* One record: 64 KiB, and what simpleperf's wider field may reasonably say. */
#define CP_MAX_RECORD (128u << 10)
/* Frames of one call chain; a record of 64 KiB holds no more. */
#define CP_MAX_CHAIN 8192u
/* Samples that wait for a deferred user part; a thread has one or two, and
 * each such record looks through all of them. */
#define CP_MAX_DEFERRED 16384u
/* Answers kept for generations that are not the last; a cache, 40 MiB. */
#define CP_MAX_ANSWERS (2u << 20)
/* Executable mappings of one address space; the kernel allows 65,530 of all
 * kinds by default. */
#define CP_MAX_MAPS (128u << 10)
/* Mappings that all forked processes copied from their parents and have not
 * dropped by exec or exit; 256 MiB. */
#define CP_MAX_COPIES (8u << 20)
/* Threads alive at once in the capture (pid_max is 4 Mi). */
#define CP_MAX_THREADS (4u << 20)
/* Objects, symbols of one object, nodes of the stack trie. */
#define CP_MAX_DSOS (1u << 20)
#define CP_MAX_SYMBOLS (16u << 20)
#define CP_MAX_STACKS (UINT32_MAX - 1)
/* Parts of one ELF file; -ffunction-sections makes 100,000 sections. */
#define CP_MAX_SECTIONS (1u << 20)
#define CP_MAX_SEGMENTS 1024u
/* Note sections searched for a build ID, and bytes of each. */
#define CP_MAX_NOTES 256u
#define CP_MAX_NOTE (64u << 10)
/* Files and depth of a --symbols folder. */
#define CP_MAX_SYMBOL_FILES (256u << 10)
#define CP_MAX_SYMBOL_DEPTH 32u
/* One ELF section that we copy or inflate. */
#define CP_MAX_SECTION (1u << 30)
/* A kallsyms file; 20 MiB is large. */
#define CP_MAX_KALLSYMS (256u << 20)
/* Data files of a directory capture: one per CPU. */
#define CP_MAX_DATA_FILES 8192u
/* Events kept back to restore order in a stream without rounds. */
#define CP_ORDER_WINDOW (1u << 20)
/* The same between two rounds; 256 CPUs with buffers of 1 MiB fill 4 Mi. */
#define CP_ORDER_ROUND (8u << 20)
/* Bytes of raw payload kept back at the same time. */
#define CP_HELD_BYTES (128u << 20)
/* Inflated bytes a single compressed record may give. */
#define CP_MAX_INFLATED (64u << 20)
/* A mangled name that we hand to the demangler. */
#define CP_MAX_MANGLED 4096u
/* Folded stacks: names times depth times stacks, all kept to be sorted. */
#define CP_MAX_FOLDED ((size_t)1 << 30)
#define CP_MAX_FOLDED_LINE ((size_t)16 << 20)
/* Levels and lines of a call tree printed as text; people read it. */
#define CP_MAX_TEXT_DEPTH 200u
#define CP_MAX_TEXT_LINES 400u
/* Characters of one name in a picture; tooltips wrap them. */
#define CP_MAX_SVG_TEXT 4000u
/* A demangled name; back references can make one exponential. */
#define CP_MAX_DEMANGLED (64u << 10)
/* First places remembered of each diagnostic. */
#define CP_MAX_PLACES 4

#endif
