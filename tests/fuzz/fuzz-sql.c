/* SPDX-License-Identifier: MIT */
/*
 * fuzz-sql: the input is a capture; all tables and views of it are asked.  Of a
 * snapshot the tables are asked, too, whatever its manifest says, and again
 * after a redaction.
 *
 * A sample counts once in `self', whatever its stack is; each row that another
 * names exists.
 */
#include "config.h" /* memfd_create */

#include "analyses/list.h"
#include "base/redact/names.h"
#include "report/report.h"
#include "run/tables-rows.h"
#include "sql/sql.h"
#include "sql/tables.h"
#include "sql/views.h"
#include "tests/fuzz/input.h"

enum { MAX_INPUT = 256 << 10, MAX_VALUES = 20000 };

/* Each must give one row with 0. */
static const char *const laws[] = {
	"SELECT (SELECT count(*) FROM samples) - "
	"(SELECT coalesce(sum(samples), 0) FROM self) AS n",
	"SELECT count(*) AS n FROM samples s LEFT JOIN stacks t "
	"ON t.id = s.stack WHERE s.stack IS NOT NULL AND t.id IS NULL",
	"SELECT count(*) AS n FROM stacks WHERE parent >= id",
	"SELECT count(*) AS n FROM stacks s LEFT JOIN frames f "
	"ON f.id = s.frame WHERE f.id IS NULL",
	"SELECT count(*) AS n FROM frames f LEFT JOIN objects o "
	"ON o.id = f.object WHERE f.object IS NOT NULL AND o.id IS NULL",
	"SELECT count(*) AS n FROM samples s LEFT JOIN threads t "
	"ON t.id = s.thread WHERE s.thread IS NOT NULL AND t.id IS NULL",
	"SELECT count(*) AS n FROM states WHERE ended < began",
};

static const struct cp_value *
first_value(const struct cp_report *r)
{
	const struct cp_section *s = cp_report_find(r, "answer");

	return s != NULL && s->table.rows.len == 1
		   ? &s->table.rows.data[0].values[0]
		   : NULL;
}

static void
ask(struct cp_sql *sql, const char *query, bool law)
{
	const char *error = NULL;
	const struct cp_value *v;
	struct cp_report rep;
	bool cut;

	cp_report_init(&rep, "sql");
	if (!cp_sql_ask(sql, query, &rep, &error, &cut)) {
		/* SQLite's sum() has 63 bits; a capture says any weight. */
		if (!law && strcmp(error, "integer overflow") == 0) {
			cp_report_free(&rep);
			return;
		}
		fprintf(stderr, "%s: %s\n", query, error);
		abort();
	}
	v = law ? first_value(&rep) : NULL;
	if (law && (v == NULL || v->none || v->u64 != 0 || v->value != 0)) {
		fprintf(stderr, "%s: it does not hold\n", query);
		abort();
	}
	cp_report_free(&rep);
}

static void
ask_all(const struct cp_report *r)
{
	struct cp_sql *sql = cp_sql_open(
	    r, (struct cp_sql_limits){
		   .seconds = 60, .values = MAX_VALUES, .bytes = 1 << 20 });
	char query[80];

	if (sql == NULL)
		return;
	for (const struct cp_sql_table *t = cp_sql_tables; t->name != NULL;
	     t++) {
		snprintf(query, sizeof(query), "SELECT * FROM %s", t->name);
		ask(sql, query, false);
	}
	for (const struct cp_sql_view *v = cp_sql_views; v->name != NULL; v++) {
		snprintf(query, sizeof(query), "SELECT * FROM %s", v->name);
		ask(sql, query, false);
	}
	for (size_t i = 0; i < CP_ARRAY_LEN(laws); i++)
		ask(sql, laws[i], true);
	cp_sql_close(sql);
}

static void
read_run(struct cp_run *run, int opened)
{
	struct cp_report rep;

	cp_report_init(&rep, "sql");
	if (opened == CP_OK &&
	    cp_run_add(run, cp_analysis_find("profile")) == CP_OK &&
	    cp_run_add(run, cp_analysis_find("quality")) == CP_OK &&
	    cp_run_read(run) == CP_OK && cp_run_finish(run, &rep) == CP_OK)
		ask_all(&rep);
	cp_report_free(&rep);
	cp_run_close(run);
}

static void
read_tables(const struct cp_run_options *options, int fd)
{
	struct cp_snapshot_members m;
	struct cp_diags diags;
	struct cp_run run = { .options = options,
		.diags = &diags,
		.capture = { .in = { .path = "tables", .fd = -1 } } };

	cp_snapshot_members_read(&m, fd, CP_SNAPSHOT_READ);
	if (!m.snapshot) {
		cp_snapshot_members_free(&m);
		return;
	}
	cp_diags_init(&diags);
	cp_info_init(&run.rec.info);
	cp_session_init(&run.session, &run.rec, &run.quality, &diags);
	read_run(&run, cp_tables_take(&run, &m));
}

static void
read_redacted(const struct cp_run_options *options, int fd)
{
	struct cp_run_options redacted = *options;
	struct cp_redact names;
	struct cp_policy policy;
	char why[200];

	cp_redact_init(&names, &policy);
	if (cp_policy_read(&policy, "public", why, sizeof(why)) == NULL) {
		cp_redact_begin(&names);
		redacted.redact = &names;
		read_tables(&redacted, fd);
	}
	cp_redact_free(&names);
	cp_policy_free(&policy);
}

static void
read_capture(const char *path, int fd)
{
	const struct cp_run_options options = { .capture = path,
		.analysis = "sql",
		.cache = "",
		.debuginfod = CP_DEBUGINFOD_OFF,
		.inlines = CP_INLINE_NO,
		.no_cache = true,
		.tables = true,
		.jobs = 1 };
	struct cp_diags diags;
	struct cp_run run = { 0 };

	cp_diags_init(&diags);
	read_run(&run, cp_run_open(&run, &options, &diags, path));
	read_tables(&options, fd);
	read_redacted(&options, fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd;

	if (size > MAX_INPUT)
		return 0;
	fd = fuzz_file(data, size);
	read_capture(fuzz_path(fd).text, fd);
	close(fd);
	return 0;
}
