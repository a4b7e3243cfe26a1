/* SPDX-License-Identifier: MIT */
/*
 * views: the questions that nearly everybody asks, ready to be asked.
 *
 * A function counts once a stack for `total', however often it is in it.
 */
#include <stddef.h>

#include "sql/tables.h"

#define NAMED                                                                  \
	"FROM sums s LEFT JOIN symbols f ON f.id = s.symbol "                  \
	"LEFT JOIN objects o ON o.id = s.object"

const struct cp_sql_view cp_sql_views[] = {
	{ "stack_functions", "stack, depth, frame, symbol, file, line, inlined",
	    NULL },
	{ "self", "event, symbol, object, samples, weight",
	    "WITH sums AS (SELECT t.event, g.symbol, r.object, "
	    "sum(t.samples) AS samples, sum(t.weight) AS weight "
	    "FROM stack_sums t "
	    "LEFT JOIN stack_functions g ON g.stack = t.stack AND g.depth = 0 "
	    "LEFT JOIN frames r ON r.id = g.frame GROUP BY 1, 2, 3) "
	    "SELECT e.name AS event, f.name AS symbol, o.name AS object, "
	    "sum(s.samples) AS samples, sum(s.weight) AS weight " NAMED
	    " JOIN events e ON e.id = s.event GROUP BY s.event, 2, 3 "
	    "ORDER BY s.event, 5 DESC, 2, 3" },
	{ "total", "event, symbol, object, samples, weight",
	    "WITH once AS (SELECT DISTINCT t.event, t.stack, g.symbol, "
	    "r.object, t.samples, t.weight FROM stack_sums t "
	    "JOIN stack_functions g ON g.stack = t.stack "
	    "JOIN frames r ON r.id = g.frame), "
	    "sums AS (SELECT event, symbol, object, sum(samples) AS samples, "
	    "sum(weight) AS weight FROM once GROUP BY 1, 2, 3) "
	    "SELECT e.name AS event, f.name AS symbol, o.name AS object, "
	    "sum(s.samples) AS samples, sum(s.weight) AS weight " NAMED
	    " JOIN events e ON e.id = s.event GROUP BY s.event, s.symbol, "
	    "s.object ORDER BY s.event, 5 DESC, 2, 3" },
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
