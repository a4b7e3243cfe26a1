/* SPDX-License-Identifier: MIT */
/*
 * Chooses one of several names of an address.
 *
 * The rules and their order are perf's, so that both tools show the same name;
 * perf applies the rules on names to demangled names.
 */
#include "config.h" /* memmem */

#include "base/elf.h"
#include "symbolize/symtab/alias.h"

#include "base/limits.h"
#include "symbolize/demangle/demangle.h"

/* Bounded: a hostile table repeats a huge name. */
static size_t
underscores(const char *s)
{
	size_t n = 0;

	while (n < CP_MAX_MANGLED && s[n] == '_')
		n++;
	return n;
}

static size_t
length(const char *s)
{
	return strnlen(s, CP_MAX_DEMANGLED);
}

/*
 * The same name, as in .symtab and .dynsym, or two variants of a constructor or
 * destructor, which demangle to the same name: most aliases are so.
 */
static bool
are_variants(const char *a, const char *b)
{
	size_t i = 0;

	while (i < CP_MAX_MANGLED && a[i] != '\0' && a[i] == b[i])
		i++;
	return a[i] == b[i] ||
	       (i > 0 && (a[i - 1] == 'C' || a[i - 1] == 'D') &&
		   strncmp(a, "_Z", 2) == 0 && a[i] != '\0' && b[i] != '\0' &&
		   strncmp(a + i + 1, b + i + 1, CP_MAX_MANGLED) == 0);
}

static bool
prefers_first_name(const char *a, const char *b)
{
	size_t na, nb;

	if (underscores(a) != underscores(b))
		return underscores(a) < underscores(b);
	na = length(a);
	nb = length(b);
	if (na != nb)
		return na > nb;
	/* Old kernels give system calls these aliases. */
	return !(na >= 3 && strncmp(a, "SyS", 3) == 0) &&
	       !(na >= 10 && strncmp(a, "compat_SyS", 10) == 0);
}

bool
cp_alias_prefers_first(const char *a, const char *b)
{
	char *da, *db;
	bool first;

	if (are_variants(a, b))
		return true;
	da = cp_demangle(a, CP_DEMANGLE_FULL);
	db = cp_demangle(b, CP_DEMANGLE_FULL);
	first = prefers_first_name(da != NULL ? da : a, db != NULL ? db : b);
	free(da);
	free(db);
	return first;
}

/* The name without what libc adds to one: "__GI___execve", "read@@GLIBC_2". */
static const char *
core_of(const char *name, size_t *n)
{
	const char *s = name + underscores(name);

	if (strncmp(s, "GI_", 3) == 0)
		s += 3 + underscores(s + 3);
	*n = strcspn(s, "@");
	return s;
}

bool
cp_alias_are_twins(const char *a, const char *b)
{
	const char *x, *y;
	size_t n, m;

	if (length(a) >= CP_MAX_MANGLED || length(b) >= CP_MAX_MANGLED ||
	    are_variants(a, b))
		return false;
	x = core_of(a, &n);
	y = core_of(b, &m);
	return memmem(x, n, y, m) == NULL && memmem(y, m, x, n) == NULL;
}

int
cp_alias_order(const struct cp_entry *a, const struct cp_entry *b)
{
	bool sized_a = a->end > a->start, sized_b = b->end > b->start;

	if (sized_a != sized_b)
		return sized_a ? -1 : 1;
	if ((a->type == STT_NOTYPE) != (b->type == STT_NOTYPE))
		return b->type == STT_NOTYPE ? -1 : 1;
	if ((a->bind == STB_WEAK) != (b->bind == STB_WEAK))
		return b->bind == STB_WEAK ? -1 : 1;
	if ((a->bind == STB_GLOBAL) != (b->bind == STB_GLOBAL))
		return a->bind == STB_GLOBAL ? -1 : 1;
	return 0;
}
