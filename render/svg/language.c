/* SPDX-License-Identifier: MIT */
#include "render/svg/language.h"

#include <string.h>

#include "base/base.h"

static bool
has_any(const char *name, const char *const *parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strstr(name, parts[i]) != NULL)
			return true;
	return false;
}

static bool
begins_any(const char *name, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(name, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

/* "::h" and 16 digits of a hash end a name of Rust's older scheme. */
static bool
ends_with_hash(const char *name)
{
	size_t n = strlen(name);

	return n > 19 && strncmp(name + n - 19, "::h", 3) == 0 &&
	       strspn(name + n - 16, "0123456789abcdef") == 16;
}

static bool
is_rust(const char *name)
{
	static const char *const parts[] = { "{{closure}}", "{closure#",
		"<impl ", "{impl#", "{shim:" };
	static const char *const begins[] = { "core::", "alloc::", "std::rt::",
		"std::sys::", "std::panicking::", "__rust_", "rust_" };

	return has_any(name, parts, CP_ARRAY_LEN(parts)) ||
	       begins_any(name, begins, CP_ARRAY_LEN(begins)) ||
	       (*name == '<' && strstr(name, " as ") != NULL) ||
	       ends_with_hash(name);
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Compilers of C put such words after a dot. */
static bool
is_clone(const char *word)
{
	static const char *const words[] = { "isra", "part", "constprop",
		"cold", "lto_priv", "llvm", "localalias" };

	return begins_any(word, words, CP_ARRAY_LEN(words));
}

/* D's functions have parameters, as "app.run(int)"; Go's types are in []. */
static bool
has_parameters(const char *name)
{
	const char *end = name + strcspn(name, "[");

	for (const char *s = name; (s = strchr(s, '(')) != NULL && s < end; s++)
		if (s > name && s[-1] != '.')
			return true;
	return false;
}

/*
 * "main.run", "github.com/me/pkg.(*T).Run", "runtime.goexit.abi0"; modules of
 * OCaml begin with a capital letter: "Stdlib.List.map_123".
 */
static bool
is_go(const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *dot = strchr(slash != NULL ? slash : name, '.');
	bool lower = *name >= 'a' && *name <= 'z';

	return (lower || (slash != NULL && is_letter(*name))) &&
	       !has_parameters(name) && strcspn(name, "@: ") == strlen(name) &&
	       dot != NULL && (is_letter(dot[1]) || dot[1] == '(') &&
	       !is_clone(dot + 1);
}

static enum cp_language
of_runtime(const char *name)
{
	static const char *const python[] = { ".py:", " <frozen " };
	static const char *const script[] = {
		".js:", ".mjs:", ".cjs:", ".ts:", "node:"
	};
	static const char *const v8[] = { "JS:", "LazyCompile:", "Function:",
		"Script:", "Eval:", "Builtin:", "BytecodeHandler:", "RegExp:" };
	size_t n = strlen(name);

	if (strncmp(name, "py::", 4) == 0 ||
	    (n > 3 && strcmp(name + n - 3, ".py") == 0) ||
	    has_any(name, python, CP_ARRAY_LEN(python)))
		return CP_LANGUAGE_PYTHON;
	if (begins_any(name, v8, CP_ARRAY_LEN(v8)) ||
	    has_any(name, script, CP_ARRAY_LEN(script)))
		return CP_LANGUAGE_JAVASCRIPT;
	if (strchr(name, '.') != NULL && name[0] >= 'a' && name[0] <= 'z' &&
	    strchr(name, '/') == NULL)
		return CP_LANGUAGE_JAVA;
	return CP_LANGUAGE_NONE;
}

enum cp_language
cp_language_of(const char *name, enum cp_kind kind)
{
	switch (kind) {
	case CP_KIND_JIT: return of_runtime(name);
	case CP_KIND_USER:
	case CP_KIND_CXX:
	case CP_KIND_INLINED: break;
	default: return CP_LANGUAGE_NONE;
	}
	if (is_rust(name))
		return CP_LANGUAGE_RUST;
	if (kind == CP_KIND_CXX || strstr(name, "::") != NULL)
		return CP_LANGUAGE_CXX;
	return is_go(name) ? CP_LANGUAGE_GO : CP_LANGUAGE_C;
}

const char *
cp_language_label(enum cp_language language)
{
	static const char *const labels[CP_LANGUAGES] = { "C and others", "C++",
		"Rust", "Go", "Java", "Python", "JavaScript" };

	return labels[language];
}
