# Calls that fail, and signals between them.
EXTRA_DIST += %D%/fail-calls.c %D%/faults.py
fault_tests = %D%/calls.t %D%/redact.t %D%/views.t
dist_check_SCRIPTS += $(fault_tests)
TESTS += $(fault_tests)
