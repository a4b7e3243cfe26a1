# Tests that record with perf on the spot; they skip where that is forbidden.
live_tests = %D%/oracle.t %D%/known.t %D%/jit.t %D%/waits.t %D%/diff.t \
	%D%/sched.t %D%/inlines.t %D%/cgroup.t %D%/annotate.t \
	%D%/capture.t %D%/causes.t %D%/pair.t %D%/run.t
dist_check_SCRIPTS += $(live_tests)
if !SANITIZED
TESTS += $(live_tests)
endif
dist_check_SCRIPTS += %D%/questions.t %D%/recipes.t
nightly_tests += %D%/questions.t %D%/recipes.t
EXTRA_DIST += %D%/contend.c
recording_tests += $(live_tests)
thorough_tests += %D%/oracle.t
EXTRA_DIST += %D%/live.sh
EXTRA_DIST += %D%/causes/affinity.c %D%/causes/childwait.c \
	%D%/causes/churn.c %D%/causes/convoy.c %D%/causes/cpushares.c \
	%D%/causes/eagain.c %D%/causes/faultstorm.c %D%/causes/fsyncs.c \
	%D%/causes/inversion.c %D%/causes/kernelonly.c %D%/causes/leak.c \
	%D%/causes/mallocarena.c %D%/causes/migration.c %D%/causes/mmaplock.c \
	%D%/causes/nagle.c %D%/causes/null_compute.c %D%/causes/null_daemon.c \
	%D%/causes/null_files.c %D%/causes/null_parallel.c \
	%D%/causes/null_pingpong.c %D%/causes/null_pinned.c \
	%D%/causes/null_pipeline.c %D%/causes/null_pool.c \
	%D%/causes/null_server.c %D%/causes/null_warmup.c \
	%D%/causes/oneslow.c %D%/causes/phase.c %D%/causes/pipestall.c \
	%D%/causes/planted.h %D%/causes/poolstarved.c %D%/causes/quota.c \
	%D%/causes/run.py %D%/causes/softirq.c %D%/causes/spin.c \
	%D%/causes/starvedreader.c %D%/causes/stopworld.c \
	%D%/causes/timerstorm.c %D%/causes/victim.c

# These judge how long things took: after all other tests, in turn.
alone = %D%/known.log %D%/waits.log %D%/diff.log %D%/sched.log
$(alone): $(filter-out $(alone),$(TEST_LOGS))
%D%/waits.log: $(filter %D%/known.log,$(TEST_LOGS))
%D%/diff.log: $(filter %D%/waits.log,$(TEST_LOGS))
%D%/sched.log: $(filter %D%/diff.log,$(TEST_LOGS))
