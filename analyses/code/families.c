/* SPDX-License-Identifier: MIT */
#include "analyses/code/families.h"

#include <stdio.h>
#include <string.h>

#include "analyses/code/roles.h"
#include "analyses/common/label.h"

enum { FAMILY = 120 };

static void
add(struct cp_families *f, const char *name)
{
	if (f->n < CP_FAMILIES)
		f->of[f->n++] = cp_run_intern(f->run, name);
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
add_standard(struct cp_families *f, const char *s, size_t from)
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
				add(f, known[i].name);
				return;
			}
		at = s[end] != '\0' ? end + 2 : end;
	}
}

/* Class, and namespace or crate: all parts but the last, and the first. */
static void
add_scoped(struct cp_families *f, const char *s, bool rust)
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
		add_standard(f, s, end + 2);
		return;
	}
	while (s[end] != '\0') {
		append(whole, s + at, end - at);
		at = end + 2;
		end = part_end(s, at);
	}
	if (!rust && strcmp(first, whole) != 0)
		add(f, whole);
	if (*first != '\0')
		add(f, first);
}

/* "encoding/json.(*decodeState).object" is of "encoding/json". */
static bool
add_package(struct cp_families *f, const char *s)
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
	add(f, package);
	return true;
}

/* Legacy names of Rust end in a hash: 17h0123456789abcdefE. */
static bool
is_rust(const char *raw)
{
	size_t n = strlen(raw);

	return strncmp(raw, "_R", 2) == 0 ||
	       (n > 20 && strncmp(raw + n - 20, "17h", 3) == 0 &&
		   raw[n - 1] == 'E');
}

struct cp_families
cp_code_families(struct cp_run *run, const struct cp_entity *e)
{
	struct cp_families f = { .run = run };
	enum cp_code_role role = cp_code_role(run, e);
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
	case CP_ROLE_OF_COMPRESSION: add(&f, cp_code_role_name(role)); return f;
	case CP_ROLE_PROGRAM:
	case CP_ROLE_OF_CXX: break;
	default: return f;
	}
	if (cp_entity_nameless(e))
		return f;
	s = e->symbol->name;
	file = strrchr(s, ':');
	if (strncmp(s, "py::", 4) == 0 && file > s + 4)
		add(&f, file + 1);
	else if (!add_package(&f, s))
		add_scoped(&f, s, is_rust(e->symbol->raw));
	return f;
}

cp_string_id
cp_code_family(struct cp_run *run, const struct cp_entity *e)
{
	struct cp_families f = cp_code_families(run, e);
	char text[FAMILY];

	if (f.n != 0)
		return f.of[0];
	(void)snprintf(text, sizeof(text), "[%.100s]",
	    e->level == CP_LEVEL_KERNEL ? "kernel"
	    : e->dso != 0               ? cp_word_object(run, e->dso)
					: "unknown");
	return cp_run_intern(run, text);
}
