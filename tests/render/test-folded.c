/* SPDX-License-Identifier: MIT */
/* Folded stacks: the spelling of frames, order, merging. */
#include "tests/render/sample.h"
#include "tests/tap.h"

static struct cp_report report;
static struct cp_tree *tree;

static uint32_t
begin(const char *comm)
{
	cp_report_init(&report, "t");
	tree = cp_report_tree(&report, "tree", "Tree");
	return cp_tree_node(tree, 0, comm, "", CP_KIND_NONE);
}

static void
end(const char *want, const char *what)
{
	struct cp_render_options opt = { 0 };
	struct cp_left left = { 0 };
	struct cp_buf b;

	cp_report_finish(&report);
	if (sample_render(&report, "folded", &opt, &left, &b) != CP_OK)
		ok(false, "rendering failed");
	is_str(cp_buf_text(&b), want, "%s", what);
	cp_buf_free(&b);
	cp_left_free(&left);
	cp_report_free(&report);
}

/* One frame under one comm. */
static void
check(const char *comm, const char *name, const char *object, enum cp_kind kind,
    const char *want, const char *what)
{
	uint32_t at = begin(comm);

	cp_tree_add(tree, cp_tree_node(tree, at, name, object, kind), 7, 1);
	end(want, what);
}

static void
check_names(void)
{
	check("a b c", "f", "o", CP_KIND_USER, "a_b_c;f 7\n",
	    "blanks of a comm become underscores");
	check("a", "db::f(int, char const*) const", "o", CP_KIND_CXX,
	    "a;db::f 7\n", "argument lists are cut");
	check("a", "x::(anonymous namespace)::f(int)", "o", CP_KIND_CXX,
	    "a;x::(anonymous namespace)::f 7\n",
	    "an anonymous namespace is no argument list");
	check("a", "[memfd:x (deleted)]", "o", CP_KIND_USER,
	    "a;[memfd:x (deleted)] 7\n", "nor is what follows an object");
	check("a", "net/http.(*Client).Do(x)", "o", CP_KIND_USER,
	    "a;net/http.(*Client).Do(x) 7\n", "names of Go methods stay");
	check("a", "RegExp:[&<>\"']", "o", CP_KIND_JIT, "a;RegExp:[&<>] 7\n",
	    "quotes are dropped");
	check("a", "f;g", "o", CP_KIND_USER, "a;f:g 7\n",
	    "a semicolon becomes a colon");
	check("a", "f(int)_[g]", "o", CP_KIND_USER, "a;f_[g] 7\n",
	    "the mark of a guess stays");
	check("a", "f(int)_[g] (inlined)", "o", CP_KIND_INLINED,
	    "a;f_[g]_[i] 7\n", "that of an inlined function behind it");
	check("a", "[o]_[g]", "lib/o", CP_KIND_UNKNOWN, "a;[o]_[g] 7\n",
	    "and that of a frame without a name");
	check("a", "f(int)_[k]", "o", CP_KIND_KERNEL, "a;f_[k] 7\n",
	    "the mark of a kernel function stays");
	check("java", "Lorg/x/Box;.<init>(Ljava/V;)V", "o", CP_KIND_JIT,
	    "java;org/x/Box:.<init> 7\n", "signatures of Java are tidied");
	check("app", "Lorg/x/Box;.call", "o", CP_KIND_JIT,
	    "app;Lorg/x/Box:.call 7\n", "but under java only");
	check("java", "La::b", "o", CP_KIND_CXX, "java;La::b 7\n",
	    "and with a slash only");
	check("a", "f->g->h", "o", CP_KIND_JIT, "a;f;g_[i];h_[i] 7\n",
	    "a chain of names is inlined frames");
	check("a", "p::operator->() const", "o", CP_KIND_CXX,
	    "a;p::operator-> 7\n", "operator-> is one name");
}

static void
check_unnamed(void)
{
	check("a", "0x401000", "/usr/lib/libx.so.1", CP_KIND_UNKNOWN,
	    "a;[libx.so.1] 7\n", "an unnamed frame is its object");
	check("a", "[unknown]", "", CP_KIND_UNKNOWN, "a;[unknown] 7\n",
	    "or unknown");
	check("a", "[unknown]", "[unknown]", CP_KIND_UNKNOWN, "a;[unknown] 7\n",
	    "or unknown by name");
	check("a", "0xffffffff81000000", "[kernel.kallsyms]", CP_KIND_UNKNOWN,
	    "a;[[kernel.kallsyms]] 7\n", "the kernel has brackets of its own");
}

static void
check_order(void)
{
	uint32_t at = begin("x"), f;

	f = cp_tree_node(tree, at, "f", "", CP_KIND_USER);
	cp_tree_add(tree, f, 1, 1);
	cp_tree_add(tree, cp_tree_node(tree, f, "g", "", CP_KIND_USER), 2, 1);
	cp_tree_add(tree, cp_tree_node(tree, at, "f!", "", CP_KIND_USER), 3, 1);
	f = cp_tree_node(tree, at, "f(int)", "", CP_KIND_USER);
	cp_tree_add(tree, f, 10, 1);
	cp_tree_add(
	    tree, cp_tree_node(tree, f, "zero", "", CP_KIND_USER), 0, 0);
	end("x;f 11\nx;f! 3\nx;f;g 2\n",
	    "lines are in order of bytes, equal stacks merged, weightless "
	    "ones left out");
}

static uint32_t
add(uint32_t parent, const char *name, uint64_t weight)
{
	uint32_t node = cp_tree_node(tree, parent, name, "", CP_KIND_USER);

	if (weight != 0)
		cp_tree_add(tree, node, weight, 1);
	return node;
}

/* Of each line what the one before has not. */
static void
check_tails(void)
{
	uint32_t x = begin("x"), f = add(x, "ff", 1);

	add(f, "g", 2);
	add(add(f, "gg", 0), "i", 3);
	add(f, "h", 4);
	add(x, "k", 5);
	end("x;ff 1\nx;ff;g 2\nx;ff;gg;i 3\nx;ff;h 4\nx;k 5\n",
	    "lines are whole, whatever the one before has of them");
}

/* "a->b" is a with an inlined b below, wherever it stands among siblings. */
static void
check_chains(void)
{
	uint32_t x = begin("x"), f = add(x, "f", 1);

	add(add(f, "g", 0), "z", 2);
	add(add(x, "f->g", 4), "z", 8);
	add(x, "f->g->z", 16);
	add(add(x, "f1", 0), "f", 32);
	add(f, "g_[i]", 64);
	end("x;f 1\nx;f1;f 32\nx;f;g;z 2\nx;f;g_[i] 68\nx;f;g_[i];z 8\n"
	    "x;f;g_[i];z_[i] 16\n",
	    "chains of names are merged with what is written as they are");
	x = begin("x");
	add(add(x, "f(int)", 0), "z", 1);
	add(x, "g", 2);
	add(x, "f(long)", 4);
	end("x;f 4\nx;f;z 1\nx;g 2\n", "twins stand together");
}

int
main(void)
{
	check_names();
	check_unnamed();
	check_order();
	check_tails();
	check_chains();
	return done_testing();
}
