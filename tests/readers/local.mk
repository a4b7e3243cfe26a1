# Tests of this folder; see tests/local.mk.
readers_tests = %D%/attr %D%/decode %D%/sample %D%/stream \
	%D%/jitdump %D%/print %D%/shrink
check_PROGRAMS += $(readers_tests)
TESTS += $(readers_tests)
check_PROGRAMS += %D%/features %D%/tracing %D%/show-features
TESTS += %D%/features %D%/tracing
dist_check_SCRIPTS += %D%/features-perf.t
if !SANITIZED
TESTS += %D%/features-perf.t
endif
EXTRA_DIST += %D%/make.h %D%/sections.h
