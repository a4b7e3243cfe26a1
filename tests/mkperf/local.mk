# mkperf against known bytes, its own rules, and perf.
dist_check_SCRIPTS += %D%/mkperf.t
plain_tests += %D%/mkperf.t
