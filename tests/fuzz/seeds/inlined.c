/* SPDX-License-Identifier: MIT */
/* What debug information is made of for fuzz-dwarf: functions in functions. */
struct pair {
	int a, b;
};

int outside(int);
volatile int sink;

static inline int
add(struct pair p)
{
	return p.a * 3 + p.b;
}

static inline int
loop(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++) {
		struct pair p = { i, n };

		s += add(p);
		if (s & 1) {
			int t = outside(s);

			s ^= add((struct pair){ t, s });
		}
	}
	return s;
}

static __attribute__((noinline, cold)) void
rare(int x)
{
	sink = loop(x) + 1;
}

int
twice(int n)
{
	if (n > 1000)
		rare(n);
	sink = loop(n);
	return loop(n * 2) + add((struct pair){ n, sink });
}
