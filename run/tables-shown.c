/* SPDX-License-Identifier: MIT */
/*
 * tables-shown: the texts of a snapshot's tables after a redaction.
 *
 * A snapshot without records cannot be written anew like a capture.  Each text
 * that the run takes from its tables passes here instead; tables and columns
 * that are not read are not written either.
 */
#include "base/redact/names.h"
#include "readers/redact/state.h"
#include "run/tables-rows.h"

/* ------------------------------------------------------------------- texts */

const char *
cp_tables_shown(
    const struct cp_run *run, enum cp_redact_class c, const char *text)
{
	struct cp_redact *r = run->options->redact;

	if (r == NULL || text[0] == '\0')
		return text;
	if (c == CP_REDACT_HOST || c == CP_REDACT_SYSTEM) {
		if (r->policy->how[c] != CP_REDACT_DROP)
			return cp_redact_name(r, c, text);
		cp_redact_drop(r, c, text);
		return "";
	}
	return cp_redact_name(r, c, text);
}

/* The search looks for each argument, and for a value after "=". */
static const char *
shown_command(struct cp_run *run, const char *text)
{
	struct cp_redact *r = run->options->redact;

	if (r->policy->how[CP_REDACT_COMMAND] != CP_REDACT_DROP)
		return cp_redact_name(r, CP_REDACT_COMMAND, text);
	for (size_t n; *text != '\0'; text += n) {
		char one[256];
		const char *value;

		text += strspn(text, " ");
		n = strcspn(text, " ");
		snprintf(one, sizeof(one), "%.*s",
		    (int)CP_MIN(n, sizeof(one) - 1), text);
		cp_redact_drop(r, CP_REDACT_COMMAND, one);
		value = strchr(one, '=');
		if (value != NULL)
			cp_redact_seek(r, value + 1);
	}
	return "";
}

/*
 * The label repeats the host and an event.  Messages about damage may quote
 * what was recorded.
 */
void
cp_tables_shown_origin(
    struct cp_run *run, struct cp_report_origin *o, size_t number)
{
	char name[40];
	const char *shown;
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	cp_filter_again(o->filter, run->options->redact != NULL, &b);
	shown = cp_run_string(run, cp_run_intern(run, cp_buf_text(&b)));
	cp_buf_free(&b);
	o->filter = shown;
	if (run->options->redact == NULL)
		return;
	snprintf(name, sizeof(name), "capture-%zu", number);
	o->name = cp_run_string(run, cp_run_intern(run, name));
	o->host = cp_tables_shown(run, CP_REDACT_HOST, o->host);
	o->kernel = cp_tables_shown(run, CP_REDACT_SYSTEM, o->kernel);
	o->arch = cp_tables_shown(run, CP_REDACT_SYSTEM, o->arch);
	o->command = shown_command(run, o->command);
	o->label = "";
	if (o->date[strspn(o->date, "0123456789-:. UTC")] != '\0')
		o->date = "";
	o->damage = cp_run_damage_places(run, o->damage);
}

/* A field's name is the unit of its weights. */
static const char *
shown_unit(struct cp_redact *r, const char *unit)
{
	static const char *const known[] = { "ns", "cycles", "instructions",
		"events", "samples", "bytes" };

	for (size_t i = 0; i < CP_ARRAY_LEN(known); i++)
		if (strcmp(known[i], unit) == 0)
			return unit;
	if (r->policy->how[CP_REDACT_EVENT] == CP_REDACT_KEEP)
		return cp_redact_keep(r, CP_REDACT_EVENT, unit);
	cp_redact_seek(r, unit);
	return "events";
}

/* Modifiers are told by flags that the table does not have. */
static bool
is_derived(const struct cp_evsel_info *e, const char *name)
{
	char own[128];
	size_t n;

	cp_attr_name(&e->attr, own, sizeof(own));
	n = strlen(own);
	return e->pub.type != CP_TYPE_TRACEPOINT &&
	       strncmp(own, name, n) == 0 && name[n] == ':' &&
	       strspn(name + n + 1, "ukhGHpPSDIWe") == strlen(name + n + 1);
}

/* perf sets exclude_guest unless it is asked for guests. */
const char *
cp_tables_shown_event(
    struct cp_run *run, struct cp_evsel_info *e, const char *unit)
{
	struct cp_redact *r = run->options->redact;
	const char *name = e->pub.name;

	if (r == NULL)
		return unit;
	e->attr.flags |= UINT64_C(1) << CP_ATTR_EXCLUDE_GUEST;
	name = is_derived(e, name) ? cp_redact_keep(r, CP_REDACT_EVENT, name)
				   : cp_redact_event(r, e, name);
	cp_evsels_rename(&run->rec.evsels, e, name);
	return shown_unit(r, unit);
}

/* ----------------------------------------------------------------- symbols */

/*
 * Returns the symbol as the policy shows it.  One without an object cannot be
 * of an object that the policy lists, so it is hidden unless symbols are kept.
 */
const struct cp_symbol *
cp_tables_shown_symbol(struct cp_run *run, const struct cp_symbol *s)
{
	const struct cp_redact *r = run->options->redact;

	if (r == NULL)
		return s;
	if (s->dso == 0 && (strcmp(s->name, CP_LOST_CALLER) == 0 ||
			       strcmp(s->name, CP_DEEPER) == 0 ||
			       strcmp(s->name, CP_NOT_CODE) == 0))
		return s;
	if (s->dso == 0 && r->policy->how[CP_REDACT_SYMBOL] != CP_REDACT_KEEP)
		return NULL;
	return cp_run_shown(run, s);
}

void
cp_tables_shown_object(
    struct cp_run *run, struct cp_dso_info *d, struct cp_dso_state *state)
{
	if (run->options->redact == NULL)
		return;
	state->path = cp_run_shown_path(run, state->path);
	if (state->source == CP_SOURCE_NONE)
		state->symbolizer = NULL;
	if (!cp_run_shows_code(run, d->pub.id))
		d->ref_name = 0;
}
