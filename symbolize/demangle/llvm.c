/* SPDX-License-Identifier: MIT */
/*
 * Asks LLVM's demangler, of libc++abi or else of libLLVM, whichever is
 * installed and new enough to know concepts.
 *
 * It was not written for a stranger's names: it recurses, and substitutions
 * make its text exponential.  So it runs in a thread whose stack is large
 * enough for the longest name (160 bytes a character, measured over all
 * productions), and writes into pages that it is told are endless.  After the
 * longest text that is shown comes a page that it may not write to; the
 * signal's handler leaves it there.  At that time it holds no lock, because all
 * its allocations are done before it writes; what it has allocated is lost, so
 * that may happen a limited number of times.  Text that it takes back costs
 * time and no space; is_tame() bounds this by what can be read in the name.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "symbolize/demangle/languages.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/library.h"
#include "base/limits.h"
#include "base/mem.h"

/* What the demangler is told of its buffer; it never reallocates that. */
#define ENDLESS (SIZE_MAX / 4)
#define TEXT ((size_t)CP_MAX_DEMANGLED)
#define STACK ((size_t)8 << 20)
/* Any stack has room for such a name; a thread takes 60 us. */
#define SHORT 256

typedef char *cxa_demangle(const char *, char *, size_t *, int *);

/* libc++abi's, which a static program has in itself. */
cxa_demangle __cxa_demangle;

struct abi_calls {
	cxa_demangle *demangle;
};

/* llvm::ItaniumPartialDemangler: two pointers, and what may be added. */
struct partial {
	void *member[16];
};

/* Its functions, by the Itanium ABI of C++. */
struct partial_calls {
	void (*begin)(struct partial *);
	bool (*failed)(struct partial *, const char *);
	char *(*text)(const struct partial *, char *, size_t *);
	void (*end)(struct partial *);
};

static struct abi_calls of_abi;
static struct partial_calls of_llvm;
static bool usable;
static struct sigaction before;
static atomic_int left;

struct call {
	const char *raw;
	char *text; /* TEXT bytes, then as many that must not be written */
	bool done;
	sigjmp_buf full;
};
static _Thread_local struct call *now;

static void
on_fault(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;

	if (now != NULL && at - (uintptr_t)now->text - TEXT < TEXT)
		siglongjmp(now->full, 1);
	if ((before.sa_flags & SA_SIGINFO) != 0)
		before.sa_sigaction(sig, info, context);
	else /* the access is tried again, and ends the process */
		sigaction(sig, &before, NULL);
}

static void
ask(struct call *c)
{
	size_t size = ENDLESS;
	struct partial p;
	int status = -1;

	if (of_abi.demangle != NULL) {
		if (sigsetjmp(c->full, 1) == 0)
			c->done = of_abi.demangle(c->raw, c->text, &size,
				      &status) != NULL &&
				  status == 0;
		return;
	}
	of_llvm.begin(&p);
	if (!of_llvm.failed(&p, c->raw) && sigsetjmp(c->full, 1) == 0)
		c->done = of_llvm.text(&p, c->text, &size) != NULL;
	of_llvm.end(&p);
}

static void *
in_thread(void *arg)
{
	struct call *c = arg;

	now = c;
	ask(c);
	now = NULL;
	return NULL;
}

static bool
run(struct call *c)
{
	pthread_attr_t attr;
	pthread_t thread;
	bool ran;

	if (strlen(c->raw) <= SHORT) {
		in_thread(c);
		return true;
	}
	pthread_attr_init(&attr);
	ran = pthread_attr_setstacksize(&attr, STACK) == 0 &&
	      pthread_create(&thread, &attr, in_thread, c) == 0;
	pthread_attr_destroy(&attr);
	if (ran)
		pthread_join(thread, NULL);
	return ran;
}

static char *
demangle(const char *raw)
{
	struct call c = { .raw = raw };
	char *text = NULL;

	c.text = mmap(NULL, 2 * TEXT, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (c.text == MAP_FAILED)
		return NULL;
	if (mprotect(c.text + TEXT, TEXT, PROT_NONE) == 0 && run(&c) && c.done)
		text = strdup(c.text);
	else if (c.text[0] != '\0')
		left--;
	munmap(c.text, 2 * TEXT);
	return text;
}

static bool
load_abi(void)
{
	static const struct cp_library_call list[] = { CP_LIBRARY_CALL(
	    __cxa_demangle, abi_calls, demangle) };

	return cp_library_load("libc++abi.so.1", list, 1, &of_abi);
}

static bool
load_llvm(unsigned version)
{
#define OF "_ZN4llvm23ItaniumPartialDemangler"
#define AT(member)                                                             \
	offsetof(struct partial_calls, member), sizeof(of_llvm.member), NULL
	static const struct cp_library_call list[] = {
		{ OF "C1Ev", AT(begin) },
		{ OF "15partialDemangleEPKc", AT(failed) },
		{ "_ZNK4llvm23ItaniumPartialDemangler14finishDemangleEPcPm",
		    AT(text) },
		{ OF "D1Ev", AT(end) },
	};
#undef AT
#undef OF
	char soname[32];

	snprintf(soname, sizeof(soname), "libLLVM.so.%u.1", version);
	return cp_library_load(soname, list, CP_ARRAY_LEN(list), &of_llvm);
}

/* A function with a constraint, which no older demangler knows. */
static bool
knows_concepts(void)
{
	char *text = demangle("_Z1fITkSt8integraliEvT_");

	free(text);
	return text != NULL;
}

static void
load(void)
{
	struct sigaction mine = { .sa_flags = SA_SIGINFO };

	left = CP_MAX_DEMANGLER_FAULTS;
	mine.sa_sigaction = on_fault;
	sigemptyset(&mine.sa_mask);
	sigaction(SIGSEGV, &mine, &before);
	if (load_abi() && knows_concepts()) {
		usable = true;
		return;
	}
	of_abi.demangle = NULL;
	for (unsigned v = CP_NEWEST_LLVM; v >= CP_OLDEST_LLVM && !usable; v--)
		usable = load_llvm(v) && knows_concepts();
}

/* Counts the places of s where one of the two-letter words begins. */
static size_t
count(const char *s, const char *words)
{
	size_t n = 0;

	for (; s[0] != '\0' && s[1] != '\0'; s++)
		for (const char *w = words; *w != '\0'; w += 2)
			n += s[0] == w[0] && s[1] == w[1];
	return n;
}

/*
 * Text is taken back only where a pack is expanded that is empty (JE).  The
 * time for that grows with the power of expansions in each other, and with back
 * references to them.  Names that people write have at most 6 and 20.
 */
static bool
is_tame(const char *raw)
{
	size_t references = 0;

	if (strstr(raw, "JE") == NULL)
		return true;
	for (const char *s = raw; *s != '\0'; s++)
		references += *s == '_';
	return strlen(raw) <= 512 && references <= 48 &&
	       count(raw, "DpspsZsPflfrfLfR") <= 7;
}

char *
cp_llvm_demangle(const char *raw)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!is_tame(raw))
		return NULL;
	pthread_once(&once, load);
	return usable && left > 0 ? demangle(raw) : NULL;
}
