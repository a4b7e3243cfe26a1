/* SPDX-License-Identifier: MIT */
#include "analyses/code/roles.h"

#include <ctype.h>
#include <string.h>

#include "analyses/common/label.h"

static const struct row {
	const char *name;
	size_t length;
	enum cp_code_role role;
} objects[] = {
#define OBJECT(name, role) { name, sizeof(name) - 1, CP_ROLE_OF_##role },
#define FUNCTION(name, role)
#include "analyses/code/roles.def"
#undef OBJECT
#undef FUNCTION
}, functions[] = {
#define OBJECT(name, role)
#define FUNCTION(name, role) { name, sizeof(name) - 1, CP_ROLE_OF_##role },
#include "analyses/code/roles.def"
#undef OBJECT
#undef FUNCTION
};

static const char *const words[CP_CODE_ROLES] = {
	[CP_ROLE_PROGRAM] = "",
	[CP_ROLE_OF_KERNEL] = "the kernel",
	[CP_ROLE_OF_BEGINNING] = "the beginning of threads",
	[CP_ROLE_OF_NOTHING] = "",
	[CP_ROLE_OF_VDSO] = "reading the clock",
	[CP_ROLE_OF_LIBC] = "the C library",
	[CP_ROLE_OF_RUNTIME] = "the language's runtime",
	[CP_ROLE_OF_LOADER] = "the dynamic loader",
	[CP_ROLE_OF_CXX] = "the standard library",
	[CP_ROLE_OF_MATH] = "mathematical functions",
	[CP_ROLE_OF_OPENMP] = "the OpenMP runtime: threads spin, waiting",
	[CP_ROLE_OF_MPI] = "MPI: processes spin, waiting",
	[CP_ROLE_OF_ALLOCATOR] = "the memory allocator",
	[CP_ROLE_OF_MEMORY] = "copying, clearing and comparing memory",
	[CP_ROLE_OF_STRINGS] = "string functions",
	[CP_ROLE_OF_FORMATTING] = "formatting and parsing of numbers and text",
	[CP_ROLE_OF_LOCKS] = "locks",
	[CP_ROLE_OF_COLLECTOR] = "the garbage collector",
	[CP_ROLE_OF_CRYPTO] = "cryptography",
	[CP_ROLE_OF_COMPRESSION] = "compression",
	[CP_ROLE_OF_ALGEBRA] = "linear algebra",
	[CP_ROLE_OF_INTERPRETER] = "an interpreter",
	[CP_ROLE_OF_JVM] = "a managed runtime",
};

/* True if a version or nothing follows: not "libcurl" for "libc". */
static bool
ends_name(const char *s)
{
	if (strncmp(s, "_p.", 3) == 0)
		return true;
	return *s == '\0' || *s == '.' || isdigit((unsigned char)*s) ||
	       (*s == '-' && (isdigit((unsigned char)s[1]) || s[1] == 'x' ||
				 s[1] == 'a' || s[1] == 'l'));
}

enum cp_code_role
cp_object_role(const struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = dso != 0 ? cp_run_dso(run, dso) : NULL;
	const char *name = cp_word_object(run, dso);

	if (d == NULL)
		return CP_ROLE_OF_NOTHING;
	if (d->kind == CP_DSO_KERNEL || d->kind == CP_DSO_MODULE ||
	    d->kind == CP_DSO_BPF)
		return CP_ROLE_OF_KERNEL;
	if (d->kind == CP_DSO_VDSO)
		return CP_ROLE_OF_VDSO;
	if (d->kind != CP_DSO_FILE)
		return CP_ROLE_PROGRAM;
	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
		size_t n = objects[i].length;

		/* Names rarely agree in their first letter. */
		if (*name == *objects[i].name &&
		    strncmp(name, objects[i].name, n) == 0 &&
		    ends_name(name + n))
			return objects[i].role;
	}
	return CP_ROLE_PROGRAM;
}

static enum cp_code_role
function_role(const char *name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		const char *of = functions[i].name;
		size_t n = functions[i].length;
		bool begins = of[n - 1] == '*';

		if (*of != *name)
			continue;
		if (begins ? strncmp(name, of, n - 1) == 0
			   : strcmp(name, of) == 0)
			return functions[i].role;
	}
	return CP_ROLE_PROGRAM;
}

enum cp_code_role
cp_code_role(const struct cp_run *run, const struct cp_entity *e)
{
	enum cp_code_role role = CP_ROLE_PROGRAM;

	if (e->level != CP_LEVEL_USER && e->level != CP_LEVEL_UNKNOWN)
		return CP_ROLE_OF_KERNEL;
	if (!cp_entity_nameless(e))
		role = function_role(e->symbol->name);
	return role != CP_ROLE_PROGRAM ? role : cp_object_role(run, e->dso);
}

const char *
cp_code_role_name(enum cp_code_role role)
{
	return words[role];
}

bool
cp_code_role_own(enum cp_code_role role)
{
	return role == CP_ROLE_PROGRAM || role == CP_ROLE_OF_INTERPRETER ||
	       role == CP_ROLE_OF_JVM;
}
