# Calls that fail, and signals between them.
EXTRA_DIST += %D%/fail-calls.c
dist_check_SCRIPTS += %D%/calls.t
TESTS += %D%/calls.t
