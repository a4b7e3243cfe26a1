# Calls that fail, and signals between them.
EXTRA_DIST += %D%/fail-calls.c %D%/faults.py
fault_tests = %D%/calls.t %D%/redact.t
dist_check_SCRIPTS += $(fault_tests)
TESTS += $(fault_tests)
dist_check_SCRIPTS += %D%/views.t
nightly_tests += %D%/views.t
