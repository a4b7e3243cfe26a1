/* SPDX-License-Identifier: MIT */
/* Demangling: against c++filt where it is installed, and our short form. */
#define _GNU_SOURCE /* popen */
#include "base/limits.h"
#include "symbolize/demangle/demangle.h"
#include "symbolize/demangle/languages.h"
#include "tests/tap.h"

static void
is_name(const char *raw, enum cp_demangle how, const char *want)
{
	char *got = cp_demangle(raw, how);

	is_str(got, want, "%.60s", raw);
	free(got);
}

static void
test_full(void)
{
	const enum cp_demangle full = CP_DEMANGLE_FULL;

	is_name("main", full, NULL);
	is_name("_start", full, NULL);
	is_name("_Z", full, NULL);
	is_name("_Z1fv", CP_DEMANGLE_NO, NULL);
	is_name("_ZNSt6vectorIiSaIiEE9push_backERKi", full,
	    "std::vector<int, std::allocator<int> >::push_back");
	/* As perf shows them. */
	is_name("_Z3foov.cold", full, "foo");
	is_name("_Z3foov.avx2", full, "foo [clone .avx2]");
	is_name(
	    "_Z3foov.arch_x86_64_v3.0", full, "foo [clone .arch_x86_64_v3.0]");
	is_name("_ZTV3Foo@@V_1.2", full, "vtable for Foo");
	is_name("write@@GLIBC_2.2.5", full, NULL);
	is_name("_Znwm@plt", full, "operator new@plt");
	is_name("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", full,
	    "core::fmt::Formatter::pad");
	is_name("_RNvXsN_NtNtCsgEmfK2I1SDS_4core3fmt3numnNtB7_8UpperHex3fmt",
	    full, "<i128 as core::fmt::UpperHex>::fmt");
	is_name("_D3std5stdio4File6__dtorMFZv", full, "std.stdio.File.~this()");
}

static void
test_simple(void)
{
	const enum cp_demangle simple = CP_DEMANGLE_SIMPLE;

	is_name("_ZNSt6vectorIiSaIiEE9push_backERKi", simple,
	    "std::vector::push_back");
	is_name("_Z3foov.cold", simple, "foo.cold");
	is_name("_Z3foov.constprop.0.isra.3", simple, "foo.constprop.0.isra.3");
	is_name("_Z3foov@@V_1.2", simple, "foo@@V_1.2");
	is_name("_ZlsRSoRK3Foo", simple, "operator<<");
	is_name("_ZltRK1AS1_", simple, "operator<");
	is_name("_ZNK1AclEv", simple, "A::operator()");
	is_name("_ZN1BIXltLi1ELi2EEE1fEv", simple, "B::f");
	is_name("_ZN1BIXlsLi1ELi2EEE1fEv", simple, "B::f");
	is_name("_ZN1BIXleLi1ELi2EEE1fEv", simple, "B::f");
	is_name("_ZN1BIXgeLi1ELi2EEE1fEv", simple, "B::f");
	is_name("_ZN1BIXrsLi1ELi2EEE1fEv", simple, "B::f");
	is_name("_ZN1BIXgtLi1ELi2EEE1fEv", simple, "B::f");
	is_name("_ZN1BIPFviEE1fEv", simple, "B::f");
	is_name(
	    "_ZN12_GLOBAL__N_13fooEv", simple, "(anonymous namespace)::foo");
	is_name("_ZZ4mainENKUlidE_clEid", simple,
	    "main::{lambda(int, double)#1}::operator()");
	is_name("_RNvXsN_NtNtCsgEmfK2I1SDS_4core3fmt3numnNtB7_8UpperHex3fmt",
	    simple, "<i128 as core::fmt::UpperHex>::fmt");
	is_name("_RNvMs3_NtCslNYArtu3iFV_5alloc7raw_vecINtB5_6RawVecTjReEE8"
		"grow_oneCsaL4WDZAyTVz_17annotate_snippets",
	    simple, "<alloc::raw_vec::RawVec>::grow_one");
}

static void
test_others(void)
{
	const enum cp_demangle full = CP_DEMANGLE_FULL;
	const enum cp_demangle simple = CP_DEMANGLE_SIMPLE;

	is_name("_D3std5range__T11SortedRangeTAkVAyaa5_61203c2062VEQBwQBv18"
		"SortedRangeOptionsi0ZQCm5frontMFNaNbNcNdNiNfZk",
	    simple, "std.range.SortedRange!.SortedRange.front");
	is_name("_D1d1A3runMFiZi.localalias", full, "d.A.run(int).localalias");
	is_name("_D1d1A3runMFiZi.localalias", simple, "d.A.run.localalias");
	is_name("_ZN1BIXgtLi1ELi2EEE1fEv", simple, "B::f");
	is_name("camlStdlib__List__map_123", full, "Stdlib.List.map_123");
	is_name("camlStdlib__List__map_123", simple, "Stdlib.List.map");
	is_name("camlFoo__$2b$2b_77", full, "Foo.++_77");
	is_name("camlFoo__bar$00$zz$2", full, "Foo.bar$00$zz$2");
	is_name("caml_alloc", full, NULL);
	is_name("base_GHCziBase_zpzp_info", full, "base:GHC.Base.++_info");
	is_name("containerszm0zi6zi5zi1_DataziMap_insertzq_con_info", full,
	    "containers-0.6.5.1:Data.Map.insert'_con_info");
	is_name("my_Class_zi_info", full, NULL);
	is_name("size_info", full, NULL);
	is_name("Ljava/lang/StringLatin1;equals([B[B)Z", full,
	    "java.lang.StringLatin1.equals(byte[], byte[])");
	is_name("La/B$C;f(La/D;IJ[[Ljava/lang/String;)V", full,
	    "a.B$C.f(a.D, int, long, java.lang.String[][])");
	is_name(
	    "Ljava/lang/Object;<init>()V", simple, "java.lang.Object.<init>");
	is_name("La/B;f(Q)V", full, NULL);
	is_name("La/B;f(La/B)V", full, NULL);
	is_name("La/B;f([[[", full, NULL);
	is_name("La/B;f([[[)V", full, NULL);
	is_name("L;f()V", full, NULL);
	is_name("Lookup(int)", full, NULL);
	is_name("github.com/me/some%2epkg.(*T[go.shape.int]).Run", simple,
	    "some.pkg.(*T).Run");
	is_name("net/http.(*conn).serve", simple, "http.(*conn).serve");
	is_name("net/http.(*conn).serve", full, NULL);
	is_name("main.main", simple, NULL);
	is_name("strtod_l", simple, NULL);
}

/* What LLVM's demangler loses where it could not finish a name. */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
	return "leak:libc++abi\nleak:libLLVM\n";
}

/* As llvm-cxxfilt 19 prints them, without return types and parameters. */
static void
test_newer(void)
{
	const enum cp_demangle full = CP_DEMANGLE_FULL;
	char *s = cp_demangle("_Z1fITkSt8integraliEvT_", full);

	if (s == NULL) {
		skip("neither libc++abi nor libLLVM of version 18 or newer");
		return;
	}
	free(s);
	is_name("_ZNK4NodeILi3EE7processITkSt8integrallEET_S2_", full,
	    "Node<3>::process<long>");
	is_name("_ZNK4NodeILi3EE7processITkSt8integrallEET_S2_",
	    CP_DEMANGLE_SIMPLE, "Node::process");
	is_name("_Z3reqIlQsr3stdE8integralIT_EES0_S0_", full, "req<long>");
	is_name("_Z3reqIlQsr3stdE8integralIT_EES0_S0_.cold", full, "req<long>");
	is_name("_ZNH1S3dedERS_l", full, "S::ded");
	is_name("_ZN2DB5Field6createIcQeqstT_Li1EEEvPKS2_m", full,
	    "DB::Field::create<char>");
	is_name("_ZL21CreateWasmConstructorIN2js13WasmTagObjectEXadsoKcL_ZL11"
		"WasmTagNameEEEEP8JSObjectP9JSContext10JSProtoKey",
	    full,
	    "CreateWasmConstructor<js::WasmTagObject, "
	    "&WasmTagName.<char const at offset 0>>");
	/* libiberty's, as perf shows it, though LLVM's prints 'lambda'. */
	is_name("_ZZ4mainENKUlTyT_E_clIiEEDaS_", full,
	    "main::{lambda<typename $T0>($T0)#1}::operator()<int>");
	/* A return type in parentheses, and one with a blank. */
	is_name("_ZNSt3__112__to_addressB8ne190107INS_11__wrap_iterIPcEETnNS_9"
		"enable_ifIXsr4_AndINS_8is_classIT_EENS_15_IsFancyPointerIS6_"
		"EEEE5valueEiE4typeELi0EEEu7__decayIDTclsr19__to_address_"
		"helperIS6_EE6__callclsr3stdE7declvalIRKS6_EEEEESD_",
	    full,
	    "std::__1::__to_address[abi:ne190107]<std::__1::__wrap_iter<char*>,"
	    " "
	    "0>");
	is_name("_Z1fITk1CiEmT_", full, "f<int>");
}

/* Names whose text, or whose time, has no end. */
static void
test_hostile(void)
{
	char raw[CP_MAX_MANGLED + 2];
	size_t n =
	    (size_t)snprintf(raw, sizeof(raw), "_Z1fITk1CiEvSt4pairIiiE");
	char *s;

	for (unsigned i = 1; i < 30; i++)
		n += (size_t)snprintf(
		    raw + n, sizeof(raw) - n, "St4pairIS%X_S%X_E", i, i);
	s = cp_demangle(raw, CP_DEMANGLE_FULL);
	ok(s == NULL || strlen(s) <= CP_MAX_DEMANGLED,
	    "a text that doubles 30 times ends");
	free(s);
	memset(raw, 'K', sizeof(raw));
	memcpy(raw, "_Z1fITk1CiEv", 12);
	memcpy(raw + CP_MAX_MANGLED - 1, "i", 2);
	s = cp_demangle(raw, CP_DEMANGLE_FULL);
	ok(s == NULL || strcmp(s, "f<int>") == 0, "so does a deep type");
	free(s);
}

static void
is_tidy(const char *raw, const char *want)
{
	char *got = cp_tidy_runtime(raw);

	is_str(got, want, "%s", raw);
	free(got);
}

static void
test_runtimes(void)
{
	is_tidy("LazyCompile:~foo /a/b/file.js:10:3", "foo file.js:10");
	is_tidy("JS:*bar file.js:7:1", "bar file.js:7");
	is_tidy("JS:* /tmp/w.js:1:1", "(anonymous) w.js:1");
	is_tidy("Function:^get size node:internal/util:5:9", "get size util:5");
	is_tidy("Script:~/x/main.js", "/x/main.js");
	is_tidy("py::run:/home/me/app.py", "run app.py");
	is_tidy("py::<module>:<string>", "<module> <string>");
	is_tidy(
	    "void [app] My.Type::Run(int32,class X)[Tier1]", "My.Type::Run");
	is_tidy("double com.me.App.run(int)", "com.me.App.run");
	is_tidy("Lcom/me/App;::run", "com.me.App::run");
	is_tidy("Interpreter", NULL);
	is_tidy("I2C/C2I adapters", NULL);
	is_tidy("Builtin:JSEntry", NULL);
	is_tidy("StubRoutines (1)", NULL);
	is_tidy("(a", NULL);
	is_tidy("JS:", NULL);
}

/* Substitutions that double the name at every level. */
static void
test_bounds(void)
{
	char raw[CP_MAX_MANGLED + 2];
	size_t n = 0;
	char *s;

	n += (size_t)snprintf(raw, sizeof(raw), "_Z1fSt4pairI1AS_E");
	for (int i = 0; i < 30; i++)
		n += (size_t)snprintf(
		    raw + n, sizeof(raw) - n, "St4pairIS%d_S%d_E", i, i);
	s = cp_demangle(raw, CP_DEMANGLE_FULL);
	ok(s == NULL || strlen(s) <= CP_MAX_DEMANGLED,
	    "an exploding name ends");
	free(s);
	memset(raw, 'x', sizeof(raw));
	memcpy(raw, "_Z4097", 6);
	raw[sizeof(raw) - 1] = '\0';
	s = cp_demangle(raw, CP_DEMANGLE_FULL);
	ok(s == NULL, "a name over the limit stays as it is");
	free(s);
}

static bool
read_line(FILE *f, char *line, int size)
{
	if (f == NULL || fgets(line, size, f) == NULL)
		return false;
	line[strcspn(line, "\n")] = '\0';
	return true;
}

/* All names of the C++ library, as c++filt -p -i shows them. */
static void
test_against_cxxfilt(void)
{
	static const char names[] =
	    "f=$(cc -print-file-name=libstdc++.so.6) && "
	    "nm -D --defined-only \"$f\" 2>/dev/null | "
	    "awk '$3 ~ /^_Z/ { sub(/@.*/, \"\", $3); print $3 }'";
	char command[512], raw[8192], want[65536];
	FILE *in, *out;
	uint64_t n = 0, wrong = 0;

	snprintf(command, sizeof(command), "%s | c++filt -p -i", names);
	in = popen(names, "r");
	out = popen(command, "r");
	while (read_line(in, raw, sizeof(raw)) &&
	       read_line(out, want, sizeof(want))) {
		char *got = cp_demangle(raw, CP_DEMANGLE_FULL);

		n++;
		if (strcmp(got != NULL ? got : raw, want) != 0 && wrong++ == 0)
			diag("%s: got %s, want %s", raw, got, want);
		free(got);
	}
	if (in != NULL)
		pclose(in);
	if (out != NULL)
		pclose(out);
	if (n < 100)
		skip("no nm, c++filt or libstdc++ here");
	else
		is_u64(wrong, 0, "%" PRIu64 " names as c++filt", n);
}

int
main(void)
{
	test_full();
	test_simple();
	test_others();
	test_newer();
	test_hostile();
	test_runtimes();
	test_bounds();
	test_against_cxxfilt();
	return done_testing();
}
