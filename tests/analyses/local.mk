check_LIBRARIES += %D%/libhost.a
tests_analyses_libhost_a_SOURCES = %D%/host.c %D%/host.h
check_PROGRAMS += %D%/hand %D%/random %D%/coverage
TESTS += %D%/hand %D%/random %D%/coverage
tests_analyses_hand_LDADD = %D%/libhost.a $(LDADD)
tests_analyses_random_LDADD = %D%/libhost.a $(LDADD)
# It calls nothing of the host by itself, so that the library would be left out.
tests_analyses_coverage_SOURCES = %D%/coverage.c %D%/host.c %D%/host.h
