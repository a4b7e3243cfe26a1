check_LIBRARIES += %D%/libhost.a
tests_analyses_libhost_a_SOURCES = %D%/host.c %D%/host.h
check_PROGRAMS += %D%/hand %D%/random
TESTS += %D%/hand %D%/random
tests_analyses_hand_LDADD = %D%/libhost.a $(LDADD)
tests_analyses_random_LDADD = %D%/libhost.a $(LDADD)
