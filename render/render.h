/* SPDX-License-Identifier: MIT */
/*
 * render/render.h: the interface of renderers: a report in, one output format
 * out.
 *
 * A renderer is a const table; list.def registers it.  It sees a finished
 * report and a sink, opens nothing and prints nothing.  Sections that its
 * format cannot hold are returned in struct cp_left, and cli/ tells the user.
 */
#ifndef CP_RENDER_RENDER_H
#define CP_RENDER_RENDER_H

#include "base/buf.h"
#include "base/vec.h"
#include "render/common/left.h"
#include "render/common/out.h"
#include "report/report.h"

/* A member of a snapshot for coldperf itself, compressed by zstd. */
struct cp_kept_member {
	const char *name, *role;
	struct cp_buf bytes;
};

struct cp_render_kept {
	CP_VEC(struct cp_kept_member) members;
	bool rewritten; /* the records differ from the original ones */
	/*
	 * Waits until all members have their bytes; failed members are then
	 * removed.  NULL: no wait is needed.
	 */
	void (*wait)(void *ctx);
	void *ctx;
};

struct cp_snapshot_stream;

/* An option of the command line; value is NULL if it takes none. */
struct cp_render_word {
	const char *name, *value;
};

/* What the captures of a page are, and how they were read. */
struct cp_render_command {
	const char *const *captures;
	size_t capture_count;
	const struct cp_render_word *words;
	size_t word_count;
	/* options of the analysis that wrote the page */
	const struct cp_render_word *own;
	size_t own_count;
};

struct cp_render_options {
	bool color; /* escape sequences allowed */
	bool brief; /* short names even if there is room */
	bool plain; /* text: no intervals */
	/* text: names of the columns of tables, by commas; NULL: all */
	const char *columns;
	bool icicle; /* svg: roots at the top */
	/*
	 * columns, or pixels of a picture; 0: no limit or the format's default
	 */
	unsigned width;
	double min_share; /* smallest share of a tree drawn; 0: the default */
	unsigned jobs;    /* threads that may help; 0: none */
	/* most samples of a page, others are merged; 0: the default */
	size_t samples;
	const char *palette;  /* of a picture; NULL: colours by kind of frame */
	const char *subtitle; /* of a picture; NULL: none */
	const char *tool;     /* name and version of the writer; NULL: none */
	bool csv_raw;         /* cells that look like formulas as they are */
	bool with_time;       /* pprof: each sample by itself, with its time */
	struct cp_render_kept *kept; /* of a snapshot; NULL: nothing */
	/* of a snapshot: its samples; NULL: they are in the report */
	struct cp_snapshot_stream *stream;
	bool addresses; /* callgrind: costs of instructions, too */
	/*
	 * of a page: how its captures were read, for the commands that it
	 * shows; empty with --redact
	 */
	struct cp_render_command command;
};

#define CP_SHOWS(type) (1u << (type))
#define CP_SHOWS_CHARTS                                                        \
	(CP_SHOWS(CP_SECTION_HISTOGRAM) | CP_SHOWS(CP_SECTION_GRID) |          \
	    CP_SHOWS(CP_SECTION_LANES))
/* A tree in order of time: without the samples, others would merge it again. */
#define CP_SHOWS_TIMED (1u << CP_SECTION_TYPES)
#define CP_SHOWS_ALL                                                           \
	(CP_SHOWS(CP_SECTION_TABLE) | CP_SHOWS(CP_SECTION_TREE) |              \
	    CP_SHOWS(CP_SECTION_SCALARS) | CP_SHOWS(CP_SECTION_NOTES) |        \
	    CP_SHOWS_CHARTS)

/* The smallest share of a tree that a picture draws: a tenth of a pixel. */
double cp_svg_share(unsigned width);

struct cp_renderer {
	const char *name;   /* --format NAME */
	const char *suffix; /* of its files, with the dot */
	const char *others; /* more suffixes, by blanks; or NULL */
	/* prefix of file names that selects it, too; or NULL */
	const char *prefix;
	unsigned shows; /* CP_SHOWS bits */
	bool labels;    /* shows cp_profile_context.labels */
	bool several;   /* keeps the samples of several captures apart */
	void (*write)(const struct cp_report *,
	    const struct cp_render_options *, struct cp_out *,
	    struct cp_left *);
};

#define CP_RENDERER(id) extern const struct cp_renderer cp_renderer_##id;
#include "render/list.def"
#include "render/export/list.def"
#undef CP_RENDERER

size_t cp_renderer_count(void);
const struct cp_renderer *cp_renderer_at(size_t); /* in the list's order */
const struct cp_renderer *cp_renderer_find(const char *name);
/*
 * Finds a renderer by the suffix or prefix of a path; the longest match wins.
 * NULL: none.
 */
const struct cp_renderer *cp_renderer_of_path(const char *path);
/* True if the report has a section that the format can hold. */
bool cp_renderer_can(const struct cp_renderer *, const struct cp_report *);

/* Renders and flushes; CP_FAIL if the sink refused anything. */
int cp_render(const struct cp_renderer *, const struct cp_report *,
    const struct cp_render_options *, struct cp_out *,
    struct cp_left *) CP_MUST_USE;

#endif
