# base/ alone: everything else stands on it.
base_tests = %D%/bytes %D%/tables %D%/buf %D%/diag %D%/mem %D%/pool \
	%D%/pattern %D%/files %D%/spill %D%/walls
check_PROGRAMS += $(base_tests)
TESTS += $(base_tests)
