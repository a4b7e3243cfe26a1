/* SPDX-License-Identifier: MIT */
/* What fits what a user typed, and which word was meant. */
#include "base/match/nearest.h"
#include "base/match/pattern.h"
#include "tests/tap.h"

static const struct {
	const char *word, *name;
	bool whole, symbol;
} fits[] = {
	{ "main", "main", true, true },
	{ "main", "main.cold", false, true },
	{ "main", "main.cold.", false, false },
	{ "main", "main.colder", false, false },
	{ "main", "main.1", false, false },
	{ "main", "main7", false, false },
	{ "slot", "a::slot.isra.0", false, true },
	{ "slot", "slot.part.12", false, true },
	{ "slot", "slot.constprop.0.isra.1.cold", false, true },
	{ "slot.isra.0", "slot.isra.0.cold", false, true },
	{ "slot.cold", "slot.isra.0.cold", false, false },
	{ "", ".cold", false, false },
	{ "", "7", false, false },
	{ "main", "app::main", false, true },
	{ "main", "domain", false, false },
	{ "[kernel.kallsyms]", "[kernel.kallsyms]", true, true },
	{ "lib*.so", "libc.so", true, true },
	{ "lib*.so", "libc.so.6", false, false },
	{ "l?bc*", "libc.so.6", true, true },
	{ "*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false, false },
	{ "/^gc_(mark|sweep)$/", "gc_mark", true, true },
	{ "/^gc_(mark|sweep)$/", "gc_marks", false, false },
	{ "/ark/", "gc_mark", true, true },
	{ "sort", "void ns::sort<int, std::less<int> >(int*, int*)", false,
	    true },
	{ "ns::sort", "void ns::sort<int>(int*, int*)", false, true },
	{ "ns::sort", "my_ns::sort(int)", false, false },
	{ "sort<int>", "ns::sort<int>", false, true },
	{ "std::map<int, int>::at", "std::map<int, int>::at", true, true },
	{ "std::map::at", "std::map<int, int>::at(int const&) const", false,
	    true },
	{ "so*", "void ns::sort<int>(int*)", false, true },
	{ "/^ns::sort$/", "void ns::sort<int>(int*)", false, true },
	{ "operator()", "ns::F::operator()(int) const", false, true },
	{ "operator<<", "std::ostream& ns::operator<< <int>(std::ostream&)",
	    false, true },
	{ "f", "(anonymous namespace)::f(int)", false, true },
	{ "poll", "<F as core::future::Future>::poll", false, true },
	{ "main.(*T).Get", "main.(*T).Get", true, true },
	{ "operator new", "operator new(unsigned long)", false, true },
	/* inlined instances */
	{ "compare", "std::string::compare (inlined)", false, true },
	{ "compare (inlined)", "std::string::compare (inlined)", false, true },
	{ "compare (inlined)", "std::string::compare", false, false },
	{ "/^std::string::compare$/", "std::string::compare (inlined)", false,
	    true },
	{ "lower_bound",
	    "std::map<std::basic_string<char>, int>::lower_bound (inlined)",
	    false, true },
	{ "*Index*::add", "shop::Index<int>::add(int) (inlined)", false, true },
	/* twins that a linker folded */
	{ "alpha_sum", "alpha_sum (= beta_sum, ns::map<int, int>::at)", false,
	    true },
	{ "beta_sum", "alpha_sum (= beta_sum, ns::map<int, int>::at)", false,
	    true },
	{ "at", "alpha_sum (= beta_sum, ns::map<int, int>::at)", false, true },
	{ "alpha_sum (= beta_sum)", "alpha_sum (= beta_sum)", true, true },
	{ "sum", "alpha_sum (= beta_sum)", false, false },
	/* as tables show them */
	{ "std::string::compare",
	    "std::__cxx11::basic_string<char, std::char_traits<char>, "
	    "std::allocator<char> >::compare (inlined)",
	    false, true },
	{ "std::map<…>::at", "std::map<int, int>::at(int const&) const", false,
	    true },
	{ "…map<…>::at", "std::map<int, int>::at", true, true },
	{ "sum<…Up>", "double ns::sum<A, RoundUp, B>(int)", false, true },
	{ "sum<…Up>", "double ns::sum<A, RoundDown>(int)", false, false },
	{ "h<int>::run<int>", "void a::h<int>::run<int>(int)", false, true },
	{ "h<int>::run<int>", "void a::h<int>::run<char>(int)", false, false },
	{ "h<int>::run<int>", "void a::h<char>::run<int>(h<int>)", false,
	    false },
	{ "h<int>::run<int>", "void a::h<int, int>::run<int>()", false, false },
	{ "conv<int>", "int conv<double>(std::vector<int>)", false, false },
	{ "gen<u8>", "m::gen::<u8>", false, true },
	{ "B::operator()(int)", "B::operator()(int)", true, true },
	{ "B::operator()(int)", "B::operator()(int) const", false, false },
	{ "…Widget::operator>", "ui::Widget::operator>", true, true },
	{ "…Widget::operator>", "ui::Widget::operator->", false, false },
	{ "…Widget::operator>", "ui::Widget::operator>>", false, false },
	{ "…int>::put", "int app::handler<int>::put", true, true },
	{ "…int>::put", "int app::handler<long>::put", false, false },
	{ "sum<…Up…>", "ns::sum<A, RoundUp, B>", false, true },
	{ "map1…2", "mapaccess1_2", false, false },
	{ "m1…2", "m1_f2", false, true },
	{ "…<It…operator--", "ns::iter<It, 3>::operator-- (inlined)", false,
	    true },
	{ "alpha (= beta)", "alpha", false, true },
	{ "alpha (= be…", "alpha", false, true },
	{ "alpha (= beta)", "beta", false, false },
	{ "__ungua…near_insert", "std::__unguarded_linear_insert<int*>", false,
	    true },
	{ "(anon)::Parser::run", "(anonymous namespace)::Parser::run(int)",
	    false, true },
	{ "TreeMap.merge",
	    "java.lang.Object java.util.TreeMap.merge(java.lang.Object)", false,
	    true },
	{ "merge", "Ljava/util/TreeMap;::merge", false, true },
	{ "core::fmt::write", "core::fmt::write::h0123456789abcdef", false,
	    true },
	{ "Get", "github.com/me/app/store.(*DB).Get", false, true },
	{ "store.(*DB).Get", "github.com/me/app/store.(*DB).Get", false, true },
	{ "<NodeRef<…Str>>::find<…> (inlined)",
	    "<alloc::btree::NodeRef<Mut, alloc::Str>>::find::<Str> (inlined)",
	    false, true },
	{ "<NodeRef<…Str>>::find<…>",
	    "<alloc::btree::NodeRef<Mut, Strs>>::find::<u32>", false, false },
	{ "main.(*List[…string]).Find",
	    "main.(*List[go.shape.int,go.shape.string]).Find", true, true },
	{ "main.(*List[…string]).Find",
	    "main.(*List[go.shape.int,go.shape.float64]).Find", false, false },
	{ "Basket<Apple…>::take", "shop::Basket<Apple, int>::take (inlined)",
	    false, true },
	{ "Basket<Apple>::take", "shop::Basket<Apple, int>::take", false,
	    false },
	{ "work(…string)", "void work(std::basic_string<char> const&)", false,
	    true },
	{ "work(…string)", "void work(long)", false, false },
	{ "main::{lambda(…string)#2}::operator()",
	    "main()::{lambda(std::string const&)#2}::operator()(int) const",
	    false, true },
	{ "main::{lambda(…string)#2}::operator()",
	    "main()::{lambda(long)#2}::operator()(int) const", false, false },
	{ "T.work(long)", "long T.work(long)", false, true },
	{ "T.work(long)", "long T.work(long, int)", false, false },
	{ "getNode~226", "llvm::SelectionDAG::getNode", false, true },
	{ "getNode~", "llvm::SelectionDAG::getNode", false, false },
	/* of folded stacks */
	{ "vfs_read_[k]", "vfs_read", false, true },
	{ "main_[i]", "main()::{lambda}::operator() (inlined)", false, true },
	{ "void T.main", "void T.main(java.lang.String[])", false, true },
	{ "rt::start::<", "rt::start::<()>", false, true },
	{ "rt::start::<fn", "rt::start::<fn(), ()>", false, true },
	{ "rt::start::<", "rt::start::<fn(), ()>", false, false },
	{ "main", "main()::{lambda}::operator()", false, false },
	/* a * that names have */
	{ "a::operator*", "a::operator*", true, true },
	{ "a::operator*", "a::operator+", false, false },
	{ "*operator*", "a::operator+", true, true },
	{ "work(char*)", "work(char const*)", false, false },
	{ "work(char**)", "work(char**)", true, true },
	{ "JS:*f", "JS:~f", false, false },
	{ "lib(*)", "lib(a)", true, true },
	/* pools of threads */
	{ "worker/0…39", "worker/7", true, true },
	{ "worker/0…39", "worker/40", false, false },
	{ "worker/0…39-io", "worker/39-io", true, true },
	{ "worker/0…39", "worker/0…39", true, true },
	{ "worker/0…39", "worker/", false, false },
	{ "worker/0…39", "worker/99999999999999999999", false, false },
};

static const struct {
	const char *name, *bare;
} bares[] = {
	{ "main", "main" },
	{ "do_sys_open.isra.0", "do_sys_open.isra.0" },
	{ "a::b<c<d>(e)>::f(g) const [clone .cold]", "a::b::f" },
	{ "non-virtual thunk to a::b::f()", "a::b::f" },
	{ "void (anonymous namespace)::f<int>(int)", "(anon)::f" },
	{ "a::operator->() const", "a::operator->" },
	{ "bool operator< <int>(int)", "operator<" },
	{ "a::operator bool() const", "a::operator bool" },
	{ "operators(int)", "operators" },
	{ "f(int)::{lambda()#1}::operator()() const",
	    "f::{lambda#1}::operator()" },
	{ "unbalanced<int(", "unbalanced<int(" },
	{ "", "" },
};

static void
test_fits(void)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(fits); i++) {
		struct cp_pattern p;

		if (cp_pattern_init(&p, fits[i].word) != CP_OK) {
			ok(false, "%s is a pattern", fits[i].word);
			continue;
		}
		ok(cp_pattern_fits(&p, fits[i].name) == fits[i].whole,
		    "%s %s %s as a whole", fits[i].word,
		    fits[i].whole ? "fits" : "does not fit", fits[i].name);
		ok(cp_pattern_fits_symbol(&p, fits[i].name) == fits[i].symbol,
		    "%s %s the symbol %s", fits[i].word,
		    fits[i].symbol ? "fits" : "does not fit", fits[i].name);
		cp_pattern_free(&p);
	}
}

/* Names that are shown otherwise than they are. */
static void
test_shown(void)
{
	static const struct {
		const char *word, *name;
		bool fits;
	} shown[] = {
		{ "a\\x0ab\\xff", "a\nb\xff", true },
		{ "a\\x0ab", "a\\x0ab", true },
		{ "a\\x5cx0ab", "a\\x0ab", true },
		{ "a\\x5cx0ab", "a\\x5cx0ab", true },
		{ "\\u200b\\u00ad.", "\xe2\x80\x8b\xc2\xad.", true },
		{ "a\\x0", "a\n", false },
		{ "a\\x0ab", "a\n", false },
		{ "a\\u200b", "a\xe2\x80", false },
		{ "a\\x00", "a", false },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(shown); i++) {
		struct cp_pattern p;

		ok(cp_pattern_init(&p, shown[i].word) == CP_OK &&
			cp_pattern_fits(&p, shown[i].name) == shown[i].fits,
		    "%s %s the name shown", shown[i].word,
		    shown[i].fits ? "fits" : "does not fit");
		cp_pattern_free(&p);
	}
}

static void
test_bare(void)
{
	struct cp_pattern p;
	struct cp_buf out;

	cp_buf_init(&out, SIZE_MAX / 2);
	for (size_t i = 0; i < CP_ARRAY_LEN(bares); i++) {
		cp_buf_reset(&out);
		cp_symbol_bare(&out, bares[i].name);
		is_str(cp_buf_text(&out), bares[i].bare, "bare name of %s",
		    bares[i].name);
	}
	cp_buf_free(&out);
	is_u64((uint64_t)cp_pattern_init(&p, "/(/"), (uint64_t)CP_FAIL,
	    "a bad regular expression is refused");
}

static void
test_nearest(void)
{
	static const char *const words[] = { "hotspots", "flame", "offcpu",
		"offcpu", "sched", "std::vector<int>::push_back(int)" };
	cp_candidates all = { 0 };
	struct cp_buf b;

	is_u64(cp_word_distance("flame", "flame"), 0, "the same word");
	is_u64(cp_word_distance("flmae", "flame"), 1, "neighbours swapped");
	is_u64(cp_word_distance("Flam", "flame"), 1, "a letter left out");
	is_u64(cp_word_distance("kitten", "sitting"), 3, "kitten, sitting");
	is_u64(cp_word_distance("", "abc"), 3, "nothing typed");
	for (size_t i = 0; i < CP_ARRAY_LEN(words); i++)
		*cp_vec_push(&all) = words[i];
	is_str(cp_nearest("hotspot", &all), "hotspots", "hotspot is hotspots");
	is_str(cp_nearest("flmae", &all), "flame", "flmae is flame");
	ok(cp_nearest("zzzzzz", &all) == NULL, "zzzzzz is nothing");
	cp_buf_init(&b, 1000);
	cp_nearest_list(&b, "schd", &all, 20);
	is_str(cp_buf_text(&b), "sched, hotspots, flame and 2 more",
	    "nearest first, then as given, each once, and how many are left");
	cp_buf_reset(&b);
	cp_nearest_list(&b, "pushback", &all, 1);
	is_str(cp_buf_text(&b), "std::vector<int>::push_back(int) and 4 more",
	    "a symbol is near by its bare name");
	cp_buf_free(&b);
	cp_vec_free(&all);
}

/* What is typed without the version is near by the name's beginning. */
static void
test_beginnings(void)
{
	static const char *const words[] = { "libglx.so", "libdri.so", "init",
		"libglib-2.0.so.0.3400.3" };
	cp_candidates all = { 0 };
	struct cp_buf b;

	for (size_t i = 0; i < CP_ARRAY_LEN(words); i++)
		*cp_vec_push(&all) = words[i];
	cp_buf_init(&b, 1000);
	cp_nearest_list(&b, "libglibb", &all, 1);
	is_str(cp_buf_text(&b), "libglib-2.0.so.0.3400.3 and 3 more",
	    "a mistyped beginning of a long name");
	cp_buf_free(&b);
	cp_vec_free(&all);
}

int
main(void)
{
	test_fits();
	test_shown();
	test_bare();
	test_nearest();
	test_beginnings();
	return done_testing();
}
