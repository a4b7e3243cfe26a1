# Oracles: what perf and others say about the same captures.
oracle_tests = %D%/script.t %D%/folded.t %D%/report.t %D%/offcpu.t \
	%D%/sched.t %D%/latency.t %D%/stitch.t %D%/goldens.t %D%/annotate.t %D%/sql.t \
	%D%/findings.t %D%/findings-time.t %D%/sound.t
dist_check_SCRIPTS += $(oracle_tests)
TESTS += $(oracle_tests)
EXTRA_DIST += %D%/oracle.py %D%/sched.py
