/* SPDX-License-Identifier: MIT */
/*
 * sql/sql.h: questions in SQL about a report that holds a profile.
 *
 * SQLite reads the profile's rows in place, through virtual tables; docs/SQL.md
 * describes their columns.  Queries can read these tables only, and have
 * limits.  The report must outlive the database.
 */
#ifndef CP_SQL_SQL_H
#define CP_SQL_SQL_H

#include "base/diag.h"
#include "report/report.h"

struct cp_sql;

struct cp_sql_limits {
	unsigned seconds; /* of one query */
	size_t values;    /* of one answer: rows times columns */
	size_t bytes;     /* of its texts */
};

/* False: SQLite is not installed. */
bool cp_sql_possible(void);
/* Returns NULL if the report holds no profile, or if SQLite is missing. */
struct cp_sql *cp_sql_open(const struct cp_report *, struct cp_sql_limits);
void cp_sql_close(struct cp_sql *);
/* True if the text ends with a complete statement. */
bool cp_sql_complete(const char *text);
/*
 * Writes the answer to one query as a table `answer'.  False: *error tells why,
 * until the next call.  *cut: a limit ended it: of time or memory if there is
 * no answer, else of rows.
 */
bool cp_sql_ask(struct cp_sql *, const char *query, struct cp_report *,
    const char **error, bool *cut);

#endif
