/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "symbolize/demangle/demangle.h"

#ifdef HAVE_LIBIBERTY_DEMANGLE_H
#include <libiberty/demangle.h>
#else
#include <demangle.h>
#endif
#include <setjmp.h>

#include "base/buf.h"
#include "base/limits.h"
#include "symbolize/demangle/languages.h"
#include "base/match/simplify.h"

/* The hash that ends names in Rust's old mangling begins so. */
#define RUST_HASH "17h"

struct sink {
	struct cp_buf buf;
	int options; /* DMGL_ */
	jmp_buf full;
};

/*
 * Receives pieces of the result.  The library cannot be told to stop, so a too
 * long result is left by longjmp().  At that time the library holds no memory
 * but a few bytes of a Rust identifier.
 */
static void
collect(const char *piece, size_t n, void *opaque)
{
	struct sink *s = opaque;

	if (n != 0)
		cp_buf_add(&s->buf, piece, n);
	if (s->buf.full)
		longjmp(s->full, 1);
}

static bool
run(struct sink *s, const char *raw, bool rust)
{
	if (setjmp(s->full) != 0)
		return false;
	if (rust)
		return rust_demangle_callback(raw, s->options, collect, s) != 0;
	return cplus_demangle_v3_callback(raw, s->options, collect, s) != 0;
}

static char *
by_callback(const char *raw, bool rust, int options)
{
	struct sink s = { .options = options };

	cp_buf_init(&s.buf, CP_MAX_DEMANGLED);
	if (run(&s, raw, rust) && s.buf.len != 0)
		return s.buf.data;
	cp_buf_free(&s.buf);
	return NULL;
}

static char *
demangle_d(const char *raw)
{
	size_t refs = 0;

	for (const char *p = raw; *p != '\0'; p++)
		refs += *p == 'Q';
	return refs <= CP_MAX_D_REFERENCES ? dlang_demangle(raw, DMGL_NO_OPTS)
					   : NULL;
}

/* Rust's old mangling is a C++ name that ends in a hash: tried first. */
static char *
demangle_any(const char *raw, bool *rust)
{
	char *s = NULL;

	*rust = false;
	if (raw[0] != '_')
		return NULL;
	if (raw[1] == 'R' || (raw[1] == 'Z' && strstr(raw, RUST_HASH) != NULL))
		s = by_callback(raw, true, DMGL_NO_OPTS);
	*rust = s != NULL;
	if (s == NULL && (raw[1] == 'Z' || strncmp(raw, "_GLOBAL_", 8) == 0))
		s = by_callback(raw, false, DMGL_NO_OPTS);
	if (s == NULL && raw[1] == 'D')
		s = demangle_d(raw);
	return s;
}

static size_t
plt_at(const char *raw)
{
	size_t n = strlen(raw), m = strlen("@plt");

	return n > m && strcmp(raw + n - m, "@plt") == 0 ? n - m : n;
}

static char *
with_tail(char *name, const char *tail)
{
	size_t n = strlen(name), m = strlen(tail);

	name = cp_xrealloc(name, n + m + 1, 1);
	memcpy(name + n, tail, m + 1);
	return name;
}

/*
 * Variants for other processors, as c++filt shows them: perf calls all of them
 * by one name.  Other suffixes are of parts of one function.
 */
static char *
with_clone(char *name, const char *raw)
{
	static const char *const kinds[] = { "default", "resolver", "ifunc",
		"arch_", "avx", "sse", "fma", "bmi", "popcnt", "_M" };
	const char *dot = strchr(raw, '.');

	for (size_t i = 0; dot != NULL && i < CP_ARRAY_LEN(kinds); i++)
		if (strncmp(dot + 1, kinds[i], strlen(kinds[i])) == 0) {
			name = with_tail(name, " [clone ");
			return with_tail(with_tail(name, dot), "]");
		}
	return name;
}

static char *
demangle_head(const char *raw, size_t n, bool *rust)
{
	char head[CP_MAX_MANGLED + 1];

	memcpy(head, raw, n);
	head[n] = '\0';
	return demangle_any(head, rust);
}

/* Names that do not begin with an underscore. */
static char *
demangle_other(const char *raw, bool brief)
{
	char *s = NULL;

	if (raw[0] == 'c')
		s = cp_demangle_ocaml(raw, brief);
	else if (raw[0] == 'L')
		s = cp_demangle_java(raw, brief);
	if (s == NULL)
		s = cp_demangle_haskell(raw);
	return s == NULL && brief ? cp_tidy_go(raw) : s;
}

/*
 * LLVM's demangler is asked last, for what libiberty does not know: names that
 * both know stay as perf shows them, wherever a report is made.
 */
static char *
demangle_newer(const char *raw, size_t n)
{
	char head[CP_MAX_MANGLED + 1], *s;

	if (raw[1] != 'Z')
		return NULL;
	memcpy(head, raw, n);
	head[n] = '\0';
	s = cp_llvm_demangle(head);
	if (s != NULL)
		cp_drop_signature(s);
	return s;
}

char *
cp_demangle(const char *raw, enum cp_demangle how)
{
	size_t len = strnlen(raw, CP_MAX_MANGLED + 1), cut;
	bool rust;
	char *s;

	if (how == CP_DEMANGLE_NO || len > CP_MAX_MANGLED)
		return NULL;
	if (raw[0] != '_')
		return demangle_other(raw, how == CP_DEMANGLE_SIMPLE);
	/*
	 * In brief mode the library stops at suffixes of compiler and linker,
	 * as perf shows it.  We keep suffixes that tell symbols apart: @plt,
	 * and all of them in short names.
	 */
	cut = how == CP_DEMANGLE_FULL ? plt_at(raw) : strcspn(raw, "@.");
	s = demangle_head(raw, cut, &rust);
	if (s == NULL) {
		/*
		 * The dot may be part of the name, as in Rust's old mangling,
		 * and D's names have no suffix for the library.
		 */
		cut = strcspn(raw, how == CP_DEMANGLE_FULL ? "@." : "@");
		s = demangle_head(raw, cut, &rust);
	}
	if (s == NULL) {
		cut = strcspn(raw, "@.");
		s = demangle_newer(raw, cut);
		if (how == CP_DEMANGLE_FULL)
			cut = plt_at(raw);
	}
	if (s == NULL)
		return NULL;
	if (how == CP_DEMANGLE_SIMPLE)
		cp_simplify_name(s, rust);
	if (how == CP_DEMANGLE_FULL && raw[cut] == '\0')
		return with_clone(s, raw);
	return raw[cut] != '\0' ? with_tail(s, raw + cut) : s;
}

char *
cp_demangle_signature(const char *raw)
{
	size_t len = strnlen(raw, CP_MAX_MANGLED + 1);

	return len <= CP_MAX_MANGLED && strpbrk(raw, ".@") == NULL
		   ? by_callback(raw, false, DMGL_PARAMS)
		   : NULL;
}
