# The program as a whole.
cli_tests = %D%/cli.t %D%/golden.t
dist_check_SCRIPTS += $(cli_tests)
TESTS += $(cli_tests)
