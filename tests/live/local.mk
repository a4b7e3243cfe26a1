# Tests that record with perf on the spot; they skip where that is forbidden.
live_tests = %D%/oracle.t %D%/known.t %D%/jit.t %D%/waits.t %D%/diff.t \
	%D%/sched.t %D%/inlines.t %D%/cgroup.t %D%/recipes.t %D%/annotate.t
dist_check_SCRIPTS += $(live_tests)
TESTS += $(live_tests)
recording_tests += $(live_tests)
EXTRA_DIST += %D%/live.sh

# Recordings want the machine for themselves: after all other tests, in turn.
live_logs = %D%/oracle.log %D%/known.log %D%/jit.log %D%/waits.log \
	%D%/diff.log %D%/sched.log %D%/inlines.log %D%/cgroup.log \
	%D%/recipes.log %D%/annotate.log
$(live_logs): $(filter-out $(live_logs),$(TEST_LOGS))
%D%/known.log: $(filter %D%/oracle.log,$(TEST_LOGS))
%D%/jit.log: $(filter %D%/known.log,$(TEST_LOGS))
%D%/waits.log: $(filter %D%/jit.log,$(TEST_LOGS))
%D%/diff.log: $(filter %D%/waits.log,$(TEST_LOGS))
%D%/sched.log: $(filter %D%/diff.log,$(TEST_LOGS))
%D%/inlines.log: $(filter %D%/sched.log,$(TEST_LOGS))
%D%/cgroup.log: $(filter %D%/inlines.log,$(TEST_LOGS))
%D%/recipes.log: $(filter %D%/cgroup.log,$(TEST_LOGS))
%D%/annotate.log: $(filter %D%/recipes.log,$(TEST_LOGS))
