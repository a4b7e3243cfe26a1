/* SPDX-License-Identifier: MIT */
#include "analyses/common/field-keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Arguments of a system call in raw_syscalls:sys_enter. */
enum { ARGS = 6 };

bool
cp_field_key_parse(
    struct cp_run *run, const char *word, size_t n, struct cp_field_key **out)
{
	size_t skip = n > 6 && memcmp(word, "field:", 6) == 0 ? 6
		      : n > 4 && memcmp(word, "arg:", 4) == 0 ? 4
							      : 0;
	struct cp_field_key *k;
	char name[128];

	if (skip == 0 || n - skip >= sizeof(name))
		return false;
	k = cp_run_alloc(run, sizeof(*k));
	memcpy(name, word + skip, n - skip);
	name[n - skip] = '\0';
	k->item = CP_NO_ID;
	if (skip == 4 && n == 5 && name[0] >= '0' && name[0] < '0' + ARGS) {
		k->item = (uint32_t)(name[0] - '0');
		snprintf(name, sizeof(name), "args");
	}
	k->name = cp_run_string(run, cp_run_intern(run, name));
	*out = k;
	return true;
}

static void
look_up(struct cp_run *run, struct cp_field_key *k, uint32_t evsel)
{
	struct cp_field_at at;

	if (evsel >= k->n) {
		uint32_t n = 2 * evsel + 16;
		bool *looked = cp_run_alloc(run, n * sizeof(*looked));
		bool *hex = cp_run_alloc(run, n * sizeof(*hex));
		const struct cp_field **field =
		    cp_run_alloc(run, n * sizeof(*field));

		if (k->n != 0) {
			memcpy(looked, k->looked, k->n * sizeof(*looked));
			memcpy(hex, k->hex, k->n * sizeof(*hex));
			memcpy(field, k->field, k->n * sizeof(*field));
		}
		k->looked = looked;
		k->hex = hex;
		k->field = field;
		k->n = n;
	}
	if (k->looked[evsel])
		return;
	k->looked[evsel] = true;
	k->field[evsel] = cp_run_field(run, evsel, k->name);
	k->hex[evsel] = k->field[evsel] != NULL &&
			cp_field_place(k->field[evsel], &at) && at.size == 8 &&
			!at.is_signed;
}

/* Numbers repeat: the texts of those met last are kept. */
static cp_string_id
number_id(struct cp_run *run, struct cp_field_key *k, uint64_t v, bool hex)
{
	uint32_t at = (uint32_t)(v ^ v >> 12) % CP_FIELD_KEY_RECENT;
	char text[32];

	if (k->recent[at].id != 0 && k->recent[at].number == v &&
	    k->recent[at].hex == hex)
		return k->recent[at].id;
	if (hex)
		snprintf(text, sizeof(text), "0x%" PRIx64, v);
	else
		snprintf(text, sizeof(text), "%" PRId64, (int64_t)v);
	k->recent[at].number = v;
	k->recent[at].hex = hex;
	k->recent[at].id = cp_run_intern(run, text);
	return k->recent[at].id;
}

cp_string_id
cp_field_key_of(
    struct cp_run *run, struct cp_field_key *k, const struct cp_sample *s)
{
	const struct cp_field *f;
	char copy[256];
	const char *text;
	uint64_t v;
	size_t n;

	if (s->evsel >= k->n || !k->looked[s->evsel])
		look_up(run, k, s->evsel);
	f = k->field[s->evsel];
	if (f == NULL || s->raw == NULL)
		return 0;
	if (k->item != CP_NO_ID) {
		if (!cp_field_item(f, s, k->item, ARGS, &v))
			return 0;
		k->found = true;
		return number_id(run, k, v, v > UINT32_MAX);
	}
	if (cp_field_u64(f, s, &v)) {
		k->found = true;
		return number_id(run, k, v, k->hex[s->evsel]);
	}
	text = cp_field_text(f, s, &n);
	if (text == NULL)
		return 0;
	k->found = true;
	n = n < sizeof(copy) ? n : sizeof(copy) - 1;
	memcpy(copy, text, n);
	copy[n] = '\0';
	return cp_run_intern(run, n != 0 ? copy : "(empty)");
}

int
cp_field_key_check(struct cp_run *run, const struct cp_field_key *k)
{
	char there[400] = "";
	size_t used = 0;

	if (k->found)
		return CP_OK;
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_field_type *all;
		size_t n = cp_run_evsel(run, i)->samples != 0
			       ? cp_run_field_types(run, i, &all)
			       : 0;

		for (size_t m = 0; m < n && used < sizeof(there) - 100; m++) {
			int some = snprintf(there + used, sizeof(there) - used,
			    m == 0 ? "%s%.40s has %.40s" : "%.0s%.0s %.40s",
			    used != 0 ? "; " : "", cp_run_evsel(run, i)->name,
			    all[m].name);

			used += some > 0 ? (size_t)some : 0;
		}
	}
	cp_run_diag(run, CP_D_USAGE, "--by: no sample has the field %.60s; %s",
	    k->name, used != 0 ? there : "no event has fields");
	return CP_FAIL;
}
