/* SPDX-License-Identifier: MIT */
/* One function sorts most of the time, by a function of libc. */
#include "planted.h"
static int data[20000];
static int
compare(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? -1 : 1;
}
static NOINLINE void
rank_results(void)
{
	double t = now();

	for (int i = 0; i < 20000; i++)
		data[i] = rand();
	qsort(data, 20000, sizeof(*data), compare);
	plant(now() - t);
}
static NOINLINE void
parse_input(void)
{
	compute(0.001);
}
static NOINLINE void
print_output(void)
{
	compute(0.0005);
}
int
main(void)
{
	double end = now() + RUN;

	while (now() < end) {
		parse_input();
		rank_results();
		print_output();
	}
	return said();
}
