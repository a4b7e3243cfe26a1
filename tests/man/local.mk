# The manual, tested.
dist_check_SCRIPTS += %D%/examples.t
TESTS += %D%/examples.t
