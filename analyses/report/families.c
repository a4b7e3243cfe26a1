/* SPDX-License-Identifier: MIT */
/*
 * Families: functions of one class, namespace, crate, package or module, or of
 * one known role, that are small each and large together.
 */
#include "analyses/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/code/roles.h"
#include "analyses/common/dense-ids.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"
#include "analyses/summary/thresholds.h"

#define MEMBERS 3 /* named in a sentence */
#define WHOLE 0.8 /* of the event: a family with more is the program itself */
enum { FAMILY = 120 };

struct family {
	const char *name;
	struct cp_mass mass;
	uint32_t n;             /* functions */
	uint32_t best[MEMBERS]; /* entities, heaviest first */
};

struct families {
	struct cp_overview *r;
	struct cp_index keys; /* interned name, 0 */
	struct family *all;
	uint32_t cap;
};

static void
add(struct families *f, const char *name, uint32_t entity)
{
	const struct cp_sum *sum = f->r->sums.sum;
	uint32_t n = f->keys.n,
		 i = cp_index_put(&f->keys, cp_run_intern(f->r->run, name), 0);
	struct family *to;
	uint32_t at = MEMBERS;

	cp_grow_to(f->r->run, f->all, &f->cap, i);
	to = &f->all[i];
	if (i == n)
		to->name =
		    cp_run_string(f->r->run, (cp_string_id)f->keys.all[i].a);
	to->mass.weight += sum[entity].self;
	to->mass.weight_sq += sum[entity].self_sq;
	while (at > 0 &&
	       (at > to->n || sum[entity].self > sum[to->best[at - 1]].self))
		at--;
	for (uint32_t k = MEMBERS - 1; k > at; k--)
		to->best[k] = to->best[k - 1];
	if (at < MEMBERS)
		to->best[at] = entity;
	to->n++;
}

/* Where the parts of a name end: "::" outside of brackets. */
static size_t
part_end(const char *s, size_t from)
{
	int depth = 0;

	for (size_t i = from; s[i] != '\0'; i++) {
		if (strchr("<([{", s[i]) != NULL)
			depth++;
		else if (strchr(">)]}", s[i]) != NULL)
			depth -= depth > 0;
		else if (depth == 0 && s[i] == ':' && s[i + 1] == ':')
			return i;
	}
	return strlen(s);
}

/* Appends a part without what is in brackets. */
static void
append(char *to, const char *part, size_t n)
{
	size_t at = strlen(to);

	if (at != 0 && at + 2 < FAMILY) {
		memcpy(to + at, "::", 2);
		at += 2;
	}
	for (size_t i = 0; i < n && at + 1 < FAMILY; i++) {
		if (strchr("<([", part[i]) != NULL)
			break;
		to[at++] = part[i];
	}
	to[at] = '\0';
}

/* Names of the standard library's own parts, as programs know them. */
static void
add_standard(struct families *f, const char *s, size_t from, uint32_t entity)
{
	static const struct {
		const char *part, *name;
	} known[] = {
		{ "_Hashtable", "std::unordered_map" },
		{ "_Hash_", "std::unordered_map" },
		{ "_Map_base", "std::unordered_map" },
		{ "__hash_table", "std::unordered_map" },
		{ "unordered_", "std::unordered_map" },
		{ "_Rb_tree", "std::map" },
		{ "__tree", "std::map" },
		{ "map<", "std::map" },
		{ "set<", "std::map" },
		{ "basic_string", "std::string" },
		{ "_Deque", "std::deque" },
		{ "deque<", "std::deque" },
		{ "vector<", "std::vector" },
		{ "_Vector_base", "std::vector" },
		{ "shared_ptr", "std::shared_ptr" },
		{ "__shared_", "std::shared_ptr" },
		{ "_Sp_counted", "std::shared_ptr" },
		{ "function<", "std::function" },
		{ "_Function_handler", "std::function" },
		{ "regex", "std::regex" },
		{ "basic_regex", "std::regex" },
		{ "__introsort", "std::sort" },
		{ "__adjust_heap", "std::sort" },
		{ "__insertion_sort", "std::sort" },
	};

	for (size_t at = from; s[at] != '\0';) {
		size_t end = part_end(s, at);

		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (strncmp(s + at, known[i].part,
				strlen(known[i].part)) == 0) {
				add(f, known[i].name, entity);
				return;
			}
		at = s[end] != '\0' ? end + 2 : end;
	}
}

/* Class, and namespace or crate: all parts but the last, and the first. */
static void
add_scoped(struct families *f, const char *s, uint32_t entity)
{
	char whole[FAMILY] = "", first[FAMILY] = "";
	size_t at = 0, end;

	/* "<alloc::vec::Vec<T> as core::ops::Drop>::drop" */
	if (*s == '<')
		s++;
	end = part_end(s, 0);
	if (s[end] == '\0')
		return;
	append(first, s, end);
	if (strcmp(first, "std") == 0) {
		add_standard(f, s, end + 2, entity);
		return;
	}
	while (s[end] != '\0') {
		append(whole, s + at, end - at);
		at = end + 2;
		end = part_end(s, at);
	}
	if (*first != '\0')
		add(f, first, entity);
	if (strcmp(first, whole) != 0)
		add(f, whole, entity);
}

/* "encoding/json.(*decodeState).object" is of "encoding/json". */
static bool
add_package(struct families *f, const char *s, uint32_t entity)
{
	static const char *const compilers[] = { "isra", "part", "constprop",
		"cold", "llvm", "lto_priv", "clone", "localalias", NULL };
	const char *slash = strrchr(s, '/'), *of = slash != NULL ? slash : s;
	size_t n = strcspn(of, ".");
	char package[FAMILY];

	if (of[n] == '\0' || n == 0 || strstr(s, "::") != NULL)
		return false;
	for (size_t i = 0; compilers[i] != NULL; i++)
		if (strncmp(of + n + 1, compilers[i], strlen(compilers[i])) ==
		    0)
			return false;
	if (of[n + 1] >= '0' && of[n + 1] <= '9')
		return false;
	(void)snprintf(
	    package, sizeof(package), "%.*s", (int)(of - s + (long)n), s);
	add(f, package, entity);
	return true;
}

static void
add_function(struct families *f, uint32_t entity)
{
	const struct cp_entity *e = &f->r->entities.all[entity];
	enum cp_code_role role = cp_code_role(f->r->run, e);
	const char *s, *file;

	switch (role) {
	case CP_ROLE_OF_MATH:
	case CP_ROLE_OF_ALLOCATOR:
	case CP_ROLE_OF_MEMORY:
	case CP_ROLE_OF_STRINGS:
	case CP_ROLE_OF_FORMATTING:
	case CP_ROLE_OF_LOCKS:
	case CP_ROLE_OF_COLLECTOR:
	case CP_ROLE_OF_CRYPTO:
	case CP_ROLE_OF_COMPRESSION:
		add(f, cp_code_role_name(role), entity);
		return;
	case CP_ROLE_PROGRAM:
	case CP_ROLE_OF_CXX: break;
	default: return;
	}
	if (cp_entity_nameless(e) || e->symbol == NULL)
		return;
	s = e->symbol->name;
	file = strrchr(s, ':');
	if (strncmp(s, "py::", 4) == 0 && file > s + 4)
		add(f, file + 1, entity);
	else if (!add_package(f, s, entity))
		add_scoped(f, s, entity);
}

static void
tell(const struct families *f, const struct family *of, const char *verb,
    struct cp_brief_lines *l)
{
	struct cp_overview *r = f->r;
	struct cp_percent p = cp_percent_of(of->mass, r->all);
	char text[MEMBERS * (FAMILY + 16)] = "";
	struct cp_word share, sure, word;
	size_t at = 0;

	for (uint32_t i = 0; i < of->n && i < MEMBERS; i++) {
		const struct cp_entity *e = &r->entities.all[of->best[i]];

		at += (size_t)snprintf(text + at, sizeof(text) - at,
		    "%s%.*s %s", i != 0 ? ", " : "", FAMILY - 20,
		    cp_entity_name(e, &word),
		    cp_word_percent(&share,
			(double)r->sums.sum[of->best[i]].self,
			(double)r->all.mass.weight));
	}
	cp_brief_found(l, "family",
	    "%s, %u functions added up, %s %s of %.100s (%s), more than any "
	    "one function: %s",
	    of->name, of->n, verb, cp_percent_share(&share, p),
	    cp_event_name(r->run, r->event), cp_percent_interval(&sure, p),
	    text);
}

void
cp_families_show(
    struct cp_overview *r, const char *verb, struct cp_brief_lines *l)
{
	struct families f = { .r = r };
	const struct family *most = NULL;
	uint64_t first = 0;
	double all = (double)r->all.mass.weight;

	cp_index_init(&f.keys, r->run);
	for (uint32_t i = 0; i < r->sums.n; i++) {
		uint32_t e = r->sums.touched[i];
		uint64_t self = r->sums.sum[e].self;

		if (self == 0)
			continue;
		add_function(&f, e);
		if (self > first && cp_idle_weight(r, e) * 2 <= self)
			first = self;
	}
	for (uint32_t i = 0; i < f.keys.n; i++) {
		const struct family *of = &f.all[i];

		if (of->n >= 2 && of->mass.weight > first &&
		    (double)of->mass.weight < WHOLE * all &&
		    cp_percent_of(of->mass, r->all).lo >=
			100 * cp_threshold(CP_T_HOT_FUNCTION) &&
		    (most == NULL || of->mass.weight > most->mass.weight ||
			(of->mass.weight == most->mass.weight &&
			    strlen(of->name) > strlen(most->name))))
			most = of;
	}
	if (most != NULL)
		tell(&f, most, verb, l);
}
