# Tests.  All speak TAP: C programs with tests/tap.h, scripts (*.t, executable,
# with a #! line) with tests/lib.sh or their own.
#
# A C test NAME.c in folder F is two lines in tests/F/local.mk (links with
# libcoldperf.a by itself):
#	check_PROGRAMS += %D%/NAME
#	TESTS += %D%/NAME
# A script is
#	dist_check_SCRIPTS += %D%/NAME.t
#	TESTS += %D%/NAME.t
# Data and helper scripts go into EXTRA_DIST.
dist_check_SCRIPTS =
dist_check_DATA =
# Those that record on the spot; check.sh gives them a second recording.
recording_tests =
# Long sweeps over what changes rarely: ./check.sh --nightly runs them, too.
nightly_tests =
# Those that do more of the same with NIGHTLY=1: once more in that run.
thorough_tests =
# Numbers, words and pictures: by day without sanitizers, which see the same code
# in golden.t, in the fuzz targets and in tests of damage; at night with them.
plain_tests =
plain_programs =
if SANITIZED
nightly_tests += $(plain_tests)
nightly_programs = $(plain_programs)
check_PROGRAMS += $(fuzz_targets)
else
TESTS += $(plain_tests)
nightly_tests += tests/fuzz/run.t
nightly_programs = $(fuzz_targets)
check_PROGRAMS += $(plain_programs)
endif
EXTRA_PROGRAMS = $(fuzz_targets) $(plain_programs)

# The fuzz driver's main() is taken only by programs that have none.
LDADD = tests/fuzz/libdriver.a $(CP_LIBS)

TEST_EXTENSIONS = .t
tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(tap_driver)
T_LOG_DRIVER = $(tap_driver)

# What a test frees fits into 8 MB; with the 256 MB that is usual, each test
# touches new memory all the time, which takes a tenth of the whole time.
asan_options = allocator_may_return_null=1:quarantine_size_mb=8

AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	COLDPERF='$(abs_top_builddir)/coldperf'; export COLDPERF; \
	CC='$(CC)'; export CC; \
	SAN_FLAGS='$(SAN_FLAGS)'; export SAN_FLAGS; \
	FUZZ_TARGETS='$(fuzz_targets)'; export FUZZ_TARGETS; \
	XDG_CACHE_HOME=/dev/null/none; export XDG_CACHE_HOME; \
	ASAN_OPTIONS="$(asan_options):$$ASAN_OPTIONS"; \
	export ASAN_OPTIONS; \
	UBSAN_OPTIONS="print_stacktrace=1:$$UBSAN_OPTIONS"; \
	export UBSAN_OPTIONS;

dist_check_SCRIPTS += %D%/cases.t
EXTRA_DIST += %D%/cases/common.py %D%/cases/names.py
TESTS += %D%/cases.t
EXTRA_DIST += %D%/tap.h %D%/lib.sh %D%/dbgserver.py

# Those with the longest tests come first, so that none of them is left alone
# at the end.
include tests/fuzz/local.mk
include tests/browser/local.mk
include tests/damage/local.mk
include tests/bundle/local.mk
include tests/unwind/local.mk
include tests/base/local.mk
include tests/model/local.mk
include tests/readers/local.mk
include tests/symbolize/local.mk
include tests/analyses/local.mk
include tests/page/local.mk
include tests/render/local.mk
include tests/redact/local.mk
include tests/exports/local.mk
include tests/browse/local.mk
include tests/cli/local.mk
include tests/tools/local.mk
include tests/mkperf/local.mk
include tests/fault/local.mk
include tests/lint/local.mk
include tests/oracle/local.mk
include tests/live/local.mk
include tests/man/local.mk
include tests/packages/local.mk

check-nightly: all $(nightly_programs)
	@NIGHTLY=1 $(MAKE) $(AM_MAKEFLAGS) check-TESTS \
		TESTS='$(nightly_tests) $(thorough_tests)'
.PHONY: check-nightly

print-recording-tests:
	@echo $(recording_tests)
.PHONY: print-recording-tests

# Rewrites the golden files of the corpus; the diff is the review.
check-update: all
	$(AM_TESTS_ENVIRONMENT) UPDATE=1 $(MAKE) check
.PHONY: check-update

# One test, or some, by name; of its cases those whose name has CASE.
test: export CASE := $(CASE)
test: all $(filter $(T),$(EXTRA_PROGRAMS))
	@test -n '$(T)' || { echo 'usage: make test T=tests/base/buf' >&2; exit 2; }
	@$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(T)'
.PHONY: test

# Parts by themselves, the laws of the house, and what the program prints.
quick_tests = $(base_tests) $(model_tests) $(readers_tests) \
	$(symbolize_tests) $(lint_tests) tests/analyses/hand \
	tests/render/test-text tests/render/test-escape tests/cli/golden.t
check-quick: all
	@$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(quick_tests)'
.PHONY: check-quick
