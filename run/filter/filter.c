/* SPDX-License-Identifier: MIT */
#include "run/filter/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

static int
bad_value(struct cp_diags *diags, const char *option, const char *value,
    const char *wanted)
{
	cp_diag(diags, CP_D_USAGE, "bad value `%.60s' of --%s: %s", value,
	    option, wanted);
	return CP_FAIL;
}

/* Parses "7", "0-3", "-1". */
static int
range_parse(const char *s, struct cp_range *r)
{
	char *end;
	long long from = strtoll(s, &end, 10), to = from;

	if (end == s)
		return CP_FAIL;
	if (*end == '-') {
		const char *second = end + 1;

		to = strtoll(second, &end, 10);
		if (end == second)
			return CP_FAIL;
	}
	if (*end != '\0' || from < -1 || to < from || to > UINT32_MAX ||
	    (from < 0 && to != from))
		return CP_FAIL;
	*r = (struct cp_range){ (uint32_t)from, (uint32_t)to };
	return CP_OK;
}

#define RANGES(filter, o, diags, list, option)                                 \
	for (size_t i_ = 0; i_ < (o)->list.len; i_++) {                        \
		struct cp_range r_;                                            \
		if (range_parse((o)->list.data[i_], &r_) != CP_OK)             \
			return bad_value((diags), option, (o)->list.data[i_],  \
			    "a number, or a range as 0-3; -1: not known");     \
		*cp_vec_push(&(filter)->list) = r_;                            \
	}

static int
choice_parse(struct cp_choice *c, const cp_words *words, const char *option,
    struct cp_diags *diags)
{
	const char *bad;

	if (cp_choice_init(c, words->data, words->len, &bad) == CP_OK)
		return CP_OK;
	return bad_value(diags, option, bad, "no name, pattern or /regex/");
}

static int
times_parse(
    struct cp_filter *f, const struct cp_run_options *o, struct cp_diags *diags)
{
	size_t n = o->time != NULL ? 1 : o->times.len;

	f->timed = n != 0;
	for (size_t i = 0; i < n; i++) {
		const char *s = o->time != NULL ? o->time : o->times.data[i];

		if (cp_windows_parse(s, &f->windows))
			continue;
		cp_diag(diags, CP_D_USAGE,
		    "bad value `%.40s' of --time: FROM,TO or FROM..TO, each "
		    "+1.5s, 50%%, 14:03:10, 2026-01-31T12:00:00 or seconds of "
		    "the capture's clock; or 10%%/2, 0%%-10%%,50%%-60%%",
		    s);
		return CP_FAIL;
	}
	return CP_OK;
}

static bool
is_given(const struct cp_filter *f, enum cp_filter_kind kind)
{
	switch (kind) {
	case CP_FILTER_EVENT: return f->events.words.len != 0;
	case CP_FILTER_CPU: return f->cpus.len != 0;
	case CP_FILTER_PID: return f->pids.len != 0;
	case CP_FILTER_TID: return f->tids.len != 0;
	case CP_FILTER_COMM: return f->comms.words.len != 0;
	case CP_FILTER_CGROUP: return f->cgroups.words.len != 0;
	case CP_FILTER_TIME: return f->timed;
	case CP_FILTER_PAYLOAD: return f->payloads.len != 0;
	case CP_FILTER_DSO: return f->dsos.words.len != 0;
	case CP_FILTER_SYMBOL: return f->symbols.words.len != 0;
	default: return f->focus.words.len != 0;
	}
}

int
cp_filter_init(
    struct cp_filter *f, const struct cp_run_options *o, struct cp_diags *diags)
{
	*f = (struct cp_filter){ 0 };
	if (choice_parse(&f->events, &o->events, "event", diags) != CP_OK ||
	    choice_parse(&f->comms, &o->comms, "comm", diags) != CP_OK ||
	    choice_parse(&f->dsos, &o->dsos, "dso", diags) != CP_OK ||
	    choice_parse(&f->symbols, &o->names, "symbol", diags) != CP_OK ||
	    choice_parse(&f->focus, &o->focus, "focus", diags) != CP_OK ||
	    choice_parse(&f->cgroups, &o->cgroups, "cgroup", diags) != CP_OK)
		return CP_FAIL;
	RANGES(f, o, diags, pids, "pid");
	RANGES(f, o, diags, tids, "tid");
	RANGES(f, o, diags, cpus, "cpu");
	if (times_parse(f, o, diags) != CP_OK ||
	    cp_payload_filters_init(&f->payloads, &o->payloads, diags) != CP_OK)
		return CP_FAIL;
	f->tally.before = f->tally.after = CP_NO_TIME;
	for (unsigned k = 0; k < CP_FILTERS; k++)
		if (is_given(f, (enum cp_filter_kind)k))
			f->given[f->n_given++] = (uint8_t)k;
	f->any = f->n_given != 0;
	return CP_OK;
}

void
cp_filter_free(struct cp_filter *f)
{
	cp_choice_free(&f->events);
	cp_choice_free(&f->comms);
	cp_choice_free(&f->dsos);
	cp_choice_free(&f->symbols);
	cp_choice_free(&f->focus);
	cp_vec_free(&f->focused);
	cp_choice_free(&f->cgroups);
	cp_vec_free(&f->pids);
	cp_vec_free(&f->tids);
	cp_vec_free(&f->cpus);
	cp_vec_free(&f->windows);
	cp_vec_free(&f->times);
	cp_payload_filters_free(&f->payloads);
	for (unsigned k = 0; k < CP_FILTERS; k++)
		cp_map64_free(&f->tally.seen[k]);
}
