/* SPDX-License-Identifier: MIT */
/* A second unit for inlines.t. */
#include <string>
#include <vector>

static inline int
length(const std::string &s)
{
	return (int)s.size() * 2;
}

int
elsewhere(const std::vector<std::string> &all)
{
	int n = 0;

	for (const std::string &s : all)
		n += length(s) + (s < all[0]);
	return n;
}
