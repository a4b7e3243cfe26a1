// SPDX-License-Identifier: MIT
// Exceptions through destructors, from deep inside and caught at several
// depths, for 0.4 s of CPU time: most of it is the C++ runtime's own unwinding.
#include <ctime>
#include <stdexcept>
#include <string>

static volatile unsigned long sink;

struct Guard {
	unsigned n;
	explicit Guard(unsigned i) : n(i) {}
	~Guard() { sink = sink + n; }
};

__attribute__((noinline)) static unsigned
descend(unsigned n)
{
	Guard g(n);

	if (n == 0)
		throw std::runtime_error("bottom");
	if (n % 7 == 3) {
		try {
			return descend(n - 1);
		} catch (const std::logic_error &) {
			return 7;
		}
	}
	return descend(n - 1) + g.n;
}

__attribute__((noinline)) static void
once()
{
	try {
		sink = sink + descend(20);
	} catch (const std::exception &e) {
		sink = sink + std::string(e.what()).size();
	}
}

int
main()
{
	while (std::clock() < 2 * CLOCKS_PER_SEC / 5)
		once();
	return sink == 42;
}
