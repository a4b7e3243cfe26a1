# mkperf against known bytes, its own rules, and perf.
dist_check_SCRIPTS += %D%/mkperf.t
TESTS += %D%/mkperf.t
