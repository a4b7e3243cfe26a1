/* SPDX-License-Identifier: MIT */
/* tests/render/sample.h: reports made by hand, for tests of the renderers. */
#ifndef CP_TESTS_RENDER_SAMPLE_H
#define CP_TESTS_RENDER_SAMPLE_H

#include "render/render.h"

/* Of each kind of section one, all column types, all kinds of frames. */
void sample_plain(struct cp_report *);
/* Histograms, heat maps, lanes, trees that are coloured by a value. */
void sample_charts(struct cp_report *);
/* Names that want to be markup, control sequences or other lines. */
void sample_hostile(struct cp_report *);
/* The same with samples, of which everything has such a name. */
void sample_samples(struct cp_report *);
/* A tree of about that many nodes, all of them wide enough to be drawn. */
void sample_big(struct cp_report *, uint32_t nodes);
/* One stack of so many frames, each with weight of its own. */
void sample_deep(struct cp_report *, uint32_t levels);
/* Samples, threads, states and losses with hostile names. */
void sample_profile(struct cp_report *);
/* A tree of waits with hostile names, and no samples. */
void sample_waits(struct cp_report *);
/* No samples at all. */
void sample_empty(struct cp_report *);

/* Bytes of the names of sample_hostile(); NULL after the last. */
extern const char *const sample_hostile_names[];

/* Renders into b; the status of cp_render(). */
int sample_render(const struct cp_report *, const char *format,
    const struct cp_render_options *, struct cp_left *, struct cp_buf *b);

#endif
