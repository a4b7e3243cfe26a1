/* SPDX-License-Identifier: MIT */
/*
 * Languages by how names are spelled.
 */
#include "base/base.h"
#include "render/svg/language.h"
#include "tests/tap.h"

static const struct {
	const char *name;
	enum cp_kind kind;
	enum cp_language want;
} names[] = {
	{ "main", CP_KIND_USER, CP_LANGUAGE_C },
	{ "clock_nanosleep@GLIBC_2.2.5", CP_KIND_USER, CP_LANGUAGE_C },
	{ "finish.isra.0", CP_KIND_USER, CP_LANGUAGE_C },
	{ "table.1", CP_KIND_USER, CP_LANGUAGE_C },
	{ "std::thread::_Invoker<int>::operator()", CP_KIND_INLINED,
	    CP_LANGUAGE_CXX },
	{ "apply(int)", CP_KIND_CXX, CP_LANGUAGE_CXX },
	{ "<alloc::vec::Vec<T> as core::ops::Drop>::drop", CP_KIND_CXX,
	    CP_LANGUAGE_RUST },
	{ "app::run::{{closure}}", CP_KIND_USER, CP_LANGUAGE_RUST },
	{ "app::run::h0123456789abcdef", CP_KIND_CXX, CP_LANGUAGE_RUST },
	{ "app::run::h0123456789abcdeg", CP_KIND_CXX, CP_LANGUAGE_CXX },
	{ "main.main", CP_KIND_USER, CP_LANGUAGE_GO },
	{ "github.com/me/pkg.(*T).Run", CP_KIND_USER, CP_LANGUAGE_GO },
	{ "main.(*Stack[go.shape.float64]).Push", CP_KIND_USER,
	    CP_LANGUAGE_GO },
	{ "main.Each[go.shape.func()]", CP_KIND_USER, CP_LANGUAGE_GO },
	{ "Stdlib.List.map_123", CP_KIND_USER, CP_LANGUAGE_C },
	{ "std.array.front!(int).front(int[])", CP_KIND_USER, CP_LANGUAGE_C },
	{ "_GLOBAL__sub_I_thread.cpp", CP_KIND_USER, CP_LANGUAGE_C },
	{ "com.me.App.run", CP_KIND_JIT, CP_LANGUAGE_JAVA },
	{ "py::run:/home/me/app.py", CP_KIND_JIT, CP_LANGUAGE_PYTHON },
	{ "run app.py", CP_KIND_JIT, CP_LANGUAGE_PYTHON },
	{ "JS:*run /home/me/app.js:10:3", CP_KIND_JIT, CP_LANGUAGE_JAVASCRIPT },
	{ "run app.mjs:10", CP_KIND_JIT, CP_LANGUAGE_JAVASCRIPT },
	{ "jitted", CP_KIND_JIT, CP_LANGUAGE_NONE },
	{ "My.Type::Run", CP_KIND_JIT, CP_LANGUAGE_NONE },
	{ "main.main", CP_KIND_KERNEL, CP_LANGUAGE_NONE },
	{ "worker", CP_KIND_NONE, CP_LANGUAGE_NONE },
	{ "[lib.so.6]", CP_KIND_UNKNOWN, CP_LANGUAGE_NONE },
};

int
main(void)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++)
		ok(cp_language_of(names[i].name, names[i].kind) ==
			names[i].want,
		    "%s", names[i].name);
	return done_testing();
}
