/* SPDX-License-Identifier: MIT */
/*
 * bench/workload: something to sample.
 *
 *	workload SECONDS [PROCESSES [THREADS [KINDS]]]
 *
 * Every thread serves requests.  The kind of a request decides its path: a
 * walk of 8 to 55 calls through 64 functions, with work at each of them and
 * one of five jobs at its end (arithmetic, memcpy, qsort, malloc, system
 * calls).  Kinds come with very unequal frequency, as they do in services, so
 * a capture holds both a few hot stacks and a long tail of rare ones.
 *
 * Needs frame pointers and no sibling calls; see bench/local.mk.  Computes
 * nothing of use.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NODES 64
#define NOINLINE __attribute__((noinline))

struct walk {
	uint64_t kind;  /* the request */
	uint64_t value; /* what the work leaves behind */
	unsigned left;  /* calls to go */
	int zero;       /* /dev/zero */
};

typedef void node_fn(struct walk *);
static node_fn *const nodes[NODES];
static double deadline;

static uint64_t
mix(uint64_t v)
{
	v = (v ^ (v >> 31)) * UINT64_C(0x7fb5d329728ea185);
	v = (v ^ (v >> 27)) * UINT64_C(0x81dadef4bc2dd44d);
	return v ^ (v >> 33);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static NOINLINE void
job_arithmetic(struct walk *w)
{
	for (int i = 0; i < 800; i++)
		w->value = mix(w->value + (uint64_t)i);
}

static NOINLINE void
job_copy(struct walk *w)
{
	char from[8192], to[8192];

	memset(from, (int)w->value, sizeof(from));
	for (int i = 0; i < 6; i++) {
		from[i] = (char)w->value;
		memcpy(to, from, sizeof(to));
		w->value += (uint64_t)to[w->value % sizeof(to)];
	}
}

static int
compare(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

static NOINLINE void
job_sort(struct walk *w)
{
	uint64_t v[64];

	for (int i = 0; i < 64; i++)
		v[i] = w->value = mix(w->value + 1);
	qsort(v, 64, sizeof(v[0]), compare);
	w->value += v[5];
}

static NOINLINE void
job_malloc(struct walk *w)
{
	void *p[32];

	for (int i = 0; i < 32; i++)
		if ((p[i] = malloc(16 + (mix(w->value++) & 1023))) != NULL)
			*(char *)p[i] = (char)i;
	for (int i = 0; i < 32; i++)
		free(p[i]);
}

static NOINLINE void
job_syscalls(struct walk *w)
{
	char page[4096];
	struct stat st;

	for (int i = 0; i < 3; i++) {
		if (read(w->zero, page, sizeof(page)) > 0)
			w->value += (uint64_t)page[7];
		if (fstat(w->zero, &st) == 0)
			w->value += (uint64_t)st.st_ino;
	}
}

static void
job(struct walk *w)
{
	static node_fn *const jobs[] = { job_arithmetic, job_copy, job_sort,
		job_malloc, job_syscalls };

	jobs[mix(w->kind) % 5](w);
}

static inline void
step(struct walk *w, unsigned node)
{
	for (unsigned i = 0; i < 12; i++)
		w->value = mix(w->value ^ node);
	if (w->left-- == 0)
		job(w);
	else
		nodes[mix(w->kind * 64 + w->left) % NODES](w);
	w->value ^= node;
}

#define NODE(a, b)                                                             \
	static NOINLINE void node_##a##b(struct walk *w)                       \
	{                                                                      \
		step(w, 0##a##b);                                              \
	}
#define ROW(M, a)                                                              \
	M(a, 0) M(a, 1) M(a, 2) M(a, 3) M(a, 4) M(a, 5) M(a, 6) M(a, 7)
#define ALL(M)                                                                 \
	ROW(M, 0)                                                              \
	ROW(M, 1) ROW(M, 2) ROW(M, 3) ROW(M, 4) ROW(M, 5) ROW(M, 6) ROW(M, 7)
ALL(NODE)

#define NAME(a, b) node_##a##b,
static node_fn *const nodes[NODES] = { ALL(NAME) };

static uint64_t kinds = 4000;

/* Kind k of n comes about as often as 1/k. */
static uint64_t
draw(uint64_t *seed)
{
	uint64_t r = *seed = mix(*seed + UINT64_C(0x9e3779b97f4a7c15));
	uint64_t span = kinds >> (r % 12);

	return mix(r) % (span != 0 ? span : 1);
}

static void *
serve(void *arg)
{
	uint64_t seed = mix((uint64_t)getpid() * 64 + (uintptr_t)arg);
	struct walk w = { .zero = open("/dev/zero", O_RDONLY) };

	while (now() < deadline)
		for (int i = 0; i < 64; i++) {
			w.kind = draw(&seed);
			w.left = 8 + (unsigned)(mix(w.kind + 7) % 48);
			nodes[w.kind % NODES](&w);
		}
	close(w.zero);
	return NULL;
}

static void
process(unsigned number, unsigned threads)
{
	static const char *const names[] = { "frontend", "storage", "search",
		"billing" };
	pthread_t id[64];
	unsigned n = 0;

	prctl(PR_SET_NAME, names[number % 4]);
	while (n < threads && n < 64 &&
	       pthread_create(&id[n], NULL, serve, (void *)(uintptr_t)n) == 0)
		n++;
	while (n-- > 0)
		pthread_join(id[n], NULL);
}

int
main(int argc, char **argv)
{
	double seconds = argc > 1 ? strtod(argv[1], NULL) : 10;
	unsigned long processes = argc > 2 ? strtoul(argv[2], NULL, 10) : 4;
	unsigned long threads = argc > 3 ? strtoul(argv[3], NULL, 10) : 2;

	if (argc > 4 && (kinds = strtoull(argv[4], NULL, 10)) == 0)
		kinds = 1;
	deadline = now() + seconds;
	for (unsigned i = 0; i < processes; i++)
		if (fork() == 0) {
			process(i, (unsigned)threads);
			_exit(0);
		}
	while (wait(NULL) > 0)
		continue;
	return 0;
}
