/* SPDX-License-Identifier: MIT */
#include "analyses/diff/degrees.h"

#include <math.h>

/* The most degrees that the common variance of all rows counts for. */
#define MAX_PRIOR 60.0

/* psi'(x), by its asymptotic series from 6 on (DLMF 5.15.8). */
static double
trigamma(double x)
{
	double sum = 0, y;

	for (; x < 6; x++)
		sum += 1 / (x * x);
	y = 1 / (x * x);
	return sum + 1 / x + y / 2 +
	       y / x * (1.0 / 6 - y * (1.0 / 30 - y / 42));
}

double
cp_diff_degrees_of_logs(double variance, double degrees)
{
	double left = variance - trigamma(degrees / 2);
	double low = CP_DIFF_MIN_PRIOR, high = MAX_PRIOR;

	for (unsigned i = 0; i < 50; i++) {
		double middle = (low + high) / 2;

		if (trigamma(middle / 2) > left)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

double
cp_diff_degrees_of_sum(const double *products, uint32_t runs, double sum)
{
	double degrees = runs - 2.0, trace = 0, squares = 0, estimate;

	if (!(degrees > 1))
		return degrees;
	for (uint32_t a = 0; a < runs; a++)
		for (uint32_t b = 0; b <= a; b++) {
			double g = *products++ / degrees;

			trace += a == b ? g : 0;
			squares += g * g * (a == b ? 1 : 2);
		}
	estimate = (squares - trace * trace / degrees) * degrees * degrees /
		   ((degrees - 1) * (degrees + 2));
	if (!(estimate > 0))
		return CP_DIFF_MOST_DEGREES;
	return fmax(degrees,
	    fmin(CP_DIFF_MOST_DEGREES, degrees * sum * sum / estimate - 2));
}
