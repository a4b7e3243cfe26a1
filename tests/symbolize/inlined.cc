/* SPDX-License-Identifier: MIT */
/* What inlines.t compiles: functions in functions, in every kind of scope. */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

int elsewhere(const std::vector<std::string> &);

namespace outer {
namespace {
static __attribute__((noinline)) int
hidden(int x)
{
	return x * 3;
}

struct Local {
	int v;
	int get() const { return v + 1; }
};
}

template <typename T> struct Box {
	T v;
	explicit Box(T x) : v(x) {}
	~Box() { if (v == T()) puts("zero"); }
	T twice() const { return v + v; }
};

static __attribute__((noinline)) int
in_namespace(int n)
{
	std::shared_ptr<Box<int>> p = std::make_shared<Box<int>>(n);

	return p->twice() + hidden(n);
}

int
nested(int n)
{
	struct Inner {
		int a;
		int sum(int b) { return a + b + hidden(b); }
	};
	auto f = [n](int k) {
		Inner i{k};

		return i.sum(n) + Local{k}.get();
	};
	int s = 0;

	for (int i = 0; i < n; i++)
		s += f(i) + Box<int>(i).twice() + in_namespace(i);
	return s;
}
}

int
main(int argc, char **argv)
{
	std::map<std::string, std::vector<int>> m;
	std::vector<std::string> names;
	int s = 0;

	for (int i = 0; i < argc * 10; i++)
		m[std::to_string(i % 7)].push_back(outer::nested(i));
	for (auto &p : m) {
		std::sort(p.second.begin(), p.second.end(),
		    std::greater<int>());
		s += p.second.front();
		names.push_back(p.first);
	}
	printf("%d\n", s + elsewhere(names));
	return 0;
}
