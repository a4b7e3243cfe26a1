# Tests of this folder; see tests/local.mk.
model_tests = %D%/order %D%/map %D%/stack %D%/session %D%/jit %D%/held
check_PROGRAMS += $(model_tests)
TESTS += $(model_tests)
