/* SPDX-License-Identifier: MIT */
#include "render/common/format.h"

#include <math.h>

#include "render/common/escape.h"

void
cp_format_count(struct cp_buf *b, uint64_t v)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, v);

	for (int i = 0; i < n; i++) {
		if (i != 0 && (n - i) % 3 == 0)
			cp_buf_char(b, ',');
		cp_buf_char(b, digits[i]);
	}
}

void
cp_format_time(struct cp_buf *b, uint64_t ns)
{
	static const struct {
		uint64_t from;
		const char *unit;
	} unit[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	if (ns == CP_NO_TIME) {
		cp_buf_char(b, '-');
		return;
	}
	for (size_t i = 0; i < CP_ARRAY_LEN(unit); i++) {
		double v = (double)ns / (double)unit[i].from;

		/* Rounding goes first: 999.96 us is 1.000 ms, not 1000.0 us. */
		if (v < 0.99995)
			continue;
		cp_buf_printf(b, "%.*f %s", v < 100 ? 3 : 1, v, unit[i].unit);
		return;
	}
	cp_buf_printf(b, "%" PRIu64 " ns", ns);
}

void
cp_format_clock(struct cp_buf *b, uint64_t ns)
{
	if (ns == CP_NO_TIME)
		cp_buf_char(b, '-');
	else
		cp_buf_printf(b, "%" PRIu64 ".%09" PRIu64 " s", ns / 1000000000,
		    ns % 1000000000);
}

void
cp_format_bytes(struct cp_buf *b, uint64_t v)
{
	static const char prefix[] = "KMGTPE";
	double d = (double)v;
	int i = -1;

	if (v < 1024) {
		cp_buf_printf(b, "%" PRIu64 " B", v);
		return;
	}
	while (d >= 1023.95 && i < 5) {
		d /= 1024;
		i++;
	}
	if (i < 0) {
		d /= 1024;
		i = 0;
	}
	cp_buf_printf(b, "%.1f %ciB", d, prefix[i]);
}

void
cp_format_share(struct cp_buf *b, double share)
{
	if (isfinite(share))
		cp_buf_printf(b, "%.2f%%", share * 100);
	else
		cp_buf_char(b, '-');
}

void
cp_format_share_interval(struct cp_buf *b, double lo, double hi)
{
	int digits = hi < 0.1 ? 2 : 1;

	if (lo <= hi)
		cp_buf_printf(
		    b, "%.*f–%.*f", digits, lo * 100, digits, hi * 100);
}

void
cp_format_rate(struct cp_buf *b, double v)
{
	if (!isfinite(v))
		cp_buf_char(b, '-');
	else if (fabs(v) >= 1e9)
		cp_buf_printf(b, "%.3e", v);
	else if (fabs(v) >= 1000)
		cp_buf_printf(b, "%.0f", v);
	else if (fabs(v) >= 0.1 || !(fabs(v) > 0))
		cp_buf_printf(b, "%.3f", v);
	else if (fabs(v) >= 1e-6)
		cp_buf_printf(b, "%.*f", 2 - (int)floor(log10(fabs(v))), v);
	else
		cp_buf_printf(b, "%.2e", v);
}

void
cp_format_change(struct cp_buf *b, double change)
{
	if (!isfinite(change))
		cp_buf_str(b, isnan(change) ? "-" : change > 0 ? "new" : "-");
	else if (change >= 1e6) /* the end of an interval without a bound */
		cp_buf_str(b, ">×1e6");
	else if (change >= 10)
		cp_buf_printf(b, "×%.0f", 1 + change);
	else
		cp_buf_printf(b, "%+.1f%%", change * 100);
}

void
cp_format_chance(struct cp_buf *b, double p)
{
	if (!isfinite(p))
		cp_buf_char(b, '-');
	else if (p < 1e-6)
		cp_buf_str(b, "<1e-6");
	else if (p < 0.001)
		cp_buf_printf(b, "%.0e", p);
	else
		cp_buf_printf(b, "%.3f", p);
}

/* Six digits, but whole numbers and large ones have all of theirs. */
static void
format_number(struct cp_buf *b, double v)
{
	const double exact = 9007199254740992; /* 2^53 */

	if (v >= 0 && v < exact && (v == floor(v) || v >= 1e6))
		cp_format_count(b, (uint64_t)(v + 0.5));
	else
		cp_buf_printf(b, "%.6g", v);
}

void
cp_format_value(
    struct cp_buf *b, enum cp_column_type type, const struct cp_value *v)
{
	if (v->none)
		return;
	switch (type) {
	case CP_COL_TEXT:
		cp_escape_terminal(b, v->text != NULL ? v->text : "");
		break;
	case CP_COL_COUNT:
	case CP_COL_WEIGHT: cp_format_count(b, v->u64); break;
	case CP_COL_SHARE: cp_format_share(b, v->value); break;
	case CP_COL_TIME: cp_format_time(b, v->u64); break;
	case CP_COL_CLOCK: cp_format_clock(b, v->u64); break;
	case CP_COL_BYTES: cp_format_bytes(b, v->u64); break;
	case CP_COL_ADDRESS:
		cp_buf_str(b, "0x");
		cp_buf_hex(b, v->u64);
		break;
	case CP_COL_RATE: cp_format_rate(b, v->value); break;
	case CP_COL_CHANGE: cp_format_change(b, v->value); break;
	case CP_COL_CHANCE: cp_format_chance(b, v->value); break;
	case CP_COL_NUMBER: format_number(b, v->value); break;
	}
}

/* Times are relative to the start of the capture, as --time takes them. */
void
cp_format_axis(struct cp_buf *b, const struct cp_report *r,
    enum cp_column_type type, uint64_t v)
{
	struct cp_value value = { .u64 = v };

	if (type != CP_COL_CLOCK || r->start == CP_NO_TIME || v < r->start) {
		cp_format_value(b, type, &value);
		return;
	}
	v -= r->start;
	if (v % 1000000000 == 0)
		cp_buf_printf(b, "+%" PRIu64 " s", v / 1000000000);
	else
		cp_buf_printf(b, "+%" PRIu64 ".%03" PRIu64 " s", v / 1000000000,
		    v / 1000000 % 1000);
}

/* Returns decimals that tell one step from the next: all, if there are few. */
static int
decimals_of(uint64_t step, uint64_t unit)
{
	int n = 0, most = 0;

	for (uint64_t s = step; s != 0 && s < unit; s *= 10)
		most++;
	most = CP_MAX(most, 1);
	for (; n < most && step % unit != 0; n++)
		step = step % unit * 10;
	return n;
}

static void
format_time_edge(
    struct cp_buf *b, const struct cp_axis *a, uint64_t v, uint64_t last)
{
	static const struct unit {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" },
		{ 1, "ns" } };
	const struct unit *u = units;

	while (u->ns > last && u->ns > 1)
		u++;
	cp_buf_printf(b, "%.*f %s", decimals_of(a->step, u->ns),
	    (double)v / (double)u->ns, u->name);
}

void
cp_format_edge(struct cp_buf *b, const struct cp_report *r,
    const struct cp_axis *a, uint32_t i)
{
	uint64_t v = cp_axis_edge(a, i);

	if (a->edges == NULL && a->type == CP_COL_TIME)
		format_time_edge(
		    b, a, v, cp_axis_edge(a, a->count == 0 ? 0 : a->count - 1));
	else if (a->edges == NULL && a->type == CP_COL_CLOCK &&
		 r->start != CP_NO_TIME && v >= r->start)
		cp_buf_printf(b, "+%.*f s", decimals_of(a->step, 1000000000),
		    (double)(v - r->start) / 1e9);
	else
		cp_format_axis(b, r, a->type, v);
}

void
cp_format_unit(struct cp_buf *b, enum cp_column_type type,
    const struct cp_value *v, const char *unit)
{
	cp_format_value(b, type, v);
	cp_buf_char(b, ' ');
	cp_escape_terminal(b, unit);
	if (type == CP_COL_COUNT && v->u64 == 1 && b->len != 0 &&
	    b->data[b->len - 1] == 's')
		b->data[--b->len] = '\0';
}
