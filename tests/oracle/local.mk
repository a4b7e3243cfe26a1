# Oracles: what perf and others say about the same captures.
oracle_tests = %D%/stitch.t %D%/goldens.t
# The same numbers, by other views: sanitizers see their code in other tests.
number_tests = %D%/script.t %D%/folded.t %D%/report.t %D%/offcpu.t %D%/sched.t \
	%D%/latency.t %D%/sound.t %D%/stat.t %D%/annotate.t %D%/sql.t %D%/findings.t %D%/findings-time.t
dist_check_SCRIPTS += $(oracle_tests) $(number_tests)
TESTS += $(oracle_tests)
if !SANITIZED
TESTS += $(number_tests)
endif
EXTRA_DIST += %D%/oracle.py %D%/sched.py
