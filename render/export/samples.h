/* SPDX-License-Identifier: MIT */
/*
 * render/export/samples.h: what an export is made of.
 *
 * That is the report's profile, with its samples added up by what the format
 * can tell apart.  A report without a profile has its first tree made into
 * one: nodes are frames without addresses, and there are no threads or times.
 */
#ifndef CP_RENDER_EXPORT_SAMPLES_H
#define CP_RENDER_EXPORT_SAMPLES_H

#include "render/common/left.h"
#include "report/profile.h"
#include "report/report.h"

/* What is told apart, besides stacks and events. */
enum {
	CP_EXPORT_THREADS = 1,
	CP_EXPORT_CPUS = 2,
	CP_EXPORT_TIMES = 4, /* a row is one sample */
};

struct cp_export_row {
	uint64_t samples, weight;
	uint64_t time; /* CP_NO_TIME */
	uint32_t stack, event;
	uint32_t thread, cpu; /* CP_NO_ID: not told apart, or not recorded */
};

struct cp_export {
	const struct cp_report *report;
	const struct cp_profile *profile;
	CP_VEC(struct cp_export_row) rows; /* in the order of first samples */
	uint32_t event; /* the one to show first; CP_NO_ID: there is none */
	struct cp_profile made; /* of a tree */
};

/* Notes which sections are left out.  False: nothing can be exported. */
bool cp_export_begin(struct cp_export *, const struct cp_report *,
    unsigned apart, struct cp_left *);
void cp_export_end(struct cp_export *);

/* The report's profile, or NULL. */
const struct cp_profile *cp_export_profile(const struct cp_report *);

/* from-tree.c */
void cp_export_of_tree(struct cp_export *, const struct cp_section *);

#endif
