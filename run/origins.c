/* SPDX-License-Identifier: MIT */
/* origins: which captures a run is about, and the account of each. */
#include <stdlib.h>

#include "run/api.h"

/* Most hosts in a label. */
enum { NAMED = 8 };

/* ------------------------------------------------------------------- adding
 */

static const char *
keep(struct cp_run *run, const char *text)
{
	return cp_run_string(run, cp_run_intern(run, text != NULL ? text : ""));
}

/* Returns the text that all captures have in common, or NULL. */
static const char *
in_common(bool first, const char *had, const char *has)
{
	if (first)
		return has[0] != '\0' ? has : NULL;
	return had != NULL && strcmp(had, has) == 0 ? had : NULL;
}

void
cp_run_origin_add(struct cp_run *run, const struct cp_report_origin *from)
{
	struct cp_info *info = &run->rec.info;
	bool first = run->origins.len == 0;
	struct cp_report_origin o = *from;

	o.name = keep(run, from->name);
	o.host = keep(run, from->host);
	o.kernel = keep(run, from->kernel);
	o.arch = keep(run, from->arch);
	o.command = keep(run, from->command);
	o.label = keep(run, from->label);
	o.date = keep(run, from->date);
	o.damage = keep(run, from->damage);
	o.filter = keep(run, from->filter);
	info->hostname = in_common(first, info->hostname, o.host);
	info->os_release = in_common(first, info->os_release, o.kernel);
	info->arch = in_common(first, info->arch, o.arch);
	info->cmdline_text = in_common(first, info->cmdline_text, o.command);
	*cp_vec_push(&run->origins) = o;
}

/* ------------------------------------------------------------------ damage
 */

/* What readers say of a capture's bytes. */
static const enum cp_diag_id of_readers[] = { CP_D_READ, CP_D_BAD_HEADER,
	CP_D_BAD_ATTR, CP_D_BAD_FEATURE, CP_D_BAD_RECORD, CP_D_TRUNCATED,
	CP_D_MISSING_DATA, CP_D_KILLED, CP_D_BAD_COMPRESSION, CP_D_BAD_TRACING,
	CP_D_DIR_FILE, CP_D_UNKNOWN_ID, CP_D_PERIOD };

/* A redaction leaves out the text: it may name what was recorded. */
static void
put_place(
    const struct cp_run *run, const struct cp_diag_place *p, struct cp_buf *b)
{
	cp_buf_printf(b, "%" PRIu64 " %" PRId64 " ", p->record,
	    p->offset <= INT64_MAX ? (int64_t)p->offset : -1);
	for (const char *c = p->tail; run->options->redact == NULL && *c; c++)
		cp_buf_char(b, *c == '|' ? ' ' : *c);
}

/* What was said since there were `before` of these messages. */
static void
put_said(const struct cp_run *run, enum cp_diag_id id, uint64_t before,
    struct cp_buf *b)
{
	static const struct cp_diag_place unknown = { .offset = CP_NO_OFFSET };
	const struct cp_diags *d = run->diags;
	uint64_t n = d->count[id] - before;

	if (n == 0)
		return;
	cp_buf_printf(b, "%s %" PRIu64 " ", cp_diag_table[id].slug, n);
	put_place(
	    run, before < CP_MAX_PLACES ? &d->place[id][before] : &unknown, b);
	cp_buf_char(b, '|');
}

void
cp_run_damage(const struct cp_run *run, struct cp_buf *b)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(of_readers); i++)
		put_said(run, of_readers[i], run->said[of_readers[i]], b);
}

void
cp_run_origin_outweighs(struct cp_run *run, uint64_t before)
{
	struct cp_report_origin *last;
	struct cp_buf b;

	if (run->origins.len == 0 || run->diags->count[CP_D_PERIOD] == before)
		return;
	last = &run->origins.data[run->origins.len - 1];
	cp_buf_init(&b, strlen(last->damage) + 4096);
	cp_buf_str(&b, last->damage);
	put_said(run, CP_D_PERIOD, before, &b);
	last->damage = keep(run, cp_buf_text(&b));
	cp_buf_free(&b);
}

/* A message about damage, as an origin has it. */
struct said {
	enum cp_diag_id id;
	uint64_t times, record;
	int64_t offset;
	char text[512];
	int tail; /* where the text after the numbers begins */
};

/* Reads n bytes; others wrote them, perhaps a later coldperf. */
static bool
read_said(struct said *s, const char *text, size_t n)
{
	const uint64_t most = UINT64_C(1) << 40;
	char slug[32];

	s->tail = 0;
	snprintf(s->text, sizeof(s->text), "%.*s",
	    (int)CP_MIN(n, sizeof(s->text)), text);
	if (sscanf(s->text, "%31s %19" SCNu64 " %19" SCNu64 " %20" SCNd64 "%n",
		slug, &s->times, &s->record, &s->offset, &s->tail) != 4 ||
	    s->times == 0 || s->tail == 0)
		return false;
	s->times = CP_MIN(s->times, most);
	for (size_t i = 0; i < CP_ARRAY_LEN(of_readers); i++) {
		s->id = of_readers[i];
		if (strcmp(cp_diag_table[s->id].slug, slug) == 0)
			return true;
	}
	return false;
}

static void
say_again(struct cp_run *run, const char *name, const char *text, size_t n)
{
	struct said s;

	if (read_said(&s, text, n))
		cp_diag_was(run->diags, s.id, s.times, s.record,
		    s.offset < 0 ? CP_NO_OFFSET : (uint64_t)s.offset,
		    "%.150s:%s", name, s.text + s.tail);
}

const char *
cp_run_damage_places(struct cp_run *run, const char *text)
{
	struct cp_buf b;
	const char *to;
	struct said s;

	cp_buf_init(&b, 1 << 16);
	while (*text != '\0') {
		size_t n = strcspn(text, "|");

		if (read_said(&s, text, n))
			cp_buf_printf(&b,
			    "%s %" PRIu64 " %" PRIu64 " %" PRId64 " |",
			    cp_diag_table[s.id].slug, s.times, s.record,
			    s.offset);
		text += n;
		text += *text == '|';
	}
	to = keep(run, cp_buf_text(&b));
	cp_buf_free(&b);
	return to;
}

void
cp_run_damage_again(struct cp_run *run, const struct cp_report_origin *o)
{
	const char *text = o->damage;

	while (*text != '\0') {
		size_t n = strcspn(text, "|");

		say_again(run, o->name, text, n);
		text += n;
		text += *text == '|';
	}
}

/* ------------------------------------------------------------------ showing
 */

typedef const char *text_fn(const struct cp_report_origin *);

static const char *
host_of(const struct cp_report_origin *o)
{
	return o->host;
}

static const char *
kernel_of(const struct cp_report_origin *o)
{
	return o->kernel;
}

/* Writes "a, b and 7 more", if there are several; returns their number. */
static size_t
list(const struct cp_run *run, text_fn *of, struct cp_buf *b)
{
	struct cp_strings seen = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < run->origins.len; i++) {
		const char *text = of(&run->origins.data[i]);
		size_t had = seen.text.len;

		if (text[0] == '\0' ||
		    (cp_strings_add(&seen, text) < had && had))
			continue;
		if (++n <= NAMED)
			cp_buf_printf(b, "%s%.200s", n > 1 ? ", " : "", text);
	}
	if (n > NAMED)
		cp_buf_printf(b, " and %zu more", n - NAMED);
	cp_strings_free(&seen);
	return n;
}

static void
label_list(const struct cp_run *run, struct cp_report *rep, const char *key,
    text_fn *of)
{
	struct cp_buf b;

	cp_buf_init(&b, 4096);
	if (list(run, of, &b) > 1)
		cp_report_scalar_text(rep, "label", key, cp_buf_text(&b));
	cp_buf_free(&b);
}

void
cp_run_origins_label(const struct cp_run *run, struct cp_report *rep)
{
	label_list(run, rep, "hosts", host_of);
	label_list(run, rep, "kernels", kernel_of);
}

size_t
cp_run_origins_hosts(const struct cp_run *run)
{
	struct cp_buf b;
	size_t n;

	cp_buf_init(&b, 4096);
	n = list(run, host_of, &b);
	cp_buf_free(&b);
	return n;
}

void
cp_run_origins_show(const struct cp_run *run, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Samples"),
		CP_TIME("Duration"), CP_COUNT("Lost"), CP_COUNT("Lost samples"),
		CP_BYTES("Skipped"), CP_TEXT("Host"), CP_TEXT("Kernel"),
		CP_TEXT("Capture"), CP_TEXT("Filter") };
	struct cp_table *t;

	if (run->origins.len < 2)
		return;
	t = cp_report_table(rep, "captures", "Captures", CP_COLUMNS(columns));
	for (size_t i = 0; i < run->origins.len; i++) {
		const struct cp_report_origin *o = &run->origins.data[i];
		const struct cp_quality *q = &o->quality;

		cp_table_add(t, q->samples_kept,
		    q->first_time != CP_NO_TIME ? q->last_time - q->first_time
						: CP_NO_TIME,
		    q->lost, q->lost_samples, q->bytes_skipped, o->host,
		    o->kernel, o->name, o->filter);
	}
}
