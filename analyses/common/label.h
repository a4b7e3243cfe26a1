/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/label.h: what analyses call things.
 *
 * The words are perf's where perf has one ("[unknown]", "[k]").  Texts live as
 * long as the run, or in the caller's buffer.
 *
 * This room has what three analyses or more need: names (label, frame-label,
 * event), grouping (code-groups, sample-groups, call-paths, call-sums), time
 * (time-buckets, percentiles), notes (losses, record-hint).  It may use
 * coldperf/plugin.h alone.  Begin in label.c and sample-groups.h.
 */
#ifndef CP_ANALYSES_COMMON_LABEL_H
#define CP_ANALYSES_COMMON_LABEL_H

#include <coldperf/plugin.h>

/* Last component of the object's path, "[unknown]" if there is none. */
const char *cp_word_object(const struct cp_run *, uint32_t dso);
/* The whole path. */
const char *cp_word_path(const struct cp_run *, uint32_t dso);
/* "[k]", "[.]", "[g]", "[u]", "[H]", as perf marks symbols. */
const char *cp_word_level(uint8_t level);
/* Returns the kind of a frame, for colours; sym may be NULL. */
enum cp_kind cp_word_kind(const struct cp_run *, const struct cp_frame *,
    const struct cp_symbol *sym);
const char *cp_word_source(uint8_t source);
const char *cp_word_trust(uint8_t trust);
/* The build ID in hexadecimal, "" if none was recorded. */
const char *cp_word_build_id(struct cp_run *, uint32_t dso);
/* Says why an object's samples have no symbol. */
const char *cp_word_unnamed(struct cp_run *, uint32_t dso);
/* "s" where n is not one. */
const char *cp_word_s(uint64_t n);

struct cp_word {
	char text[48];
};
/* 1234567 as "1,234,567". */
const char *cp_word_count(struct cp_word *, uint64_t);
/* An address as perf writes it: 0x and 16 digits. */
const char *cp_word_address(struct cp_word *, uint64_t);
/* An id, "-" if it was not recorded. */
const char *cp_word_id(struct cp_word *, uint32_t);
/* A duration with a fitting unit. */
const char *cp_word_time(struct cp_word *, uint64_t ns);
/* part of whole: "3.2 %", "0.04 %", "0 %". */
const char *cp_word_percent(struct cp_word *, double part, double whole);

/* Orders objects in a list: most samples first, then by path. */
int cp_word_compare(const struct cp_run *, uint64_t samples_a, uint32_t dso_a,
    uint64_t samples_b, uint32_t dso_b);

/* Returns part / whole, limited to 0...1; 0 if whole is 0. */
double cp_share(double part, double whole);
/*
 * Returns a whole of equal samples, and its part's share.  dispersion: see
 * cp_whole; 1 if the samples are independent.
 */
struct cp_whole cp_counted(uint64_t all, double dispersion);
struct cp_cell cp_count_cell(uint64_t part, struct cp_whole all);
/*
 * Returns how many samples of equal weight would be as informative: sum^2 / sum
 * of squares.
 */
double cp_mass_samples(struct cp_mass);

/*
 * Returns a path of a control group with the ids of containers cut to 12 digits
 * and without what a runtime puts around them: "docker:0123456789ab",
 * "pod1234abcd containerd:0123456789ab"; "-": 0.
 */
const char *cp_cgroup_label(struct cp_run *, uint64_t group);

#endif
