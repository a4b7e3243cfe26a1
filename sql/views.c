/* SPDX-License-Identifier: MIT */
/*
 * views: ready-made queries for common questions.
 *
 * For `total' a function counts once per stack, even if it occurs several
 * times.
 */
#include <stddef.h>

#include "sql/views.h"

#define NAMED                                                                  \
	" FROM function_sums s JOIN events e ON e.id = s.event "               \
	"LEFT JOIN symbols f ON f.id = s.symbol "                              \
	"LEFT JOIN objects o ON o.id = s.object "

const struct cp_sql_view cp_sql_views[] = {
	{ "stack_functions", "stack, depth, frame, symbol, file, line, inlined",
	    NULL },
	{ "self", "event, symbol, object, samples, weight",
	    "SELECT e.name AS event, f.name AS symbol, o.name AS object, "
	    "s.self_samples AS samples, s.self_weight AS weight" NAMED
	    "WHERE s.self_samples > 0 "
	    "ORDER BY s.event, s.self_weight DESC, f.name, o.name" },
	{ "total", "event, symbol, object, samples, weight",
	    "SELECT e.name AS event, f.name AS symbol, o.name AS object, "
	    "s.samples AS samples, s.weight AS weight" NAMED
	    "ORDER BY s.event, s.weight DESC, f.name, o.name" },
	{ "timeline", "event, second, samples, weight",
	    "SELECT e.name AS event, (s.time - (SELECT min(time) "
	    "FROM samples)) / 1000000000 AS second, count(*) AS samples, "
	    "sum(s.weight) AS weight FROM samples s "
	    "JOIN events e ON e.id = s.event WHERE s.time IS NOT NULL "
	    "GROUP BY s.event, 2 ORDER BY s.event, 2" },
	{ "waits", "thread, name, reason, times, ns",
	    "SELECT s.thread AS thread, t.name AS name, s.reason AS reason, "
	    "count(*) AS times, sum(s.ended - s.began) AS ns FROM states s "
	    "LEFT JOIN threads t ON t.id = s.thread WHERE s.state = 'blocked' "
	    "GROUP BY s.thread, s.reason ORDER BY 5 DESC, 1, 3" },
	{ "quality", "name, value",
	    "SELECT name, value FROM facts WHERE section = 'quality'" },
	{ NULL, NULL, NULL },
};
