check_LIBRARIES += %D%/libhost.a
tests_analyses_libhost_a_SOURCES = %D%/host.c %D%/host.h
check_PROGRAMS += %D%/hand %D%/random
TESTS += %D%/hand %D%/random
plain_programs += %D%/coverage
plain_tests += %D%/coverage
tests_analyses_hand_LDADD = %D%/libhost.a $(LDADD)
tests_analyses_random_LDADD = %D%/libhost.a $(LDADD)
# It calls nothing of the host by itself, so that the library would be left out.
tests_analyses_coverage_SOURCES = %D%/coverage.c %D%/host.c %D%/host.h %D%/draw.h

dist_check_SCRIPTS += %D%/cases.t %D%/causes.t %D%/branches.t %D%/cpi.t %D%/label.t %D%/mem.t
TESTS += %D%/cases.t
plain_tests += %D%/causes.t %D%/branches.t %D%/cpi.t %D%/label.t %D%/mem.t
EXTRA_DIST += %D%/made.py
plain_programs += %D%/ratio-coverage
plain_tests += %D%/ratio-coverage
%C%_ratio_coverage_SOURCES = %D%/ratio-coverage.c %D%/host.c %D%/host.h

plain_programs += %D%/test-diffstat
tests_analyses_test_diffstat_SOURCES = %D%/test-diffstat.c %D%/host.c %D%/host.h
plain_tests += %D%/test-diffstat
dist_check_SCRIPTS += %D%/simulate.t
# Numbers; sanitizers see their code in others.
thorough_tests += %D%/simulate.t
plain_tests += %D%/simulate.t %D%/diff.t %D%/diff-kinds.t %D%/explain.t %D%/flame-chart.t %D%/losses.t \
	%D%/lost-calls.t
EXTRA_DIST += %D%/simulate.py
dist_check_SCRIPTS += %D%/blocked.t %D%/blockio.t %D%/both-calls.t %D%/chosen.t %D%/critical.t %D%/faults.t %D%/locks.t %D%/lost-calls.t %D%/marks.t %D%/pair.t %D%/recipes.t %D%/return-address.t %D%/stat.t %D%/twice.t %D%/wall.t %D%/waits.t %D%/windows.t
plain_tests += %D%/blocked.t %D%/blockio.t %D%/both-calls.t %D%/chosen.t %D%/critical.t %D%/faults.t %D%/locks.t %D%/marks.t %D%/pair.t %D%/recipes.t %D%/return-address.t %D%/stat.t %D%/twice.t %D%/wall.t %D%/waits.t %D%/windows.t

plain_programs += %D%/test-changepoints
plain_tests += %D%/test-changepoints
tests_analyses_test_changepoints_SOURCES = %D%/test-changepoints.c

dist_check_SCRIPTS += %D%/diff.t %D%/diff-kinds.t %D%/event.t %D%/explain.t %D%/hot.t %D%/overview.t
dist_check_SCRIPTS += %D%/pools.t %D%/apart.t %D%/flame-chart.t %D%/timeline.t
plain_tests += %D%/apart.t %D%/event.t %D%/hot.t %D%/overview.t %D%/pools.t %D%/timeline.t

plain_programs += %D%/delays
plain_tests += %D%/delays
tests_analyses_delays_SOURCES = %D%/delays.c %D%/sorted.h
tests_analyses_delays_LDADD = %D%/libhost.a $(LDADD)
dist_check_SCRIPTS += %D%/sched.t %D%/tasks.t
plain_tests += %D%/sched.t %D%/tasks.t

plain_programs += %D%/buckets
plain_tests += %D%/buckets
tests_analyses_buckets_LDADD = %D%/libhost.a $(LDADD)

plain_programs += %D%/quantiles
plain_tests += %D%/quantiles
tests_analyses_quantiles_SOURCES = %D%/quantiles.c %D%/sorted.h
tests_analyses_quantiles_LDADD = %D%/libhost.a $(LDADD)

plain_programs += %D%/dispersion
plain_tests += %D%/dispersion
tests_analyses_dispersion_LDADD = %D%/libhost.a $(LDADD)
dist_check_SCRIPTS += %D%/intervals.t
plain_tests += %D%/intervals.t
dist_check_SCRIPTS += %D%/losses.t %D%/chains.t %D%/account.t %D%/guest.t
plain_tests += %D%/chains.t %D%/account.t %D%/guest.t
