/* SPDX-License-Identifier: MIT */
/*
 * render/export/common/call-graph.h: who calls whom, and what it costs.
 *
 * A cost is that of a function itself, or of its calls of another function.
 * Recursion counts once: of several calls from f to g on a stack, or of several
 * frames of f, only the outermost adds.  An inlined function counts as called
 * by the function around it.
 */
#ifndef CP_RENDER_EXPORT_COMMON_CALL_GRAPH_H
#define CP_RENDER_EXPORT_COMMON_CALL_GRAPH_H

#include "render/export/common/functions.h"
#include "render/export/common/samples.h"

struct cp_call_cost {
	uint32_t from; /* functions */
	uint32_t to;   /* CP_NO_ID: the function's own */
	uint32_t line; /* in `from'; 0: not known */
	uint64_t addr; /* the same; 0: addresses are not told apart */
};

/* Column 0 of the values is samples, the others are events with samples. */
struct cp_call_graph {
	const struct cp_profile *profile;
	struct cp_functions functions;
	uint32_t columns;
	uint32_t *event;  /* by column */
	uint32_t *column; /* by event; 0: none, or more than the limit */
	CP_VEC(struct cp_call_cost) costs;
	CP_VEC(uint64_t) values;    /* of each cost, columns */
	CP_VEC(uint64_t) inclusive; /* of each function, columns */
	uint64_t *whole;            /* columns */
};

void cp_call_graph_build(struct cp_call_graph *, const struct cp_export *,
    bool addresses, struct cp_left *);
/*
 * Returns the indexes of the costs, sorted by function; the caller frees the
 * array.
 */
uint32_t *cp_call_graph_by_function(const struct cp_call_graph *);
void cp_call_graph_free(struct cp_call_graph *);

#endif
