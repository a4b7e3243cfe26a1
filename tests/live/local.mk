# Tests that record with perf on the spot; they skip where that is forbidden.
live_tests = %D%/oracle.t %D%/known.t
dist_check_SCRIPTS += $(live_tests)
TESTS += $(live_tests)
EXTRA_DIST += %D%/live.sh
