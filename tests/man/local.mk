# The manual, tested.
dist_check_SCRIPTS += %D%/examples.t
if !SANITIZED
TESTS += %D%/examples.t
endif
