/* SPDX-License-Identifier: MIT */
/*
 * A program of any architecture that writes its own capture as text for
 * mkperf: a timer's handler dumps registers and stack of what it interrupted.
 * For machines that perf cannot record on, such as qemu-user.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
enum { DUMP = 8192, SAMPLES = 300 };

/* Registers as perf numbers them, lowest bit of the mask first. */
#if defined(__aarch64__)
#define ARCH "aarch64"
#define MASK 0x1ffffffffu
#define ABI 2
static size_t
registers(const ucontext_t *u, uint64_t *out)
{
	memcpy(out, u->uc_mcontext.regs, 31 * 8);
	out[31] = u->uc_mcontext.sp;
	out[32] = u->uc_mcontext.pc;
	return 33;
}
#define SP(r) r[31]
#elif defined(__riscv)
#define ARCH "riscv64"
#define MASK 0xffffffffu
#define ABI 2
static size_t
registers(const ucontext_t *u, uint64_t *out)
{
	memcpy(out, u->uc_mcontext.__gregs, 32 * 8);
	return 32;
}
#define SP(r) r[2]
#elif defined(__arm__)
#define ARCH "armv7l"
#define MASK 0xffffu
#define ABI 1
static size_t
registers(const ucontext_t *u, uint64_t *out)
{
	const unsigned long *from = &u->uc_mcontext.arm_r0;

	for (int i = 0; i < 16; i++)
		out[i] = from[i];
	return 16;
}
#define SP(r) r[13]
#elif defined(__powerpc64__)
#define ARCH "ppc64le"
#define MASK 0x11ffffffffu
#define ABI 2
static size_t
registers(const ucontext_t *u, uint64_t *out)
{
	memcpy(out, u->uc_mcontext.gp_regs, 33 * 8);
	out[33] = u->uc_mcontext.gp_regs[36];
	return 34;
}
#define SP(r) r[1]
#elif defined(__s390x__)
#define ARCH "s390x"
#define MASK 0x2ffffffffu
#define ABI 2
static size_t
registers(const ucontext_t *u, uint64_t *out)
{
	memcpy(out, u->uc_mcontext.gregs, 16 * 8);
	memcpy(out + 16, u->uc_mcontext.fpregs.fprs, 16 * 8);
	out[32] = u->uc_mcontext.psw.addr;
	return 33;
}
#define SP(r) r[15]
#elif defined(__i386__)
#define ARCH "i686"
#define MASK 0x1ffu
#define ABI 1
static size_t
registers(const ucontext_t *u, uint64_t *out)
{
	static const int order[] = { REG_EAX, REG_EBX, REG_ECX, REG_EDX,
		REG_ESI, REG_EDI, REG_EBP, REG_ESP, REG_EIP };

	for (int i = 0; i < 9; i++)
		out[i] = (uint32_t)u->uc_mcontext.gregs[order[i]];
	return 9;
}
#define SP(r) r[7]
#else
#define ARCH "x86_64"
#define MASK 0xff01ffu
#define ABI 2
static size_t
registers(const ucontext_t *u, uint64_t *out)
{
	static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX,
		REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP, REG_R8, REG_R9,
		REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

	for (int i = 0; i < 17; i++)
		out[i] = (uint64_t)u->uc_mcontext.gregs[order[i]];
	return 17;
}
#define SP(r) r[7]
#endif

#if defined(__aarch64__)
#define PC(r) r[32]
#elif defined(__riscv)
#define PC(r) r[0]
#elif defined(__arm__)
#define PC(r) r[15]
#elif defined(__powerpc64__) || defined(__s390x__)
#define PC(r) r[32]
#else
#define PC(r) r[8]
#endif

static volatile unsigned long sink;
static volatile int samples;
static uint64_t top; /* of the stack, as far as it is dumped */
static char text[3 * DUMP + 4096];

static size_t
put_hex(char *to, uint64_t v)
{
	char digits[16];
	size_t n = 0, i = 0;

	do {
		digits[n++] = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v != 0);
	while (n > 0)
		to[i++] = digits[--n];
	return i;
}

static size_t
put(char *to, const char *s)
{
	memcpy(to, s, strlen(s));
	return strlen(s);
}

static void
handler(int sig, siginfo_t *info, void *context)
{
	uint64_t r[64], sp, size;
	size_t n = registers(context, r), at = 0;

	if (samples >= SAMPLES)
		return;
	sp = SP(r);
	size = sp < top && top - sp < DUMP ? top - sp : DUMP;
	at += put(text + at, "sample clock pid=7 tid=7 ip=0x");
	at += put_hex(text + at, PC(r));
	at += put(text + at, " time=0x");
	at += put_hex(text + at, 1000 + (uint64_t)samples);
	at += put(text + at, ABI == 2 ? " regs_user=2" : " regs_user=1");
	for (size_t i = 0; i < n; i++) {
		at += put(text + at, ",0x");
		at += put_hex(text + at, r[i]);
	}
	at += put(text + at, " stack=h:");
	for (uint64_t i = 0; i < size; i++) {
		uint8_t byte = ((const uint8_t *)(uintptr_t)sp)[i];

		text[at++] = "0123456789abcdef"[byte >> 4];
		text[at++] = "0123456789abcdef"[byte & 15];
	}
	text[at++] = '\n';
	samples += write(STDOUT_FILENO, text, at) == (ssize_t)at;
}

/* ------------------------------------------------------------------- work */

static NOINLINE void
spin(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i ^ (sink >> 3);
}

static NOINLINE unsigned
recurse(unsigned n)
{
	if (n == 0) {
		spin(300);
		return 1;
	}
	return recurse(n - 1) * 3 + n;
}

static NOINLINE void
with_alloca(unsigned n)
{
	char *p = alloca(n);

	memset(p, 1, n);
	spin(200);
	sink += recurse(n % 20) + (unsigned char)p[n / 3];
}

static int
compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	spin(20);
	return (*x > *y) - (*x < *y);
}

static NOINLINE void
sort(void)
{
	int v[100];

	for (int i = 0; i < 100; i++)
		v[i] = i * 7919 % 301;
	qsort(v, 100, sizeof(v[0]), compare);
}

static NOINLINE void
print(void)
{
	char line[100];

	for (int i = 0; i < 30; i++)
		sink += (unsigned)snprintf(
		    line, sizeof(line), "%d %g %s", i, i / 3.0, "text");
}

static void
inner(int sig)
{
	recurse(5);
}

static NOINLINE void
work(unsigned n)
{
	with_alloca(30 + n % 100);
	sort();
	print();
	if (n % 3 == 0)
		raise(SIGUSR1);
}

static void
head(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[600], prot[8], file[512];
	unsigned long from, to, offset;

	printf("byte_order %s\n",
	    (const char *)(*(const uint16_t *)"\1" == 1 ? "little" : "big"));
	printf("attr clock type=1 config=0 period=1000000 ids=1 "
	       "sample_type=IP|TID|TIME|PERIOD|REGS_USER|STACK_USER "
	       "sample_regs_user=0x%llx sample_stack_user=%d "
	       "flags=sample_id_all|mmap|mmap2|comm|task\n"
	       "feature arch \"%s\"\ncomm 7 7 \"foreign\"\n",
	    (unsigned long long)MASK, DUMP, ARCH);
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %511[^\n]", &from,
			&to, prot, &offset, file) == 5 &&
		    strchr(prot, 'x') != NULL && file[0] == '/')
			printf("mmap2 pid=7 tid=7 addr=0x%lx len=0x%lx "
			       "pgoff=0x%lx prot=5 name=\"%s\"\n",
			    from, to - from, offset, file);
	if (f != NULL)
		fclose(f);
	fflush(stdout);
}

int
main(void)
{
	struct sigaction a = { .sa_flags = SA_SIGINFO | SA_RESTART };
	struct itimerval every = { { 0, 1000 }, { 0, 1000 } };

	head();
	top = (uint64_t)(uintptr_t)environ; /* above all frames */
	top &= ~(uint64_t)7;
	a.sa_sigaction = handler;
	sigaction(SIGPROF, &a, NULL);
	signal(SIGUSR1, inner);
	setitimer(ITIMER_PROF, &every, NULL);
	for (unsigned n = 0; samples < SAMPLES; n++)
		work(n);
	return 0;
}
