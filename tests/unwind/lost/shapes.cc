// SPDX-License-Identifier: MIT
// shapes: virtual calls, containers, strings and sorting.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#define APART __attribute__((noinline))
static volatile double sink;

struct shape {
	virtual ~shape() = default;
	APART virtual double area() const = 0;
};

struct square : shape {
	double side;
	explicit square(double s) : side(s) {}
	APART double area() const override { return side * side; }
};

struct polygon : shape {
	std::vector<double> x, y;
	explicit polygon(unsigned n)
	{
		for (unsigned i = 0; i < n; i++) {
			x.push_back(i * 0.5);
			y.push_back((i * 7919) % 101);
		}
	}
	APART double area() const override
	{
		double a = 0;

		for (size_t i = 0; i + 1 < x.size(); i++)
			a += x[i] * y[i + 1] - x[i + 1] * y[i];
		return a / 2;
	}
};

APART static double
total(const std::vector<std::unique_ptr<shape>> &all)
{
	double sum = 0;

	for (const auto &s : all)
		sum += s->area();
	return sum;
}

APART static std::string
label(unsigned i)
{
	std::string s = "shape number ";

	s += std::to_string(i);
	s.append(20, '.');
	return s;
}

APART static size_t
index_labels(unsigned n)
{
	std::map<std::string, unsigned> index;

	for (unsigned i = 0; i < n; i++)
		index[label(i * 31 % n)] += i;
	return index.size();
}

APART static double
middle(std::vector<double> v)
{
	std::sort(v.begin(), v.end());
	return v[v.size() / 2];
}

APART static void
copy_all(const std::vector<double> &from, std::vector<double> &to)
{
	std::memmove(to.data(), from.data(), from.size() * sizeof(double));
}

int
main()
{
	std::vector<std::unique_ptr<shape>> all;
	std::vector<double> values(20000), copy(20000);

	for (unsigned i = 0; i < 400; i++)
		if (i % 2 != 0)
			all.push_back(std::make_unique<square>(i));
		else
			all.push_back(std::make_unique<polygon>(i));
	for (size_t i = 0; i < values.size(); i++)
		values[i] = double(i * 7919 % 10007);
	for (unsigned i = 0; i < 1200; i++) {
		sink = sink + total(all) + double(index_labels(700));
		for (unsigned k = 0; k < 20; k++)
			copy_all(values, copy);
		if (i % 4 == 0)
			sink = sink + middle(copy);
	}
	return 0;
}
